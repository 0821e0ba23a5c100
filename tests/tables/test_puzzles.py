"""Puzzles: without names and without the answer, rated, with a streak; mistakes come again."""

import datetime
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.bots.puzzles import makes_a_puzzle
from engine.rules.actions import action_from_json
from tables.models import Attempt, Game, Puzzle, Review, Seat, Solver
from tables.play.facts import archive
from tables.reviews.acts import puzzles as acts
from tables.reviews.facts import puzzles
from tables.reviews.pages.asked import asked_at
from tests.factories import browser_of, make_user, stored
from tests.tables import live
from tests.tables.reviewed import HANDS, judged
from tests.tables.test_review_pages import first_decision
from tests.worlds import lived_from, made_once

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 08:00Z")
TODAY = datetime.date(2026, 11, 20)
"""Of every clock then, but for those ten hours behind Greenwich."""
DAY = datetime.timedelta(days=1)


@made_once
def game() -> Game:
    """A finished game; the account sat in its first seat."""
    table = live.dealt("tien-len", people=4, hands=HANDS)
    Seat.objects.filter(table=table, no=0).update(token_hash="", user=make_user())
    found = live.play_quickly(table)
    body = judged(found)
    Review.objects.create(
        game=found, judge="nets", version=1, state="made", made_at=timezone.now(), body=body
    )
    return found


@pytest.fixture
def user(game: Game) -> Any:
    return Seat.objects.select_related("user").get(table=game.table, no=0).user


@pytest.fixture
def puzzle(game: Game) -> Puzzle:
    """The puzzle of today: the first decision of another seat."""
    one = first_decision(game, 1)
    return Puzzle.objects.create(
        game=game, step=one["step"], decision=one, state="ready", day=TODAY
    )


def sent(decision: dict[str, Any], key: str) -> dict[str, Any]:
    return {"do": decision[key]["do"], "cards": decision[key].get("cards", "").split()}


def test_a_puzzle_names_nobody_and_hides_the_answer_until_something_is_chosen(puzzle):
    page = Client().get(reverse("tables:puzzle_today")).content.decode()
    for no in range(4):
        assert f"Guest {no}" not in page
    assert "Opposite" in page
    assert "Every way to play" not in page
    answer = Client().post(
        reverse("tables:puzzle", args=[puzzle.pk]), sent(puzzle.decision, "best")
    )
    assert "Right!" in answer.content.decode()
    assert "Every way to play" in answer.content.decode()
    assert not Attempt.objects.exists()  # A stranger's choice is not kept.


def test_the_lobby_shows_the_hand_of_today_s_puzzle_and_nothing_else_of_it(puzzle):
    lobby = reverse("tables:lobby")
    shown = Client().get(lobby)
    asked = asked_at(archive.record(puzzle.game), puzzle.step, nameless=True)
    assert shown.context["puzzle"] == asked.hand != []
    assert not re.search("Opposite|Guest [0-3]", shown.content.decode())
    Puzzle.objects.update(day=TODAY + DAY)
    assert Client().get(lobby).context["puzzle"] == []


def test_the_first_choice_counts_and_rates_and_the_page_remembers_it(puzzle, user):
    client, address = browser_of(user), reverse("tables:puzzle_today")
    client.post(address, sent(puzzle.decision, "played"))
    client.post(address, sent(puzzle.decision, "best"))
    attempt = Attempt.objects.get()
    assert (attempt.right, attempt.stage) == (False, 0)
    assert Solver.objects.get(user=user).mu < 25 < stored(puzzle).mu
    page = client.get(address).content.decode()
    assert "Not quite" in page
    assert "1 person tried it, 0% were right." in page


@pytest.mark.parametrize("cards", [[], ["2H"], ["??"], ["3S"] * 60])
def test_what_cannot_be_played_is_refused_by_a_sentence(puzzle, cards):
    page = Client().post(reverse("tables:puzzle_today"), {"do": "play", "cards": cards})
    assert "be played here" in page.content.decode()


def test_a_puzzle_of_tomorrow_is_not_there_yet(puzzle):
    Puzzle.objects.update(day=TODAY + DAY)
    assert Client().get(reverse("tables:puzzle", args=[puzzle.pk])).status_code == 404
    page = Client().get(reverse("tables:puzzle_today")).content.decode()
    assert ("No puzzle yet" in page, "Play now" in page) == (True, True)


def test_a_puzzle_is_its_readers_from_the_first_minute_of_their_day_to_the_last(
    puzzle, user, time_machine
):
    """In Vietnam the 21st is from 17:00 to 17:00 by the server's clock."""
    client = browser_of(user)
    client.cookies["zone"] = "Asia/Ho_Chi_Minh"
    Puzzle.objects.update(day=TODAY + DAY)
    address = reverse("tables:puzzle_today")
    time_machine.move_to("2026-11-20 16:59Z")
    assert "No puzzle yet" in client.get(address).content.decode()
    for moment, streak in (("2026-11-20 17:01Z", 1), ("2026-11-21 16:59Z", 1)):
        time_machine.move_to(moment)
        Attempt.objects.all().delete()
        client.post(address, sent(puzzle.decision, "best"))
        assert Attempt.objects.get().on == TODAY + DAY
        assert puzzles.streak_of(user, TODAY + DAY) == streak
    assert Client().get(reverse("tables:puzzle", args=[puzzle.pk])).status_code == 200


