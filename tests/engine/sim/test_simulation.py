"""Bots, games without a log, and runs that are the same everywhere."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import LADDER, make
from engine.core.rules_data import fits
from engine.records.record import replay
from engine.rules.deal import deal, shuffled_deck
from engine.rules.game import legal_actions, observe, outcome, start
from engine.rules.ruleset import preset, preset_keys
from engine.rules.state import OVER, PLAY
from engine.sim.command import Sums, interval, played
from engine.sim.simulation import (
    SimulationError,
    play_block,
    play_one,
    play_tricks,
    seats,
    take_turn,
)
from tests.engine.play import Table, rules
from tests.engine.walk import begin, tables
from tests.plugins.chance import examples
from tests.shares import share

BOTS_OF_FOUR = ["greedy", "random", "random", "greedy"]
REFLEXES = [name for name in LADDER if hasattr(make(name, 1), "pick")]
"""The bots of the ladder that simulations never ask for a choice."""


@settings(max_examples=examples(200), deadline=None)
@given(
    tables().filter(lambda table: fits(table[0])),
    st.integers(0, 2**32), st.sampled_from(REFLEXES),
)  # fmt: skip
def test_a_game_without_a_log_is_the_same_turn_by_turn(table, seed, name):
    """Reflexes choose from plays as integers what the bot chooses from actions."""
    slow, fast = begin(table, Random(seed)), begin(table, Random(seed))
    players = table[1]
    leads = []
    for state, at_once in ((slow, False), (fast, True)):
        bots = [make(name, seed + seat) for seat in range(players)]
        while state.phase != OVER:
            if state.phase == PLAY and not state.top:
                leads.append(state.turn)
            if at_once and state.phase == PLAY:
                del leads[-1]
                changes = play_tricks(state, bots)
                assert changes == sum(one != other for one, other in pairwise(leads))
            else:
                take_turn(state, bots[state.turn])
    assert outcome(fast) == outcome(slow)


def test_greedy_leads_its_lowest_card_with_as_many_cards_as_it_can():
    table = Table(rules("killa"), "3S 4S 5S 6S 9S 9C", "", leader=0)
    action = make("greedy", 1).choose(observe(table.state, 0), legal_actions(table.state))
    assert action.cards[:4] == (0, 4, 8, 12)


def test_greedy_beats_with_the_lowest_play_and_declares():
    table = Table(rules("killa"), "4S", "5S 6S 9S", leader=0).play(0, "4S")
    lowest = min(a.cards for a in legal_actions(table.state) if a.cards)
    bot = make("greedy", 1)
    assert bot.choose(observe(table.state, 1), legal_actions(table.state)).cards == lowest
    asked = Table(rules("killa"), "2S 2C 2D 2H", instant=True).state
    assert bot.choose(observe(asked, 0), legal_actions(asked)).do == "declare"


@pytest.mark.parametrize("key", share(preset_keys(), 0))
def test_a_block_is_the_same_every_time(key):
    first = play_block(preset(key), BOTS_OF_FOUR, "seed", 10, 3)
    assert first == play_block(preset(key), BOTS_OF_FOUR, "seed", 10, 3)
    assert first.games == 12
    assert first.digest != play_block(preset(key), BOTS_OF_FOUR, "other", 10, 3).digest


def test_the_digest_is_the_same_on_every_machine_and_version():
    """Written down once; a change of rules, bots, shuffle or dice shows here."""
    block = play_block(preset("tien-len"), ["random", "greedy", "random", "random"], 1, 0, 25)
    assert block.digest == DIGEST


def test_blocks_of_one_run_do_not_depend_on_how_it_is_cut():
    ruleset = preset("mien-nam")
    whole = play_block(ruleset, BOTS_OF_FOUR, 3, 0, 4)
    parts = [play_block(ruleset, BOTS_OF_FOUR, 3, first, 2) for first in (0, 2)]
    scores = [line for part in parts for line in part.tally["deal_scores"]]
    assert scores == whole.tally["deal_scores"]


def test_the_tally_adds_up():
    tally = play_block(preset("killa"), BOTS_OF_FOUR, 3, 0, 5).tally
    assert sum(count for *_, count in tally["counts"]) == 4 * 20
    for bot in range(4):
        assert sum(count for of, *_, count in tally["counts"] if of == bot) == 20
    # Four places give 6 + 4 + 2 + 0 in each of the four games of a deal.
    assert [sum(scores) for scores in tally["deal_scores"]] == [48] * 5
    assert sum(tally["net"]) == 0


def test_each_deal_is_played_in_every_rotation_of_one_order():
    seatings = [seats(BOTS_OF_FOUR, "s", 5, rotation) for rotation in range(4)]
    for seat in range(4):
        assert sorted(seating[seat] for seating in seatings) == [0, 1, 2, 3]
    doubled = seatings[0] * 2
    assert all(seating == doubled[r : r + 4] for r, seating in enumerate(seatings))


@pytest.mark.parametrize("key", share(preset_keys(), 1))
def test_any_game_of_a_run_can_be_opened_as_a_record(key):
    ruleset = preset(key)
    block = play_block(ruleset, BOTS_OF_FOUR, "seed", 4, 1)
    scores = [0] * 4
    for rotation in range(4):
        record = play_one(ruleset, BOTS_OF_FOUR, "seed", 4, rotation)
        result = replay(record)
        assert result["finished"]
        left = 4
        for group in result["placings"]:
            left -= len(group)
            for seat in group:
                bot = seats(BOTS_OF_FOUR, "seed", 4, rotation)[seat]
                assert record["players"][seat] == BOTS_OF_FOUR[bot]
                scores[bot] += 2 * left + len(group) - 1
    assert block.tally["deal_scores"] == [scores]


@pytest.mark.parametrize(
    ("bots", "design"), [(["nobody"] * 4, "rotations"), (["random"] * 5, "rotations"),
                         (["random"] * 4, "spiral")]
)  # fmt: skip
def test_a_block_that_cannot_be_is_refused(bots, design):
    with pytest.raises(SimulationError):
        play_block(preset("killa"), bots, 1, 0, 1, design)


def test_standings_give_mean_points_and_an_interval_over_deals():
    sums = Sums(4)
    for first in (0, 4):
        sums.add(play_block(preset("killa"), BOTS_OF_FOUR, 1, first, 4 + first // 2))
    rows = sums.standings()
    assert (sums.games, sums.deals) == (40, 10)
    assert sum(row.points for row in rows) == pytest.approx(6)
    assert [sum(row.ranks) for row in rows] == [40] * 4
    assert interval([1.0, 2.0, 3.0]) == (2.0, pytest.approx(1.96 / 3**0.5))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_without_end_begins_at_once(workers):
    blocks = played(preset("killa"), BOTS_OF_FOUR, "1", 10**15, "rotations", workers)
    first = [next(blocks), next(blocks)]
    blocks.close()
    assert [block.deals for block in first] == [25, 25]
    assert first[0].digest != first[1].digest


def test_the_shuffle_uses_nothing_but_bits():
    class Bits:
        def getrandbits(self, count):
            return 0

    assert sorted(shuffled_deck(2, Bits())) == sorted(list(range(52)) * 2)
    assert shuffled_deck(1, Random(1)) == shuffled_deck(1, Random(1))
    assert start(preset("killa"), deal(preset("killa"), 4, Random(1))).turn in range(4)


DIGEST = "b7ad567eb515701adca19cbfdc0f125c1bf0ff045cf47bbca186c607bd199897"
