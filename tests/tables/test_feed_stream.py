"""The streams for programs, as an ASGI server would ask for them."""

import asyncio
import json
import re
from typing import Any

import pytest
from django.db import connections

from config.asgi import feeds
from league.base.acts import tokens
from league.models import ApiToken, Membership
from tables.base import announce, rulesets
from tables.base.fifo_cache import forget_all
from tables.bots.acts import challenges
from tables.chairs.acts import seats
from tables.live import feed_stream
from tables.live import tokens as page_tokens
from tables.models import Seat, Table
from tables.play.acts import games
from tables.play.facts import positions
from tests.factories import make_member, make_user
from tests.league.online.stake_tables import table_of_four
from tests.loops import in_loop, run
from tests.tables import live
from tests.tables.live import HANDS
from tests.tables.streams import Line, Stream, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def player() -> tuple[Any, str]:
    user = make_user()
    return user, tokens.create_token(user=user, name="test")[1]


@pytest.fixture
def table(player) -> Table:
    forget_all()
    made = live.open_table(people=4)
    Seat.objects.filter(table=made, no=1).update(user=player[0], token_hash="")
    live.set_hands(made, HANDS)
    made.refresh_from_db()
    return made


@in_loop
async def test_a_move_of_another_seat_reaches_the_program_with_its_own_cards(table, player):
    async with Line(player[1], f"at/{table.key}/") as line:
        version = await in_thread(lambda: live.act(table, 0, "play", "3S"))
        first, second = line.first, await line.told(version)
    assert (first["now"]["hand"], first["now"]["acts"]) == (HANDS[1], False)
    assert (second["now"]["to_beat"], second["now"]["acts"]) == ("3S", True)
    assert "pass" in second["now"]["legal"]


@in_loop
async def test_the_stream_of_a_closed_table_says_so_and_ends(table, player):
    def close() -> None:
        from django.db import transaction

        with transaction.atomic():
            locked = seats.lock(table.pk)
            seats.close(locked)
            seats.touch(locked)

    async with Line(player[1], f"at/{table.key}/") as line:
        await in_thread(close)
        told = await line.told(table.version + 1)
        assert (told["status"], await line.end()) == ("closed", True)


@in_loop
async def test_a_challenge_reaches_the_account_that_listens(player):
    def ask() -> str:
        challenges.register_bot(user=player[0], name="minh-bot")
        made = seats.open_table(ruleset=live.ruleset.preset("penguin"), players=2)
        seat, _token = seats.sit(table_id=made.pk, no=0, name="Chủ")
        challenges.challenge(table_id=made.pk, seat_id=seat.pk, name="minh-bot")
        return made.key

    async with Line(player[1], "") as line:
        key = await in_thread(ask)
        before, after, key = line.first, await line.told(), key
    assert before == {"tables": [], "challenges": []}
    assert [challenge["key"] for challenge in after["challenges"]] == [key]


def test_a_seat_taken_and_left_elsewhere_reaches_the_account_that_listens(player):
    made = seats.open_table(ruleset=live.ruleset.preset("penguin"), players=2)
    other = seats.open_table(ruleset=live.ruleset.preset("penguin"), players=2)

    def sit() -> int:
        seats.sit(table_id=other.pk, no=0, name="x", user=player[0])
        return seats.sit(table_id=made.pk, no=0, name="x", user=player[0])[0].pk

    async def work() -> list[list[str]]:
        async with Line(player[1], "") as line:
            told = [line.first]
            seat = await in_thread(sit)
            while len(told[-1]["tables"]) < 2:
                told.append(await line.told())
            await in_thread(lambda: seats.leave(seat_id=seat))
            told.append(await line.told())
            return [[one["key"] for one in news["tables"]] for news in told]

    first, *_middle, both, left = run(asyncio.wait_for(work(), 30))
    assert (first, both, left) == ([], [other.key, made.key], [other.key])


@in_loop
async def test_a_revoked_token_cuts_the_line(table, player, monkeypatch):
    monkeypatch.setattr(feed_stream, "HEARTBEAT", 0.05)
    async with Line(player[1], f"at/{table.key}/") as line:
        await in_thread(lambda: tokens.revoke_token(token=ApiToken.objects.get()))
        assert await line.end()


def test_a_program_listens_to_a_clubs_stakes_only_while_its_account_may_watch(monkeypatch):
    monkeypatch.setattr(feed_stream, "HEARTBEAT", 0.05)
    opened, _people = table_of_four()
    club = opened.season.club
    member = make_member(club, "player")
    secret, strangers = (
        tokens.create_token(user=user, name="test")[1] for user in (member, make_user())
    )
    path = f"at/{opened.table.key}/"

    async def work() -> tuple[int, int | None, bool]:
        shut = Line(strangers, path)
        status = (await shut.start())["status"]
        await shut.close()
        async with Line(secret, path) as line:
            await in_thread(Membership.objects.filter(club=club, user=member).delete)
            return status, line.first["seat"], await asyncio.wait_for(line.end(), 30)

    assert run(work()) == (404, None, True)


@in_loop
async def test_one_account_has_so_many_streams_at_once(table, player, monkeypatch):
    monkeypatch.setattr(feed_stream, "MOST", 2)
    lines = [Line(player[1], f"at/{table.key}/") for _ in range(2)]
    statuses = [(await line.start())["status"] for line in lines]
    third = Line(player[1], f"at/{table.key}/")
    statuses.append((await third.start())["status"])
    for line in lines:
        await line.close()
    again = Line(player[1], f"at/{table.key}/")
    statuses.append((await again.start())["status"])
    await again.close()
    assert statuses == [200, 200, 429, 200]


