"""What the judge found in a game: who may read it, and when."""

import datetime
from copy import deepcopy
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from engine.bots import judge
from tables import tasks
from tables.base import tokens
from tables.models import Arrangement, Game, Review, Seat, SharedDeals, Table
from tables.reviews.acts import making
from tables.reviews.facts import reviews
from tables.web.access import cookie_name
from tests.factories import browser_of, make_user
from tests.tables import live
from tests.tables.reviewed import no_searches

pytestmark = pytest.mark.django_db


def decision(step: int, seat: int) -> dict[str, Any]:
    move = {"seat": seat, "do": "pass"}
    found = {"step": step, "seat": seat, "legal": 2, "played": move, "best": move, "top": []}
    return found | {
        "q": 2.0,
        "q_played": 1.5,
        "loss": 0.5,
        "money": None,
        "word": "mistake",
        "s": 0.1,
    }


BODY = {
    "judge": "nets 1",
    "values": [[1.5, 1.5, 1.5, 1.5], [3.0, 2.0, 1.0, 0.0]],
    "decisions": [decision(0, 0), decision(1, 1), decision(2, 2), decision(4, 0)],
    "terms": [[0.0, 0.1, 0.2, 0.3], [0.0, 0.0, 0.0, 0.0], [0.1, 0.1, 0.1, 0.1], None],
    "model_error": 0.25,
}


@pytest.fixture
def game() -> Game:
    """A finished game of three guests and a bot, with its review."""
    table = live.dealt("tien-len", people=3, hands=live.HANDS)
    found = live.play_quickly(table)
    for seat in table.seats.filter(bot=""):
        Seat.objects.filter(pk=seat.pk).update(token_hash=tokens.hash_of(f"browser {seat.no}"))
    making.keep(game=found, body=BODY)
    return found


def test_players_read_their_own_decisions_and_strangers_none(game):
    mine = reviews.seen_review(game, token="browser 0")
    assert mine is not None
    assert [one["step"] for one in mine["decisions"]] == [0, 4]
    assert mine["terms"] == [[0.0, 0.1, 0.2, 0.3], None, None, None]
    assert mine["values"] == BODY["values"]  # The replay shows all hands as well.
    stranger = reviews.seen_review(game, token="another browser")
    assert stranger is not None
    assert (stranger["decisions"], stranger["seats"]) == ([], [])


def test_players_who_have_left_still_read_their_own(game):
    Seat.objects.filter(no=1).update(left_at=timezone.now())
    assert reviews.seat_held(game, token="browser 1") == 1


def test_at_tables_for_anyone_everybody_reads_all(game):
    Table.objects.update(for_anyone=True)
    game.table.refresh_from_db()
    found = reviews.seen_review(game)
    assert found is not None
    assert found["decisions"] == BODY["decisions"]


def test_a_delayed_table_tells_spectators_late_and_players_at_once(game):
    Table.objects.update(watch_delay=Table.WatchDelay.MINUTE)
    game.table.refresh_from_db()
    assert reviews.seen_review(game) is None
    assert reviews.seen_review(game, token="browser 0") is not None
    game.over_at -= datetime.timedelta(seconds=61)
    assert reviews.seen_review(game) is not None


def test_a_running_game_has_no_review_for_anybody():
    table = live.dealt("tien-len", people=4)
    seat = table.seats.get(no=0)
    Seat.objects.filter(pk=seat.pk).update(token_hash=tokens.hash_of("browser"))
    assert reviews.seen_review(live.current(table), token="browser") is None


def test_what_an_older_judge_found_stays_until_the_present_one_has_looked(game, monkeypatch):
    sent = []
    monkeypatch.setattr(tasks.review_game, "apply_async", lambda args, **more: sent.append(args))
    Review.objects.update(version=1)
    making.ask(game=game)
    assert reviews.review_of(game).body == BODY
    assert sent == [(game.pk, True)]
    making.keep(game=game, why="rules")
    Review.objects.update(version=1)  # Of what was not judged, nothing stays.
    assert reviews.review_of(game).state == Review.State.WAITING


