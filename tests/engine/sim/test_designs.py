"""The games of one deal: balanced chairs, and equal bots with equal luck exactly even."""

from collections import Counter
from random import Random

import pytest

from engine.records.record import replay
from engine.rules.ruleset import preset
from engine.sim.designs import MOST_BOTS, DesignError, chairs_of_deal, check_design, games_of_deal
from engine.sim.designs import seatings as seatings_of
from engine.sim.simulation import play_block, play_one, seats

CASES = [("rotations", 2), ("rotations", 4), ("versus", 2), ("tables", 5), ("tables", 8)]


@pytest.mark.parametrize(("design", "bots"), CASES)
def test_each_bot_sits_in_each_chair_equally_often(design, bots):
    games = seatings_of(bots, design, Random(1))
    assert len(games) == games_of_deal(bots, design)
    found = Counter((bot, chair) for seating in games for chair, bot in enumerate(seating))
    chairs = len(games[0])
    assert found == {
        (bot, chair): chairs_of_deal(bots, design) // chairs
        for bot in range(bots)
        for chair in range(chairs)
    }


def test_all_tables_of_four_are_played_and_each_two_meet_equally_often():
    games = seatings_of(6, "tables", Random(2))
    assert len({frozenset(seating) for seating in games}) == 15
    meetings = Counter((a, b) for seating in games for a in seating for b in seating if a < b)
    assert set(meetings.values()) == {6 * 4}


def test_two_bots_take_each_other_s_chairs_in_the_second_game():
    first, second = seatings_of(2, "versus", Random(3))
    assert [1 - bot for bot in first] == second


@pytest.mark.parametrize(("design", "bots"), [("rotations", 4), ("versus", 2), ("tables", 5)])
def test_equal_bots_with_equal_luck_come_out_exactly_even(design, bots):
    """Common random numbers: a seat's dice do not depend on who sits there."""
    block = play_block(preset("thirteen"), ["random"] * bots, "crn", 0, 3, design)
    assert [len(set(scores)) for scores in block.tally["deal_scores"]] == [1, 1, 1]
    assert block.games == 3 * games_of_deal(bots, design)


@pytest.mark.parametrize(("design", "bots"), CASES)
def test_any_game_of_any_design_opens_as_its_record(design, bots):
    names = ["greedy", "random"] * 4
    block = play_block(preset("thirteen"), names[:bots], "s", 7, 1, design)
    orders = block.tally["deal_orders"][0].split()
    for game in (0, games_of_deal(bots, design) - 1):
        found = replay(play_one(preset("thirteen"), names[:bots], "s", 7, game, design))
        seating = seats(names[:bots], "s", 7, game, design)
        assert "".join(str(seating[seat]) for (seat,) in found["placings"]) == orders[game]


def test_the_tally_has_each_deal_s_money():
    tally = play_block(preset("mien-nam"), ["greedy", "random"], 1, 0, 4, "versus").tally
    assert [sum(row) for row in tally["deal_net"]] == [0, 0, 0, 0]
    assert [sum(column) for column in zip(*tally["deal_net"], strict=True)] == tally["net"]


def test_a_sign_of_life_comes_after_each_deal():
    signs = []
    play_block(preset("killa"), ["random"] * 4, 1, 0, 3, after_deal=lambda: signs.append(1))
    assert signs == [1, 1, 1]


@pytest.mark.parametrize(
    ("bots", "design", "message"),
    [
        (3, "versus", "between 2 bots"),
        (4, "tables", "5 to 8 bots"),
        (MOST_BOTS + 1, "tables", "5 to 8 bots"),
        (5, "rotations", "2 to 4 players"),
        (4, "spiral", "choose one of"),
    ],
)
def test_what_cannot_be_seated_is_refused_with_what_to_do(bots, design, message):
    with pytest.raises(DesignError, match=message):
        check_design(preset("killa"), bots, design)
