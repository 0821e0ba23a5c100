"""The night that would have been: a list of who came and went, and its simulation."""

import json
from itertools import pairwise

import pytest

from league.seating import SeatingError
from league.seating.evening import (
    Coming,
    evening_json,
    evening_text,
    measures,
    play_evening,
    read_changes,
)
from tests.league.seating.helpers import repeats
from tests.league.seating.test_report import command

WHO = """
2: -5        # goes home
3: ~7, again
4: +24 +5
"""


@pytest.mark.parametrize("lines", [WHO, "\n".join(reversed(WHO.splitlines()))])
def test_a_list_of_who_came_and_went_is_read_by_round(lines):
    assert read_changes(lines, 24, 7) == {
        2: Coming(leave={5}),
        3: Coming(rest={7}, again=1),
        4: Coming(come={24, 5}),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9: -1", "Line 1: begin with a round from 1 to 7"),
        ("-1", "Line 1: begin with a round"),
        ("2: 5", "'5' is not -5, .32, ~7 or again"),
        ("2: -5\n3: ~5", "Line 2: player 5 is not here"),
        ("2: +5", "Line 1: player 5 is already here"),
    ],
)
def test_a_wrong_line_of_who_came_and_went_is_named(text, message):
    with pytest.raises(SeatingError, match=message):
        read_changes(text, 24, 7)


def test_who_leaves_and_comes_back_before_a_round_plays_it():
    drawn = play_evening(8, 2, read_changes("2: -5 +5", 8, 2), seed=1)
    assert sorted(p for table in drawn[1].tables for p in table) == list(range(8))


def test_nobody_sits_out_twice_running_as_on_a_night():
    drawn = play_evening(5, 10, {}, seed=1, size=2)
    out = [set(range(5)).difference(*one.tables).pop() for one in drawn]
    assert sorted(out) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert all(one != other for one, other in pairwise(out))


def test_five_play_at_a_table_of_four_as_on_a_night():
    drawn = play_evening(5, 5, {}, seed=1)
    assert [[len(table) for table in one.tables] for one in drawn] == [[4]] * 5


def test_the_night_seats_exactly_those_who_were_there():
    drawn = play_evening(24, 7, read_changes(WHO, 24, 7), seed=1)
    seated = [sorted(p for table in one.tables for p in table) for one in drawn]
    everyone = list(range(24))
    assert seated[:2] == [everyone, [p for p in everyone if p != 5]]
    assert seated[2] == [p for p in everyone if p not in (5, 7)]
    assert seated[3:] == [[*everyone, 24]] * 4
    assert measures(drawn)["repeats"] == repeats([one.tables for one in drawn]) <= 2
    told = json.loads(evening_json(drawn, 1))
    assert (told["seed"], len(told["rounds"])) == (1, 7)
    assert "Round 3: 22 players, 0 repeat meetings" in evening_text(drawn, 1)


def test_the_command_prints_the_night_that_would_have_been(tmp_path):
    (tmp_path / "who").write_text("2: -3\n")
    done = command("--players", "16", "--rounds", "3", "--evening", str(tmp_path / "who"), "--json")
    assert [len(each["tables"]) for each in json.loads(done.stdout)["rounds"]] == [4, 4, 4]


@pytest.mark.parametrize("line", ["2: -0 -1 -2", "2: ~0 ~1 ~2", "2: -0 -1 ~2", "2: -0 -1"])
def test_a_round_that_nobody_can_play_is_refused_in_words(line):
    with pytest.raises(SeatingError, match="Round 2 needs at least 2 players"):
        play_evening(3, 2, read_changes(line, 3, 2), seed=1)