LITTLE = judge.Thoroughness(first=2, more=4, chances=1, deals=2)
real_review = judge.review


@pytest.fixture
def worker(monkeypatch):
    """A worker whose judge finds the same in every game without a search; nothing rests."""
    monkeypatch.setattr(making, "EFFORT", LITTLE)
    monkeypatch.setattr(making, "is_ready", lambda: True)
    monkeypatch.setattr(judge, "why_not", lambda started, actions: "")
    monkeypatch.setattr(judge, "review", lambda *given: deepcopy(BODY))
    cache.delete(making.REST)
    yield
    cache.clear()


def finished(people: int = 2) -> Game:
    table = live.dealt("mien-nam", people=people, cards_each={"4": 4}, instant_wins=[])
    return live.play_quickly(table)


def test_a_worker_reviews_the_seats_of_people_and_another_agrees_to_the_digit(worker, monkeypatch):
    """Both search a little, by rules with few cards; twice is once."""
    monkeypatch.setattr(judge, "review", real_review)
    game = finished()
    assert making.make_next(game.pk)
    first = reviews.review_of(game)
    assert first.state == Review.State.MADE
    body = first.body
    assert [own is None for own in body["terms"]] == [False, False, True, True]
    assert {one["seat"] for one in body["decisions"]} <= {0, 1}
    assert len(body["values"]) == game.actions.count() + 1
    for seat, own in enumerate(body["terms"][:2]):
        assert sum(own) == pytest.approx(body["values"][-1][seat] - 1.5, abs=1e-9)
    assert making.make(game.pk)
    assert reviews.review_of(game).made_at == first.made_at
    Review.objects.all().delete()
    making.make(game.pk)
    assert reviews.review_of(game).body == body


def test_the_newest_game_comes_first_and_the_forgotten_are_found(worker):
    older, newer = finished(), finished()
    assert making.make_next()  # No message came.
    assert reviews.review_of(newer).state == Review.State.MADE
    assert reviews.review_of(older).state == Review.State.WAITING
    cache.delete(making.REST)
    assert making.make_next()
    assert reviews.review_of(older).state == Review.State.MADE
    cache.delete(making.REST)
    assert not making.make_next()


def test_reviews_take_a_fifth_of_a_processor(worker, monkeypatch):
    """The work of each is followed by four times as long a rest; who asks does not wait for it."""
    rests = []
    monkeypatch.setattr(cache, "set", lambda key, value, seconds: rests.append((key, seconds)))
    seconds = iter((10.0, 11.5))
    monkeypatch.setattr(making.time, "process_time", lambda: next(seconds))
    assert making.make_next(finished().pk)
    assert rests == [(making.REST, 8)]  # 1.5 seconds are a fifth of 7.5.
    other = finished()
    assert not making.make_next(other.pk)  # It rests: the key of the work is still there.
    tasks.review_game(other.pk, asked=True)
    assert reviews.review_of(other).state == Review.State.MADE


@pytest.mark.parametrize(("people", "why"), [(1, "rules"), (0, "bots")])
def test_what_is_not_judged_says_why(people, why):
    game = live.play_quickly(live.dealt("penguin", people=1))
    Seat.objects.filter(pk__in=game.holders[people:], bot="").update(bot="greedy", token_hash="")
    assert making.make(game.pk)
    assert reviews.review_of(game).why == why
    assert reviews.WHY[why]


def test_a_game_that_cannot_be_judged_does_not_stop_the_others(worker, monkeypatch):
    def fails(*given: Any) -> None:
        raise ZeroDivisionError

    game = finished()
    monkeypatch.setattr(judge, "review", fails)
    with pytest.raises(ZeroDivisionError):
        making.make(game.pk)
    assert reviews.review_of(game).why == "failed"


def test_without_the_compiled_core_a_review_waits(worker, monkeypatch):
    monkeypatch.setattr(making, "is_ready", lambda: False)
    game = finished()
    assert not making.make_next(game.pk)
    assert reviews.review_of(game).state == Review.State.WAITING