def test_a_link_to_a_puzzle_opens_where_its_day_has_not_begun(puzzle, time_machine):
    Puzzle.objects.update(day=TODAY + DAY)
    one, picture = (
        reverse("tables:puzzle", args=[puzzle.pk]),
        reverse("puzzle_picture", args=[puzzle.pk, "square"]),
    )
    for moment, status in (("2026-11-20 09:59Z", 404), ("2026-11-20 10:01Z", 200)):
        time_machine.move_to(moment)
        assert Client().get(one).status_code == Client().get(picture).status_code == status


def test_a_picture_of_it_shows_the_hand(puzzle):
    answer = Client().get(reverse("puzzle_picture", args=[puzzle.pk, "square"]))
    assert answer["Content-Type"] == "image/png"
    assert Client().get(reverse("puzzle_picture", args=[puzzle.pk, "x"])).status_code == 404


def test_a_streak_is_of_days_solved_on_their_day(game, user):
    today = TODAY
    decisions = (Review.objects.get(game=game).body or {})["decisions"]
    for ago, right in enumerate((True, True, False, True)):
        one, day = decisions[ago], today - ago * DAY
        Puzzle.objects.create(game=game, step=one["step"], decision=one, state="ready", day=day)
        Attempt.objects.create(
            user=user, game=game, step=one["step"], chosen="pass", right=right, on=day
        )
    assert puzzles.streak_of(user, today) == 2
    assert [right for _day, right in puzzles.week_of(user, today)][-4:] == [True, False, True, True]


def test_own_mistakes_come_at_once_and_again_after_3_10_and_30_days(game, user):
    today, one = TODAY, first_decision(game, 0)
    assert puzzles.mistakes_of(user, today)[0].decision["step"] == one["step"]
    browser_of(user).post(
        reverse("tables:try_again", args=[game.table.key, 1, one["step"]]), sent(one, "best")
    )
    best = action_from_json(one["best"])
    days = []
    for _ in range(4):
        attempt = Attempt.objects.get()
        if attempt.due is None:
            break
        days.append((attempt.due - today).days)
        steps = [own.decision["step"] for own in puzzles.mistakes_of(user, attempt.due - DAY)]
        assert one["step"] not in steps
        today = attempt.due
        steps = [own.decision["step"] for own in puzzles.mistakes_of(user, today)]
        assert one["step"] in steps
        for _twice in range(2):  # A second answer on one day changes nothing.
            acts.attempt(
                user=user, game_id=game.pk, step=one["step"], chosen=best, right=True, today=today
            )
    assert days == [3, 10, 30]
    assert Attempt.objects.get().due is None


def test_a_mistake_comes_again_however_many_games_were_played_since(game, user, monkeypatch):
    one, chosen = first_decision(game, 0), action_from_json(first_decision(game, 0)["played"])
    what = {"user": user, "game_id": game.pk, "step": one["step"], "chosen": chosen}
    attempt = acts.attempt(**what, right=False, today=TODAY)
    monkeypatch.setattr(puzzles, "GAMES_LOOKED_AT", 0)
    assert puzzles.mistakes_of(user, attempt.due - DAY) == []
    [again] = puzzles.mistakes_of(user, attempt.due)
    assert (again.game, again.decision["step"]) == (game, one["step"])


def test_a_mistake_made_again_begins_anew(game, user):
    one, today = first_decision(game, 0), TODAY
    played = action_from_json(one["played"])
    what = {"user": user, "game_id": game.pk, "step": one["step"], "chosen": played}
    acts.attempt(**what, right=True, today=today)
    acts.attempt(**what, right=True, today=today + 3 * DAY)
    again = acts.attempt(**what, right=False, today=today + 13 * DAY)
    assert (again.stage, again.due) == (0, today + 16 * DAY)


@pytest.mark.parametrize(
    ("changed", "fits"),
    [
        ({}, True),
        ({"legal": 1}, False),
        ({"s": 0.2}, False),
        ({"top": [[{}, 2.0], [{}, 1.6]]}, False),
    ],
)
def test_one_move_must_surely_be_better_than_all_others(game, changed, fits):
    assert makes_a_puzzle(first_decision(game, 0) | changed) == fits


def test_the_page_of_a_puzzle_takes_a_fixed_number_of_queries(
    puzzle, user, django_assert_max_num_queries
):
    client = browser_of(user)
    client.get(reverse("tables:puzzle_today"))
    with django_assert_max_num_queries(20):
        client.get(reverse("tables:puzzle_today"))
