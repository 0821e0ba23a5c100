"""The review of a game: who sees what, *try again* before the answer, and a replay for everyone."""

import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tables.base import tokens
from tables.models import Game, Review, Seat, Table
from tables.play.facts import archive
from tables.reviews.acts import making
from tables.web.access import cookie_name
from tests.tables import live
from tests.tables.reviewed import HANDS, judged
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def game() -> Game:
    """A finished game of four guests, each with a browser of his own, and its review."""
    table = live.dealt("tien-len", people=4, hands=HANDS)
    found = live.play_quickly(table)
    for seat in table.seats.all():
        Seat.objects.filter(pk=seat.pk).update(token_hash=tokens.hash_of(f"browser {seat.no}"))
    making.keep(game=found, body=judged(found))
    return found


def browser(game: Game, seat: int | None = None) -> Client:
    client = Client()
    if seat is not None:
        client.cookies[cookie_name(game.table.key)] = f"browser {seat}"
    return client


def page_of(game: Game, seat: int | None = None, **asked: Any) -> str:
    answer = browser(game, seat).get(reverse("tables:replay", args=[game.table.key, 1]), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def try_at(game: Game, seat: int | None, step: int, **sent: Any) -> Any:
    """The answer of *try again* at a step: opened, or with a choice."""
    address = reverse("tables:try_again", args=[game.table.key, 1, step])
    client = browser(game, seat)
    return client.post(address, sent) if sent else client.get(address)


def first_decision(game: Game, seat: int) -> dict[str, Any]:
    body = Review.objects.get(game=game).body or {}
    found: dict[str, Any] = next(one for one in body["decisions"] if one["seat"] == seat)
    return found


def test_a_player_sees_the_own_decisions_the_dearest_first_and_where_it_came_from(game):
    page = page_of(game, 0)
    own = [one for one in Review.objects.get().body["decisions"] if one["seat"] == 0]
    assert page.count('class="decision mistake"') == len(own)
    for text in ("You finished in place", "Turning points", "Where the result came from", "+0.30"):
        assert text in page
    assert 'class="chart chances"' in page


def test_what_an_older_judge_found_is_shown_as_such(game):
    assert "The judge has changed since." not in page_of(game, 0)
    Review.objects.update(version=1)
    assert "The judge has changed since." in page_of(game, 0)
    assert 'class="decision' in page_of(game, 0)


@pytest.mark.parametrize("for_anyone", [False, True])
def test_a_stranger_gets_graph_and_replay_and_no_decision_wherever_it_was(game, for_anyone):
    Table.objects.update(for_anyone=for_anyone)
    page = page_of(game)
    assert 'class="chart chances"' in page
    assert "replay-hands" in page
    for text in ('class="decision', "You finished", "Where the result came from", "/try/"):
        assert text not in page


@pytest.mark.parametrize("name", ["replay", "record", "fair"])
def test_at_a_delayed_table_strangers_see_nothing_of_the_game_until_the_delay_is_over(game, name):
    Table.objects.update(watch_delay=Table.WatchDelay.MINUTE)
    address = reverse(f"tables:{name}", args=[game.table.key, 1])
    assert browser(game).get(address).status_code == 404
    assert browser(game, 0).get(address).status_code == 200
    assert try_at(game, None, 0).status_code == 404
    earlier = game.over_at - datetime.timedelta(seconds=61)
    Game.objects.filter(pk=game.pk).update(over_at=earlier)
    assert browser(game).get(address).status_code == 200


def test_try_again_shows_only_what_the_seat_saw_and_no_answer_before_a_choice(game):
    one = first_decision(game, 1)
    page = try_at(game, 1, one["step"]).content.decode()
    hidden = set(HANDS[2].split()) - set(page_cards(game, one["step"]))
    state_cards = [f'value="{card}"' for card in HANDS[1].split()]
    assert any(card in page for card in state_cards)
    assert not any(f'value="{card}"' in page for card in hidden)
    for text in ("options", "2.00", "Every way to play"):
        assert text not in page


def page_cards(game: Game, before: int) -> list[str]:
    """The cards that were played before a step."""
    actions = archive.record(game)["actions"][:before]
    return [card for action in actions for card in action.get("cards", "").split()]


def test_a_choice_is_told_how_good_it_is(game):
    one = first_decision(game, 1)
    for key, title in (("best", "Right!"), ("played", "Not quite")):
        cards = one[key].get("cards", "").split()
        page = try_at(game, 1, one["step"], do=one[key]["do"], cards=cards).content.decode()
        assert title in page
        assert "Every way to play" in page
    page = try_at(game, 1, one["step"], do="play", cards=["3S", "2H"]).content.decode()
    assert "be played here" in page
    assert "Every way to play" not in page


@pytest.mark.parametrize("cards", [["??"], ["3S"] * 50, ["3S", "3S"]])
def test_a_choice_that_is_no_cards_is_refused_by_a_sentence(game, cards):
    one = first_decision(game, 1)
    page = try_at(game, 1, one["step"], do="play", cards=cards).content.decode()
    assert "be played here" in page


def test_there_is_no_decision_but_the_own(game):
    for step in (9999, first_decision(game, 2)["step"]):
        assert try_at(game, 1, step).status_code == 404
    assert try_at(game, None, first_decision(game, 2)["step"]).status_code == 404


def test_a_game_that_is_being_judged_can_be_replayed_meanwhile(game):
    Review.objects.all().delete()
    page = page_of(game, 0)
    assert "Being judged" in page
    assert "replay-hands" in page
    answer = browser(game, 0).get(reverse("tables:replay", args=[game.table.key, 1]), {"lines": 1})
    assert (answer.status_code, answer.content) == (204, b"")  # Else no HTTP server can send it.


def test_a_game_that_is_not_judged_says_why(game):
    making.keep(game=game, why="instant")
    assert "An instant win decided this game." in page_of(game, 0)
    assert "An instant win decided this game." in page_of(game, 0, lines=1)


def test_below_a_result_three_lines_say_what_was_found(game):
    page = page_of(game, 0, lines=1)
    assert page.count("<p>") == 3
    assert "Your hand promised place 2.5" in page
    assert "<p>" not in page_of(game, lines=1)  # A stranger gets none.


def test_a_player_for_whom_the_autopilot_played_reads_of_no_decisions(game):
    review = Review.objects.get(game=game)
    review.body["decisions"] = [one for one in review.body["decisions"] if one["seat"] != 0]
    review.save()
    assert "Your hand promised place 2.5" in page_of(game, 0, lines=1)
    assert "decisions without a mistake" not in page_of(game, 0, lines=1) + page_of(game, 0)
    assert "What was played for you" in page_of(game, 0)
    assert "Your decisions" in page_of(game, 1)


def test_a_step_is_the_board_alone(game):
    address = reverse("tables:replay", args=[game.table.key, 1])
    headers = {"HX-Request": "true", "HX-Target": "board"}
    part = browser(game, 0).get(address, {"step": 3}, headers=headers).content.decode()
    assert part.lstrip().startswith('<div id="board"')
    assert "Your 1" not in part


def test_a_review_takes_a_fixed_number_of_queries(game, django_assert_max_num_queries):
    page_of(game, 0)
    with django_assert_max_num_queries(16):
        page_of(game, 0, step=5)