def test_lines_of_a_position_that_is_known_ask_the_database_nothing(table, player, monkeypatch):
    """They are made between two requests, where Django refuses every question."""
    version = live.act(table, 0, "play", "3S")
    table.refresh_from_db()
    watches = make_user()
    monkeypatch.delattr(feed_stream, "read")
    found = made_for(table, announce.name_of(table), player[0], watches)
    assert [line["seat"] for line in found] == [1, None]
    assert [line["now"]["hand"] for line in found] == [HANDS[1], ""]
    assert [line["version"] for line in found] == [version, version]


def test_who_watches_a_clubs_stakes_costs_no_question_at_a_move(monkeypatch):
    opened, _people = table_of_four()
    games.deal_next(table_id=opened.table_id)
    row = positions.rows().get(pk=opened.table_id)
    positions.of(row)
    watching = [make_member(opened.season.club, "player") for _ in range(3)]
    monkeypatch.delattr(feed_stream, "read")
    found = made_for(row, announce.name_of(row), *watching)
    assert [(line["seat"], line["version"]) for line in found] == [(None, row.version)] * 3


def test_all_that_watch_share_a_line_and_no_seat_does(table, player):
    Seat.objects.filter(table=table, no=2).update(user=make_user(), token_hash="")
    other = Seat.objects.get(table=table, no=2).user
    watchers = [make_user() for _ in range(3)]
    made = feed_stream.read(table.key, frozenset([player[0], other, *watchers]))
    assert len({id(line) for line in made.values()}) == 3
    assert len({id(made[user]) for user in watchers}) == 1
    hands = [json.loads(made[user].now())["now"]["hand"] for user in (player[0], other)]
    assert hands == [HANDS[1], HANDS[2]]
    assert not set(" ".join(HANDS).split()) & set(cards_in(made[watchers[0]].now()))


def cards_in(line: bytes) -> list[str]:
    """Every card that a line names."""
    return re.findall(r"\b[3-9TJQKA2][SCDH]\b", line.decode())


def test_what_is_not_what_was_told_is_read_anew(table, player):
    live.act(table, 0, "play", "3S")
    table.refresh_from_db()
    kept = announce.name_of(table)
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    read = table.version + 1
    assert [line["version"] for line in made_for(table, kept, player[0])] == [table.version]
    for told in ("", "made up", kept.replace(":1:", ":2:"), f"{read}:1:"):
        assert [line["version"] for line in made_for(table, told, player[0])] == [read]


def test_rules_that_are_not_in_memory_are_read_in_a_thread(table, player):
    version = live.act(table, 0, "play", "3S")
    table.refresh_from_db()
    rulesets._cached.forget(table.ruleset_id)
    assert [line["version"] for line in made_for(table, announce.name_of(table), player[0])] == [
        version
    ]


def made_for(table: Table, told: str, *users: Any) -> list[dict[str, Any]]:
    """The lines for these accounts after this was told."""
    made = run(feed_stream.render(table.key, "board", told, frozenset(users)))
    return [json.loads(made[user].now()) for user in users]


def test_a_program_that_comes_back_gets_its_cards_as_they_are_now(table, player):
    def move() -> int:
        live.act(table, 0, "play", "3S")
        return live.act(table, 1, "pass")

    other_secret = tokens.create_token(user=make_user(), name="test")[1]

    async def work() -> tuple[int, int]:
        async with Line(other_secret, f"at/{table.key}/") as other_line:
            async with Line(player[1], f"at/{table.key}/"):
                pass
            version = await in_thread(move)
            await other_line.told(version)
            async with Line(player[1], f"at/{table.key}/") as again:
                return version, again.first["version"]

    version, first = run(work())
    assert first == version


@in_loop
async def test_one_connection_listens_for_pages_and_programs(table, player):
    def listening() -> int:
        with connections["default"].cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE query LIKE 'LISTEN %%' AND datname = current_database()"
            )
            return cursor.fetchone()[0]

    async with (
        Line(player[1], f"at/{table.key}/") as line,
        Stream(table, page_tokens.make(table)) as page,
    ):
        version = await in_thread(lambda: live.act(table, 0, "play", "3S"))
        await line.told(version)
        await page.told(version)
        assert await in_thread(listening) == 1


@in_loop
async def test_a_line_that_cannot_be_made_is_answered_in_time(table, player, monkeypatch):
    monkeypatch.setattr(feed_stream, "PATIENCE", 0.05)

    async def wrong(*asked: Any) -> Any:
        raise ValueError

    monkeypatch.setattr(feeds.hub, "_render", wrong)
    line = Line(player[1], f"at/{table.key}/")
    found = await line.start()
    await line.close()
    assert found["status"] == 503


@pytest.mark.parametrize(
    ("secret", "path", "status"),
    [("tl_made-up", "at/{key}/", 401), ("", "at/{key}/", 401), (None, "at/nowhere/", 404)],
)
@in_loop
async def test_what_is_no_stream_of_the_caller_is_refused(table, player, secret, path, status):
    line = Line(player[1] if secret is None else secret, path.format(key=table.key))
    found = await line.start()
    await line.close()
    assert found["status"] == status


@in_loop
async def test_the_stream_has_the_security_headers_of_every_page(table, player):
    line = Line(player[1], f"at/{table.key}/")
    start = await line.start()
    await line.close()
    found = dict(start["headers"])
    assert found[b"content-type"] == b"application/x-ndjson"
    assert found[b"cache-control"] == b"no-store"
    assert b"content-security-policy" in found
    assert b"x-content-type-options" in found
