"""The bot that has learnt: its inputs, its network, and its imagined deals."""

import hashlib
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import BOTS, make
from engine.bots.belief import read
from engine.bots.imagination import SHIPPED, imagination, shipped_mind, worths
from engine.bots.master import MasterBot, is_learnt
from engine.bots.past import habits, past_of
from engine.bots.suited import is_suited
from engine.bots.weights import shipped_weights
from engine.core.compiled import plain
from engine.core.games import Games, words
from engine.core.kernels import foreseen, inputs, layout
from engine.core.kernels.mind_layout import (
    HABITS,
    INPUTS,
    MOST_INPUTS,
    N_BEST,
    N_LET_PAIR,
    N_LET_SINGLE,
    N_SINGLES,
    NOTES,
    NOTHING,
)
from engine.core.mind import Mind
from engine.core.rules_data import fits
from engine.rules.actions import SeatAction
from engine.rules.cards import format_card, parse_cards
from engine.rules.cardset import pack
from engine.rules.deal import deal
from engine.rules.game import apply, legal_actions, observe, start
from engine.rules.observation import Observation
from engine.rules.ruleset import preset, with_options
from engine.rules.shapes import kind, length
from engine.rules.state import OVER, PLAY
from engine.sim.simulation import play_block, play_one
from tests.engine.core.cores import Opinionated
from tests.engine.play import rules
from tests.engine.walk import begin, tables, walk
from tests.plugins.chance import examples

FULL = MasterBot.style
BRIEF = FULL._replace(rounds=((6, 1), (3, 2)), belief=FULL.belief._replace(first=12, between=2))


def inputs_of(games: Games, notes: list[int], i: int) -> list[int]:
    """Return the numbers of the inputs after a listed play or a pass (-1), the lowest first."""
    into = [0] * 2 * MOST_INPUTS
    rules, plan, work = games.rules, games._plan, games.work
    hand = layout.HANDS + 2 * work[layout.TURN]
    common = inputs.common_inputs(rules, work, notes, into, 0)
    own = inputs.hand_inputs(rules, work[hand], work[hand + 1], into, common)
    less = inputs.played_inputs(rules, work, i, into, own) if i >= 0 else own
    end = inputs.choice_inputs(rules, plan, work, notes, i, into, less)
    found = sorted(into[:own] + into[less:end])
    for number in into[own:less]:
        found.remove(number)
    return found