def test_a_running_game_is_reviewed_by_nobody(worker):
    table = live.dealt("mien-nam", people=4)
    assert not making.make(live.current(table).pk)
    assert not making.make_next(live.current(table).pk)
    assert not Review.objects.exists()


def test_the_end_of_a_game_sends_its_review_to_the_workers(
    worker, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(tasks.review_game, "apply_async", lambda args, **more: sent.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        game = finished()
    assert sent == [(game.pk, False)]
    assert settings.CELERY_TASK_ROUTES["tables.review_game"] == {"queue": "slow"}
    making.ask(game=game)
    making.ask(game=game)  # One question at a time.
    assert sent == [(game.pk, False), (game.pk, True)]


def signed_in(email: str) -> Client:
    return browser_of(make_user(email))


def address(game: Game) -> str:
    return reverse("play:review", args=[game.table.key, game.no])


def test_a_request_never_searches(game, monkeypatch):
    """Whoever looks at a review that is not made has it sent to the workers, that is all.

    Four strangers step through the replay too.
    """

    no_searches(monkeypatch)
    sent = []
    monkeypatch.setattr(tasks.review_game, "apply_async", lambda args, **more: sent.append(args))
    Review.objects.all().delete()
    client, strangers = signed_in("reader@club.example"), [Client() for _ in range(4)]
    for _ in range(3):
        assert client.get(address(game)).json()["state"] == "waiting"
        for stranger in (client, *strangers):
            page = stranger.get(
                reverse("tables:replay", args=[game.table.key, game.no]), {"step": 3}
            )
            assert page.status_code == 200
    assert sent == [(game.pk, True)]


def test_programs_read_a_players_own_decisions(game):
    client = signed_in("player@club.example")
    user = User.objects.get(email="player@club.example")
    Seat.objects.filter(pk=game.holders[2]).update(user=user, token_hash="")
    found = client.get(address(game)).json()
    assert found["seats"] == [2]
    assert [one["step"] for one in found["decisions"]] == [2]
    assert found["terms"][2] == BODY["terms"][2]
    stranger = signed_in("stranger@club.example").get(address(game)).json()
    assert (stranger["decisions"], stranger["terms"]) == ([], [None] * 4)


def test_programs_read_nothing_of_running_and_delayed_games(game):
    client = signed_in("stranger@club.example")
    Table.objects.update(watch_delay=Table.WatchDelay.MINUTE)
    assert client.get(address(game)).status_code == 404
    Table.objects.update(watch_delay=0)
    assert client.get(address(game)).status_code == 200
    table = live.dealt("tien-len", people=4)
    assert client.get(address(live.current(table))).status_code == 404
    assert Client().get(address(game)).status_code in (401, 403)


def test_nobody_reads_of_cards_that_other_tables_still_play(game):
    shared = SharedDeals.objects.create(key="shared", secret="0" * 64)
    Arrangement.objects.create(table=game.table, shared=shared)
    game = Game.objects.select_related("table").get(pk=game.pk)
    assert reviews.seen_review(game, token="browser 0") is None
    browser, replay = Client(), reverse("tables:replay", args=[game.table.key, 1])
    assert browser.get(replay).status_code == 404  # That a game is over, strangers hear later.
    browser.cookies[cookie_name(game.table.key)] = "browser 0"
    page = browser.get(replay).content.decode()
    assert "Others still play these cards." in page
    assert not any(card in page for card in ("replay-hands", "components/hand", 'class="mini'))
    for name, more in (("record", []), ("fair", []), ("try_again", [0])):
        shut = reverse(f"tables:{name}", args=[game.table.key, 1, *more])
        assert browser.get(shut).status_code == 404
    assert browser.get(replay, {"lines": 1}).status_code == 404
    SharedDeals.objects.update(told=1)
    game = Game.objects.select_related("table").get(pk=game.pk)
    assert reviews.seen_review(game, token="browser 0") is not None
