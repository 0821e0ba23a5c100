"""What the page of a night offers, as values: no browser and no database."""

from __future__ import annotations

import pytest

from league.base.pages import Button
from league.nights.selectors.clock import Clock
from league.nights.selectors.events import GameCount
from league.nights.selectors.night_page import NextStep, NightState, clock_buttons, next_step


def to(name, *more):
    return "/".join(map(str, (name, *more)))


def step(**state):
    return next_step(NightState(**({"here": 8} | state)), to)


def offered(found: NextStep):
    return [(action.text, action.tone, action.value) for action in found.actions]


def test_first_of_all_people_are_checked_in():
    found = step(here=0, draft=1)
    assert found.sentences == ["Nobody is checked in yet."]
    assert found.actions == [Button("Check people in", "check_in", "primary")]


def test_before_its_day_an_organiser_asks_who_comes():
    assert offered(step(here=0, is_ahead=True)) == [
        ("Ask who's coming", "primary", ""),
        ("Check people in", "", ""),
    ]


def test_a_draft_is_looked_at_before_another_is_drawn():
    found = step(rounds=2, draft=2, games=GameCount(1, 8), playing=1)
    assert found.sentences == [
        "Round 2 is a draft: only organisers can see it.",
    ]
    assert found.actions == [Button("Review the draft", "round/2", "primary")]


def test_where_tables_stay_open_nothing_is_drawn_again():
    found = step(rounds=1, is_floor=True, floor_open=True)
    assert found.sentences == [
        "8 players are here.",
        "The tables are open. Enter each game at its table.",
    ]
    assert offered(found) == [
        ("Check people in or out", "", ""),
        ("Add a table", "quiet", "1"),
    ]
    assert offered(step(is_floor=True)) == [("Draw the tables", "primary", "")]


def test_after_the_final_nothing_is_drawn():
    assert step(rounds=3, stage="over").actions == []


@pytest.mark.parametrize(
    ("games", "over", "sentence", "buttons"),
    [
        (None, False, None, [("Draw round 2", "primary", "few_repeats")]),
        (
            GameCount(3, 8),
            False,
            "Round 1: 3 of 8 games entered.",
            [("Draw round 2", "", "few_repeats")],
        ),
        (
            GameCount(8, 8),
            False,
            "Round 1: all games entered.",
            [("Draw round 2", "primary", "few_repeats")],
        ),
        (
            GameCount(8, 8),
            True,
            "All rounds are played.",
            [("Close the night", "primary", "closed"), ("Draw round 2", "", "few_repeats")],
        ),
    ],
)
def test_the_likely_next_step_is_the_button_that_stands_out(games, over, sentence, buttons):
    found = step(rounds=1, playing=1, games=games, rounds_over=over)
    assert found.sentences == ["8 players are here.", *([sentence] if sentence else [])]
    assert offered(found) == [*buttons, ("Draw by standings", "", "swiss")]


def test_the_final_is_drawn_once():
    drawn = step(rounds=3, stage="final")
    assert offered(drawn) == [("Draw the final", "primary", "few_repeats")]
    again = step(rounds=4, stage="final", has_final=True)
    assert [action.text for action in again.actions] == ["Draw round 5", "Draw by standings"]


def test_every_draw_is_posted_to_the_same_address():
    found = step(rounds=1, playing=1, games=GameCount(8, 8), rounds_over=True)
    assert {(a.address, a.posts) for a in found.actions} == {("event_status", True), ("draw", True)}


class Round:
    number = 2


@pytest.mark.parametrize(
    ("clock", "values"),
    [
        (None, []),
        (Clock(60, running=True, last_game=False), ["pause", "add", "last_game"]),
        (Clock(60, running=False, last_game=True), ["resume", "add"]),
    ],
)
def test_the_clock_offers_what_it_can_do_now(clock, values):
    buttons = clock_buttons(clock, Round, to)
    assert [button.value for button in buttons] == values
    assert all(button.address == "round_clock/2" and button.posts for button in buttons)