def test_the_inputs_are_those_that_the_shipped_network_has_learnt():
    """Frozen from games in which another program, by which it learnt, had the same inputs."""
    told = hashlib.sha256()
    for seed in range(9):
        players = 2 + seed % 3
        options = {"instant_wins": [], "forward": seed % 2 == 0}
        ruleset = with_options(preset("tien-len"), options)
        hands = deal(ruleset, players, Random(seed))
        games = Games(plain(), ruleset, players)
        games.plan(worths(ruleset, players, shipped_weights()))
        for state, legal in walk(start(ruleset, hands), Random(seed)):
            if state.phase == OVER:
                break
            notes = habits(observe(state, state.turn)) + [0] * (NOTES - HABITS)
            games.plays(state)
            for i in range(0, len(legal), max(1, len(legal) // 3)):
                if pack(legal[i].cards) != state.hands[state.turn]:
                    told.update(str(inputs_of(games, notes, i if legal[i].cards else -1)).encode())
    assert told.hexdigest()[:16] == "4930b38cdde56c46"


def layers() -> list[list[int]]:
    """Return the weights of the file, layer by layer, each with its biases after it."""
    weights = [byte - 256 if byte > 127 else byte for byte in SHIPPED.read_bytes()]
    parts = []
    for size in (INPUTS * 256, 256, 256 * 64, 64, 64 * 3, 3):
        parts.append(weights[:size])
        weights = weights[size:]
    assert weights == []
    return parts


def one_by_one(chosen: list[int]) -> list[int]:
    """Return the opinions on some inputs, worked out number by number from the file."""
    first, bias1, second, bias2, last, bias3 = layers()
    hidden = [max(0, bias1[j] + sum(first[256 * i + j] for i in chosen)) for j in range(256)]
    again = [
        max(0, 64 * bias2[j] + sum(hidden[i] * second[64 * i + j] for i in range(256)))
        for j in range(64)
    ]
    totals = [
        64**2 * bias3[k] + sum(again[j] * last[64 * k + j] for j in range(64)) for k in range(3)
    ]
    return totals


@pytest.mark.parametrize("count", [0, 1, 60, 190])
def test_numbers_in_lanes_give_what_single_numbers_give(count):
    mind = shipped_mind()
    chosen = Random(count).sample(range(INPUTS), count)
    assert mind.opinions(mind.sum_of(chosen)) == one_by_one(chosen)


def test_no_sum_of_inputs_leaves_its_lane():
    """At most 192 inputs are there at once, with weights of a byte: fifteen bits hold their sum."""
    assert (192 + 1) * 127 < 1 << 15
    _, _, second, bias, _, _ = layers()
    for k in range(64):  # Nor does the second layer of the shipped network leave 32 bits.
        most = sum(abs(second[64 * j + k]) for j in range(256))
        assert (192 + 1) * 127 * most + 64 * abs(bias[k]) < 1 << 31


def test_a_network_of_another_size_is_refused(tmp_path):
    path = tmp_path / "short.net"
    path.write_bytes(SHIPPED.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"short\.net is not for"):
        Mind(path)


def test_the_lowest_that_a_seat_let_pass_is_remembered_and_its_singles():
    ruleset = rules("thirteen", instant_wins=[], cards_each={"2": 5})
    hands = [parse_cards("3S 4S 9S 9C TS"), parse_cards("5S 6S 7S 8S JS")]
    state = start(ruleset, hands, leader=0)
    for text in ("4S", "", "3S", "", "9S 9C", ""):
        apply(state, SeatAction(state.turn, "play" if text else "pass", parse_cards(text)))
    found = habits(observe(state, 0))
    assert found[N_LET_SINGLE : N_LET_SINGLE + 2] == [NOTHING, 0]
    assert found[N_LET_PAIR : N_LET_PAIR + 2] == [NOTHING, 6]
    assert found[N_SINGLES : N_SINGLES + 2] == [0b11, 0]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("3S 3H", {"single": "3H", "pair": "3H"}),
        ("3S 4S 5S 6C", {"single": "6C", "straight 3": "6C", "straight 4": "6C"}),
        ("QS KS AS 2S", {"single": "2S", "straight 3": "AS"}),
        (
            "3S 3C 4S 4C 5S 5D 9S",
            {"single": "9S", "pair": "5D", "straight 3": "5D", "pair_run 3": "5D"},
        ),
    ],
)
def test_the_best_that_unseen_cards_can_make_of_each_shape(cards, expected):
    notes = [0] * NOTES
    games = Games(plain(), preset("tien-len"), 4)
    inputs.note_best(games.rules, *words(pack(parse_cards(cards))), notes)
    tops = {shape: top for shape, top in enumerate(notes[N_BEST : N_BEST + 64]) if top >= 0}
    named = {
        kind(shape) + (f" {length(shape)}" if length(shape) > 1 else ""): format_card(top)
        for shape, top in tops.items()
    }
    assert named == expected


@pytest.mark.parametrize(
    ("key", "players", "options", "learnt"),
    [
        ("tien-len", 4, {}, True),
        ("mien-nam", 2, {}, True),
        ("thirteen", 3, {}, False),
        ("thirteen", 6, {}, False),
        ("tien-len", 4, {"pass_locks": False}, False),
    ],
)
def test_where_the_network_is_no_judge_the_sage_plays(key, players, options, learnt):
    ruleset = rules(key, **options)
    state = start(ruleset, deal(ruleset, players, Random(2)))
    while len(legal := legal_actions(state)) == 1 or state.turn == 0:
        apply(state, legal[0])
    observation = observe(state, state.turn)
    assert is_learnt(ruleset, players) == learnt
    if not learnt:
        assert make("master", 7).choose(observation, legal) == make("sage", 7).choose(
            observation, legal
        )


