"""What the page of a night offers, as values: no browser and no database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from league.base.page_parts import Badge, Button
from league.nights.facts.clock import Clock
from league.nights.facts.events import GameCount, Gap
from league.nights.facts.progress import Progress
from league.nights.pages.needs import Need, lacking
from league.nights.pages.next_step import NextStep, next_step, other_draws
from league.nights.pages.night_page import clock_buttons


def to(name, *more):
    return "/".join(map(str, (name, *more)))


def step(**state):
    return next_step(Progress(**({"here": 8} | state)), to)


def offered(found: NextStep):
    return [(action.text, action.tone, action.value) for action in found.actions]


CODE = ("QR code", "primary", "show")
LAST_TABLE = ("Enter game 4 at table 1", "primary", "")


def test_first_of_all_people_are_checked_in():
    found = step(here=0, draft=1)
    assert found.title == "Nobody is checked in yet"
    assert found.actions == [Button("Check people in", "check_in", "primary")]


def test_before_its_day_an_organiser_asks_who_comes():
    assert offered(step(here=0, is_ahead=True)) == [("Ask who's coming", "primary", "")]
    assert offered(step(here=0)) == [("Check people in", "primary", "")]


def test_a_draft_is_looked_at_before_another_is_drawn():
    found = step(rounds=2, draft=2, games=GameCount(1, 8), playing=1)
    assert (found.title, found.sentences) == ("Round 2 is a draft", ["Only organisers can see it."])
    assert found.actions == [Button("Review the draft", "round/2", "primary")]


def test_where_tables_stay_open_nothing_is_drawn_again():
    found = step(rounds=1, has_queue=True, queue_open=True)
    assert (found.title, found.sentences) == (
        "The tables are open",
        ["Enter each game at its table."],
    )
    assert offered(found) == [
        CODE,
        ("Check people in or out", "", ""),
        ("Add a table", "quiet", "1"),
    ]
    assert offered(step(has_queue=True)) == [("Draw the tables", "primary", "")]


def test_after_the_final_nothing_is_drawn():
    assert step(rounds=3, stage="over").actions == []


@pytest.mark.parametrize(
    ("games", "over", "title", "buttons"),
    [
        (None, False, "Draw the next round?", ["Draw round 2", "Draw by standings"]),
        (
            GameCount(8, 8),
            False,
            "Round 1 is done: all 8 games",
            ["Draw round 2", "Draw by standings"],
        ),
        (
            GameCount(8, 8),
            True,
            "All rounds are played. Close the night?",
            ["Close the night", "Big screen"],
        ),
    ],
)
def test_the_likely_next_step_is_the_button_that_stands_out(games, over, title, buttons):
    found = step(rounds=1, playing=1, games=games, rounds_over=over)
    assert found.title == title
    assert [action.text for action in found.actions] == buttons
    assert [action.tone for action in found.actions] == ["primary", ""]


def test_between_two_rounds_the_tables_of_the_next_one_are_told():
    found = step(here=11, sizes=(4, 4, 3), rounds=1, playing=1, games=GameCount(8, 8))
    assert found.sentences == ["11 players: 2 tables of 4, 1 table of 3."]


@pytest.mark.parametrize(
    ("found", "title", "sentences", "early"),
    [
        (
            {"games": GameCount(7, 20), "missing": (Gap(2, 3, 0, 4), Gap(2, 4, 3, 4))},
            "Round 2 is being played: 7 of 20 games",
            ["Table 3 has no game yet."],
            "5 games are missing: table 3 lacks 4; table 4 lacks 1",
        ),
        (
            {"games": GameCount(0, 8), "missing": (Gap(2, 1, 0, 4), Gap(2, 2, 0, 4))},
            "Round 2 is being played: 0 of 8 games",
            [],
            "8 games are missing: tables 1, 2 lack 4 each",
        ),
        (
            {"games": GameCount(7, 8), "missing": (Gap(1, 2, 3, 4), Gap(2, 1, 3, 4))},
            "Round 2 is being played: 7 of 8 games",
            ["Games are missing: round 1, table 2."],
            "1 game is missing: table 1 lacks 1",
        ),
        (
            {
                "games": GameCount(7, 8),
                "missing": (Gap(1, 2, 3, 4), Gap(1, 5, 3, 4), Gap(2, 1, 3, 4)),
            },
            "Round 2 is being played: 7 of 8 games",
            ["Games are missing: round 1, tables 2, 5."],
            "1 game is missing: table 1 lacks 1",
        ),
        (
            {"missing": (Gap(2, 1, 0, None), Gap(2, 3, 0, None))},
            "Round 2 is being played",
            ["Tables 1, 3 have no game yet."],
            "",
        ),
        ({"time_left": True}, "Round 2 is being played", [], ""),
    ],
)
def test_while_a_round_is_played_the_players_code_comes_first(found, title, sentences, early):
    """To draw early is a quiet way that names every missing game, which is said once."""
    now = step(rounds=2, playing=2, **found)
    assert now.title == title
    assert CODE[::2] in [(text, value) for text, _tone, value in offered(now)]
    assert [(action.text, action.tone) for action in now.early] == [
        ("Draw round 3", "quiet"),
        ("Draw by standings", "quiet"),
    ]
    assert now.early_note == early
    nothing_yet = "games" in found and not found["games"].done
    assert now.below == ([] if nothing_yet else now.early[:1])
    running = step(rounds=2, playing=2, clock_runs=True, **found)
    assert (running.below, running.sentences) == ([], sentences)
    named = bool(now.below and early)
    assert now.sentences == [one for one in sentences if not (named and "no game yet" in one)]
    assert [row.text for row in other_draws(running)] == ["Draw round 3", "Draw by standings"]


@pytest.mark.parametrize(
    ("games", "missing", "first"),
    [
        (GameCount(7, 8), (Gap(2, 1, 3, 4),), LAST_TABLE),
        (GameCount(7, 8), (Gap(2, 1, 3, 4), Gap(1, 2, 3, 4)), LAST_TABLE),
        (GameCount(6, 8), (Gap(2, 1, 3, 4), Gap(2, 2, 3, 4)), CODE),
        (GameCount(3, 4), (Gap(2, 1, 3, 4),), CODE),  # The round has no other table.
        (None, (Gap(2, 1, 0, None),), CODE),
    ],
)
def test_the_one_table_that_the_others_wait_for_comes_before_the_code(games, missing, first):
    now = step(rounds=2, playing=2, games=games, missing=missing)
    assert offered(now)[0] == first
    assert now.actions[0].address == ("check_in_link" if first == CODE else "table/2/1")
    assert offered(now)[1:] == ([] if first == CODE else [("QR code", "", "show")])


@pytest.mark.parametrize("stage", ["group", "final", "table"])
def test_a_cup_is_drawn_early_from_the_menu_alone(stage):
    """Its missing games decide who goes on, so that no button beside them leaves them out."""
    found = {"games": GameCount(5, 6), "missing": (Gap(1, 2, 2, 3),), "final_ahead": True}
    now = step(rounds=1, playing=1, stage=stage, **found)
    assert now.below == []
    assert [row.text for row in other_draws(now)] == ["Draw the final"]
    assert step(rounds=1, playing=1, **found).below == now.early


def test_a_conflict_comes_before_the_code():
    need = Need(Badge("disputed"), "Round 2, table 4, game 1", "game/4", offer="I look", table=4)
    state = Progress(here=8, rounds=2, playing=2, time_left=True)
    now = next_step(state, to, [need])
    assert now.title == "Round 2, table 4, game 1: disputed"
    assert now.sentences == ["Round 2 is being played."]
    gaps = {"games": GameCount(7, 20), "missing": (Gap(2, 3, 0, 4), Gap(2, 4, 3, 4))}
    counted = next_step(replace(state, **gaps, time_is_up=True), to, [need])
    assert counted.sentences == ["Table 3 has no game yet."], "the bar counts the games"
    assert (counted.below, counted.left_out) == ([], ""), "to draw is no answer to a conflict"
    assert [row.text for row in other_draws(counted)] == ["Draw round 3", "Draw by standings"]
    cup = next_step(replace(state, **gaps, stage="table", final_ahead=True), to, [need])
    assert cup.sentences[0] == "Round 2 is being played: 7 of 20 games.", "no bar counts its games"
    assert [(action.text, action.tone) for action in now.actions] == [
        ("View table 4", "primary"),
        ("QR code", ""),
    ]
    taken_on = next_step(state, to, [replace(need, offer="")])
    assert offered(taken_on) == [CODE]
    assert taken_on.title == "Round 2 is being played"
    assert taken_on.sentences == ["Round 2, table 4, game 1: disputed."]


def test_a_table_left_behind_is_what_is_next():
    """Every game of round 3 is in, one of round 2 is not: not all rounds are played."""
    behind = Gap(2, 2, 1, 2)
    now = step(rounds=3, playing=3, games=GameCount(6, 6), missing=(behind,))
    assert now.title == "Round 3 is done: all 6 games"
    assert now.sentences == ["Games are missing: round 2, table 2."]
    assert now.actions[0] == Button("Enter games of round 2, table 2", "table/2/2", "primary")
    assert {action.tone for action in [*now.actions[1:], *now.early]} == {"", "quiet"}


@pytest.mark.parametrize(
    ("games", "missing", "named"),
    [
        (GameCount(6, 6), (Gap(2, 2, 1, 2),), ["Round 2, table 2"]),
        (GameCount(4, 6), (Gap(3, 1, 0, 2),), ["Table 1"]),
        (GameCount(5, 6), (Gap(3, 1, 1, 2),), []),
        (GameCount(3, 6), (Gap(3, 1, 0, 2), Gap(3, 2, 1, 2)), []),
        (None, (Gap(1, 4, 0, None), Gap(3, 2, 0, None)), ["Round 1, table 4"]),
    ],
)
def test_tables_that_lag_behind_are_on_the_list_of_what_needs_attention(games, missing, named):
    state = Progress(here=8, rounds=3, playing=3, games=games, missing=missing)
    assert [need.text for need in lacking(state, to)] == named


def test_the_final_is_being_played_before_it_decides():
    on = step(rounds=3, playing=3, stage="over", games=GameCount(1, 2), missing=(Gap(3, 1, 1, 2),))
    assert on.title == "Round 3 is being played: 1 of 2 games"
    assert on.actions[0].text == "Enter game 2 at table 1", "all have their phones by then"
    over = {"rounds": 3, "playing": 3, "stage": "over", "final_over": True}
    beside = step(**over, missing=(Gap(2, 1, 1, 2),))
    assert beside.title == "The final is over"
    assert beside.sentences == [
        "Close the night to confirm its podium.",
        "Games are missing: round 2, table 1.",
    ]
    kept = step(**over, kept_back=True, games=GameCount(2, 2), missing=(Gap(2, 1, 1, 2),))
    assert [action.address for action in kept.actions] == ["table/2/1", "check_in_link"]


def test_everyone_has_left_and_the_night_is_still_to_be_closed():
    found = step(here=0, rounds=1, playing=1, games=GameCount(8, 8), rounds_over=True)
    assert found.title == "All rounds are played. Close the night?"
    assert found.actions[0].text == "Close the night"


def test_the_final_is_drawn_once():
    drawn = step(rounds=3, stage="final", final_ahead=True)
    assert offered(drawn) == [("Draw the final", "primary", "few_repeats")]
    again = step(rounds=4, stage="final", final_ahead=True, has_final=True)
    assert [action.text for action in again.actions] == ["Draw round 5", "Draw by standings"]


def test_every_draw_is_posted_to_the_same_address():
    found = step(rounds=1, playing=1, games=GameCount(8, 8), rounds_over=True)
    assert {(a.address, a.posts) for a in found.early} == {("draw", True)}


class Round:
    number = 2
    clock_minutes = 30


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
