"""One row that stays locked, one Valkey that hangs: what else there is goes on, and says so."""

import signal
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.core.cache import caches
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.urls import reverse
from kombu.exceptions import OperationalError as BrokerAway
from redis.exceptions import RedisError

from accounts.models import User
from config import slow, waiting
from config.celery import Tasks, app
from launcher.locations import Locations
from launcher.valkey import Valkey
from league.base.acts import locks
from league.management.commands import migrate
from league.models import Result, Sitting
from league.nights.domain import entry
from tables.base import row_locks
from tables.live.stream import conninfo
from tests.factories import browser_of, make_club, make_member, make_table, path_of, table_link
from tests.served import Answer, Served, served

pytestmark = pytest.mark.django_db(transaction=True)


def say_result(sitting: Sitting, key: uuid.UUID) -> dict[str, object]:
    order = entry.write_order([[place.entrant_id] for place in sitting.seated])
    return {"game_no": 1, "order": order, "specials": "", "client_id": key}


@contextmanager
def held(statement: str, *values: object) -> Iterator[psycopg.Connection]:
    """Somebody else's transaction, in which the statement was run and which rests since."""
    with psycopg.connect(conninfo()) as other:
        other.execute(statement, values)  # type: ignore[arg-type]
        yield other
        other.rollback()


def hold_event(sitting: Sitting):
    return held("SELECT FROM league_event WHERE id = %s FOR UPDATE", sitting.round.event_id)


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Served]:
    with served() as web:
        yield web


def test_one_locked_night_holds_up_nobody_else(web):
    sitting = make_table()
    there = table_link(sitting)
    games = [say_result(sitting, uuid.uuid4()) for _ in range(6)]
    with ThreadPoolExecutor(12) as people:

        def enter(game: dict[str, object]) -> Answer:
            return web.ask(there, game, Accept="application/json")

        with hold_event(sitting):
            entering = [people.submit(enter, game) for game in games]
            time.sleep(0.3)
            looks = [web.ask("/health/"), *(web.ask("/clubs/") for _ in range(3))]
            more = [people.submit(enter, game) for game in games]
            looks += [web.ask("/health/"), web.ask("/health/ready/"), web.ask("/tables/")]
            refused = [future.result() for future in entering + more]
        assert [look.status for look in looks] == [200] * 7
        # Whoever waited for the row would have been held for its whole time.
        assert max(look.seconds for look in looks) < row_locks.LONGEST
        assert {answer.status for answer in refused} == {503}
        assert {answer.headers["Retry-After"] for answer in refused} == {"3"}
        assert max(answer.seconds for answer in refused) < 30
        # The same again, as the phones send it: it is the same game, there once.
        assert {enter(game).status for game in games} == {200}
        assert Result.objects.count() == 1


def test_a_refusal_speaks_the_readers_language(web):
    sitting = make_table()
    event = sitting.round.event
    organiser = make_member(event.season.club, "organiser")
    session = browser_of(organiser).cookies["sessionid"].value
    page = path_of(event, "event_status")
    with hold_event(sitting):
        answers = {
            language: web.ask(
                page, {"status": "closed"}, session=session, **{"Accept-Language": language}
            )
            for language in ("en", "vi")
        }
    assert {answer.status for answer in answers.values()} == {503}
    assert "What you sent was not saved" in answers["en"].text
    assert "chưa được lưu" in answers["vi"].text


@pytest.fixture
def own_valkey() -> Iterator[Valkey]:
    with tempfile.TemporaryDirectory(prefix="tienlen-", dir="/tmp") as folder:
        valkey = Valkey(Locations(Path(folder)))
        valkey.start()
        yield valkey
        assert valkey.process is not None
        valkey.process.send_signal(signal.SIGCONT)
        valkey.stop()


def test_without_valkey_everything_goes_on_and_nobody_is_signed_out(own_valkey):
    sitting = make_table()
    club = make_club(is_public=True)
    there = table_link(sitting)
    User.objects.create_user("lan@club.example", "mot-hai-ba-bon")
    session = browser_of(make_member(club, "organiser")).cookies["sessionid"].value
    assert own_valkey.process is not None
    url = f"unix://{own_valkey.places.valkey_socket}?db=0"
    sign_in = {"login": "lan@club.example", "password": "mot-hai-ba-bon"}
    sign_up = {"email": "new@club.example", "password1": "mot-hai-ba-bon"}
    with served(REDIS_URL=url) as web:
        own_valkey.process.send_signal(signal.SIGSTOP)
        asked = {
            "entry": web.ask(there, say_result(sitting, uuid.uuid4()), Accept="application/json"),
            "api": web.ask("/api/v1/clubs/"),
            "search": web.ask("/search/?q=lan"),
            "mine": web.ask("/people/me/", session=session),
            "sign in": web.ask(reverse("account_login"), sign_in),
            "sign up": web.ask(reverse("account_signup"), sign_up),
        }
        assert {what: answer.status for what, answer in asked.items()} == {
            "entry": 200, "api": 200, "search": 200, "mine": 200, "sign in": 302, "sign up": 302,
        }  # fmt: skip
        assert max(answer.seconds for answer in asked.values()) < 8
        assert web.ask("/health/ready/").text == "away: broker\n"
        tried = [web.ask(reverse("account_login"), sign_in | {"password": "x"}) for _ in range(6)]
        assert "Too many failed login attempts" in tried[-1].text
        own_valkey.process.send_signal(signal.SIGCONT)
        assert web.ask("/health/ready/").status == 200