@settings(max_examples=examples(12), deadline=None)
@given(tables(), st.integers(0, 2**32))
def test_planners_with_their_own_hands_regret_nothing(table, seed):
    """The true deal explains all that planners did: the past is read as they saw it.

    Where suits must match, a planner plays as greedy, and nobody reads its past.
    """
    ruleset, players = table
    is_read = fits(ruleset) and ruleset.decks_for(players) == 1 and not is_suited(ruleset)
    if not is_read or ruleset.card_counts != "public":
        return
    state = begin(table, Random(seed))
    core = imagination(ruleset, players, shipped_weights())
    bot = make("planner", 1)
    for number in range(40):
        if state.phase == OVER:
            return
        legal = legal_actions(state)
        seen = observe(state, state.turn)
        if state.phase == PLAY and number % 13 == 12:
            past = past_of(seen, read(seen))
            assert core.regrets(past, state.hands) == [0] * len(past)
        apply(state, bot.choose(seen, legal))


def decisions(others: str, seed: int) -> list[tuple[Observation, list[SeatAction]]]:
    """What a seat sees that has a choice, where all four play as that bot does."""
    state = start(preset("tien-len"), deal(preset("tien-len"), 4, Random(seed)))
    bots, found = [make(others, seed + seat) for seat in range(4)], []
    while state.phase != OVER:
        legal = legal_actions(state)
        seen = observe(state, state.turn)
        if len(legal) > 1:
            found.append((seen, legal))
        apply(state, bots[state.turn].choose(seen, legal))
    return found


@pytest.mark.parametrize(("others", "low", "high"), [("planner", 30, 60), ("random", 300, 1e6)])
def test_it_trusts_its_network_where_others_play_unlike_planners(others, low, high, monkeypatch):
    """As many deals as that its opinion counts in the middle of a game; again the same."""
    monkeypatch.setattr(MasterBot, "style", FULL._replace(rounds=((3, 2),)))
    core, trusts, chosen = imagination(preset("tien-len"), 4, shipped_weights()), [], []
    seen = [one for seed in range(2) for one in decisions(others, seed)[12:30:8]]
    for observation, legal in seen:
        chosen.append(make("master", 5).choose(observation, legal))
        trusts.append(foreseen._trust(core._dream, core._past, FULL.belief.share))
    assert low <= sorted(trusts)[len(trusts) // 2] <= high
    again = [make("master", 5).choose(observation, legal) for observation, legal in seen[::-2]]
    assert again == chosen[::-2]


def test_its_opinion_alone_beats_greedy_bots(monkeypatch):
    """60 deals in all seats, one against three; half of the points is neutral."""
    monkeypatch.setitem(BOTS, "opinionated", Opinionated)
    bots = ["opinionated", "greedy", "greedy", "greedy"]
    block = play_block(preset("tien-len"), bots, "master", 0, 60)
    points = [scores[0] / 8 for scores in block.tally["deal_scores"]]
    assert sum(points) / len(points) > 1.7


@pytest.mark.parametrize(
    ("key", "style", "digest"),
    [("tien-len", FULL, "580331b2b9a8b827"), ("mien-nam", BRIEF, "d424634e43c6bc92")],
)
def test_it_plays_the_same_game_on_every_machine_and_version(key, style, digest, monkeypatch):
    """Written down once; a change of its choices shows here and asks for a new `version`."""
    monkeypatch.setattr(MasterBot, "style", style)
    record = play_one(preset(key), ["master", "planner", "greedy", "planner"], 1, 0)
    text = json.dumps(record["actions"], sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest
