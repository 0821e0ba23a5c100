"""What the judge found in a game: who may read it, and when."""

import datetime
from typing import Any

import pytest
from django.utils import timezone

from tables.base import tokens
from tables.models import Game, Review, Seat, Table
from tables.reviews.acts import making
from tables.reviews.facts import reviews
from tests.tables import live

pytestmark = pytest.mark.django_db


def decision(step: int, seat: int) -> dict[str, Any]:
    return {"step": step, "seat": seat, "loss": 0.5}


BODY = {
    "judge": "nets",
    "values": [[1.5, 1.5, 1.5, 1.5], [3.0, 2.0, 1.0, 0.0]],
    "decisions": [decision(0, 0), decision(1, 1), decision(2, 2), decision(4, 0)],
    "terms": [[0.0, 0.1, 0.2, 0.3], [0.0, 0.0, 0.0, 0.0], [0.1, 0.1, 0.1, 0.1], None],
    "model_error": 0.25,
}


@pytest.fixture
def game() -> Game:
    """A finished game of three guests and a bot, with its review."""
    table = live.open_table("tien-len", people=3)
    live.set_hands(table, live.HANDS)
    found = live.play_quickly(table)
    for seat in table.seats.filter(bot=""):
        Seat.objects.filter(pk=seat.pk).update(token_hash=tokens.hash_of(f"browser {seat.no}"))
    making.keep(game=found, body=BODY)
    return found


def test_players_read_their_own_decisions_and_strangers_none(game):
    mine = reviews.seen_review(game, token="browser 0")
    assert mine is not None
    assert [one["step"] for one in mine.decisions] == [0, 4]
    assert mine.terms == [[0.0, 0.1, 0.2, 0.3], None, None, None]
    assert mine.values == BODY["values"]  # The replay shows all hands as well.
    stranger = reviews.seen_review(game, token="another browser")
    assert stranger is not None
    assert (stranger.decisions, stranger.seats) == ([], [])
    assert reviews.decisions_for(game, None) == []
    assert [one["seat"] for one in reviews.decisions_for(game, 2)] == [2]


def test_players_who_have_left_still_read_their_own(game):
    Seat.objects.filter(no=1).update(left_at=timezone.now())
    assert reviews.seat_held(game, token="browser 1") == 1


def test_at_tables_for_anyone_everybody_reads_all(game):
    Table.objects.update(for_anyone=True)
    game.table.refresh_from_db()
    found = reviews.seen_review(game)
    assert found is not None
    assert found.decisions == BODY["decisions"]


def test_a_delayed_table_tells_spectators_late_and_players_at_once(game):
    Table.objects.update(watch_delay=Table.WatchDelay.MINUTE)
    game.table.refresh_from_db()
    assert reviews.seen_review(game) is None
    assert reviews.seen_review(game, token="browser 0") is not None
    game.over_at -= datetime.timedelta(seconds=61)
    assert reviews.seen_review(game) is not None


def test_a_running_game_has_no_review_for_anybody():
    table = live.open_table("tien-len", people=4)
    live.deal(table)
    seat = table.seats.get(no=0)
    Seat.objects.filter(pk=seat.pk).update(token_hash=tokens.hash_of("browser"))
    assert reviews.seen_review(live.current(table), token="browser") is None


def test_a_review_by_another_version_of_the_judge_is_made_again(game):
    Review.objects.update(version=0)
    assert reviews.review_of(game).state == Review.State.WAITING
    making.keep(game=game, why="rules")
    assert reviews.review_of(game).why == "rules"