def test_limits_hold_in_memory_while_valkey_is_away(settings):
    cache = type(caches["default"])("unix:///nowhere.sock", {"OPTIONS": settings.REDIS_LIMITS})
    caches["memory"].clear()
    assert cache.add("times", 1, 60)
    assert [cache.incr("times"), cache.incr("times"), cache.get("times")] == [2, 3, 3]
    with pytest.raises(RedisError):
        type(cache._cache._valkey)(["unix:///nowhere.sock"]).get("times", None)


def test_who_waits_is_told_who_holds_what():
    sitting = make_table()
    statement = "SELECT FROM league_event WHERE id = %s FOR UPDATE"
    with held(statement, sitting.round.event_id) as holder, psycopg.connect(conninfo()) as waiter:
        with ThreadPoolExecutor(1) as other:
            waits = other.submit(waiter.execute, statement, [sitting.round.event_id])
            found: list[str] = []
            while not found:
                found = slow.holders(waiter.info.backend_pid)
            holder.rollback()
            waits.result()
        assert found[0].startswith(f"{holder.info.backend_pid} (")
        assert "idle in transaction" in found[0]
        assert "SELECT" not in found[0]


@pytest.fixture
def limits() -> Iterator[None]:
    yield
    waiting.use(waiting.COMMAND)


@pytest.mark.usefixtures("limits")
def test_every_kind_of_work_has_its_limits_and_keeps_them_no_longer():
    def found() -> list[str]:
        pooled = connection.copy()
        with pooled.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),"
                " current_setting('idle_in_transaction_session_timeout')"
            )
            row = cursor.fetchone()
        pooled.close()
        return list(row)

    for kind, told in (
        (waiting.PAGE, ["20s", "2s", "1min"]),
        (waiting.task(120), ["2min", "5s", "2min"]),
        (waiting.COMMAND, ["0", "1min", "0"]),
    ):
        waiting.use(kind)
        assert [found() for _ in range(3)] == [told] * 3


@pytest.mark.usefixtures("limits")
def test_a_request_takes_a_free_row_and_a_held_one_when_it_is_let_go():
    sitting = make_table()
    token = row_locks.in_web.set(True)
    try:
        with transaction.atomic():
            assert locks.event(sitting.round.event_id).pk == sitting.round.event_id
        with hold_event(sitting) as other, ThreadPoolExecutor(1) as later, transaction.atomic():
            later.submit(lambda: (time.sleep(0.3), other.rollback()))
            assert locks.event(sitting.round.event_id).season.club
        with hold_event(sitting), pytest.raises(OperationalError), transaction.atomic():
            locks.event(sitting.round.event_id)
        with hold_event(sitting), pytest.raises(row_locks.Busy), transaction.atomic():
            locks.event(sitting.round.event_id)  # Somebody has just waited for it in vain.
    finally:
        row_locks.in_web.reset(token)


def test_a_migration_does_not_wait_for_long():
    with (
        held("LOCK TABLE league_club IN ACCESS SHARE MODE"),
        pytest.raises(OperationalError),
        connection.schema_editor() as editor,
    ):
        editor.execute("ALTER TABLE league_club ADD COLUMN x int")


def test_migrating_gives_way_and_comes_again(monkeypatch, capsys):
    tries = []

    def alter(self: object, *args: object, **options: object) -> None:
        tries.append(1)
        if len(tries) == 2:
            reader.rollback()
        with connection.schema_editor() as editor:
            editor.execute("ALTER TABLE league_club ALTER COLUMN name SET NOT NULL")

    monkeypatch.setattr("django.core.management.commands.migrate.Command.handle", alter)
    with held("LOCK TABLE league_club IN ACCESS SHARE MODE") as reader:
        call_command("migrate")
        assert len(tries) == 2
        assert f"in use by {reader.info.backend_pid} (" in capsys.readouterr().err
    monkeypatch.setattr(migrate, "PATIENCE", 0)
    with (
        held("LOCK TABLE league_club IN ACCESS SHARE MODE"),
        pytest.raises(CommandError, match="in use for"),
    ):
        call_command("migrate")


def test_a_broker_that_does_not_answer_is_left_alone_for_a_while(monkeypatch):
    asked = []

    def away(*args: object, **options: object) -> None:
        asked.append(time.monotonic())
        raise BrokerAway("away")

    tasks = Tasks("other", set_as_current=False)
    monkeypatch.setattr("celery.Celery.send_task", away)
    for _ in range(3):
        with pytest.raises(BrokerAway):
            tasks.send_task("x")
    assert len(asked) == 1
    tasks.again = tasks._away_until = 0
    with pytest.raises(BrokerAway):
        tasks.send_task("x")
    assert len(asked) == 2


def test_every_task_has_an_end():
    """No soft one ends bots' games: tests/tables/runs/test_own_clock.py sees that in a worker."""
    app.loader.import_default_modules()
    own = {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}
    assert len(own) > 15
    for name, task in own.items():
        assert (task.soft_time_limit or 0) < task.time_limit, name
