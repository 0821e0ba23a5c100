"""The bot that has learnt: its inputs, its network, and its imagined deals."""

from __future__ import annotations

import hashlib
import json
from random import Random

import pytest

from engine.bots import BOTS, make
from engine.bots.belief import read
from engine.bots.candidates import Candidate, shape_of_cards
from engine.bots.decompose import decomposer
from engine.bots.features import INPUTS, Columns, Habits, Outlook, best_tops
from engine.bots.master import MasterBot
from engine.bots.network import Network
from engine.bots.value_network import SHIPPED, is_learnt, shipped_network
from engine.bots.weights import shipped_weights
from engine.rules.actions import SeatAction
from engine.rules.cards import format_card, parse_cards
from engine.rules.cardset import pack, rank_counts
from engine.rules.deal import deal
from engine.rules.game import State, apply, legal_actions, observe, start
from engine.rules.rule_tables import table
from engine.rules.ruleset import preset, with_options
from engine.rules.shapes import kind, length
from engine.sim.simulation import play_block, play_one
from tests.engine.play import rules
from tests.engine.walk import walk

FULL = MasterBot.style


class Marks:
    """A network whose columns say which inputs were there: eight bits for each."""

    columns = [1 << 8 * number for number in range(INPUTS)]


def inputs(state: State, action: SeatAction) -> list[int]:
    """Return the numbers of the inputs after an action, each as often as it was added."""
    observation = observe(state, state.turn)
    reading = read(observation)
    weights = shipped_weights()
    plan = decomposer(table(state.ruleset).generator, weights)
    shape = shape_of_cards(action.cards) if action.cards else 0
    left = pack(observation.hand) - pack(action.cards)
    candidate = Candidate(0, action, shape, plan.best(rank_counts(left))[1])
    total = Outlook(observation, reading, Columns(Marks)).after(candidate)
    times = total.to_bytes(INPUTS, "little")
    return [number for number, count in enumerate(times) for _ in range(count)]


def test_the_inputs_are_those_that_the_shipped_network_has_learnt():
    """Frozen from games in which another program, by which it learnt, had the same inputs."""
    told = hashlib.sha256()
    for seed in range(9):
        players = 2 + seed % 3
        options = {"instant_wins": [], "forward": seed % 2 == 0}
        ruleset = with_options(preset("tien-len"), options)
        hands = deal(ruleset, players, Random(seed))
        for state, legal in walk(start(ruleset, hands), Random(seed)):
            for action in legal[:: max(1, len(legal) // 3)]:
                if pack(action.cards) != state.hands[state.turn]:
                    told.update(str(inputs(state, action)).encode())
    assert told.hexdigest()[:16] == "4930b38cdde56c46"


def one_by_one(chosen: list[int]) -> list[float]:
    """Return the opinions on some inputs, worked out number by number from the file."""
    weights = [byte - 256 if byte > 127 else byte for byte in SHIPPED.read_bytes()]
    parts = []
    for size in (INPUTS * 256, 256, 256 * 64, 64, 64 * 3, 3):
        parts.append(weights[:size])
        weights = weights[size:]
    assert weights == []
    first, bias1, second, bias2, last, bias3 = parts
    hidden = [max(0, bias1[j] + sum(first[256 * i + j] for i in chosen)) for j in range(256)]
    again = [
        max(0, 64 * bias2[j] + sum(hidden[i] * second[64 * i + j] for i in range(256)))
        for j in range(64)
    ]
    totals = [
        64**2 * bias3[k] + sum(again[j] * last[64 * k + j] for j in range(64)) for k in range(3)
    ]
    return [total / 64**3 for total in totals]


@pytest.mark.parametrize("count", [0, 1, 60, 190])
def test_numbers_in_lanes_give_what_single_numbers_give(count):
    network, _ = shipped_network()
    chosen = Random(count).sample(range(INPUTS), count)
    total = sum(network.columns[number] for number in chosen)
    assert network.opinions(total) == one_by_one(chosen)


def test_no_sum_of_inputs_leaves_its_lane():
    """At most 192 inputs are there at once, with weights of a byte: fifteen bits hold their sum."""
    assert (192 + 1) * 127 < 1 << 15
    network, _ = shipped_network()
    assert len(network.columns) == INPUTS


def test_a_network_of_another_size_is_refused(tmp_path):
    path = tmp_path / "short.net"
    path.write_bytes(SHIPPED.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"short\.net is not for"):
        Network(path, INPUTS)


def test_the_lowest_that_a_seat_let_pass_is_remembered_and_its_singles():
    ruleset = rules("thirteen", instant_wins=[], cards_each={"2": 5})
    hands = [parse_cards("3S 4S 9S 9C TS"), parse_cards("5S 6S 7S 8S JS")]
    state = start(ruleset, hands, leader=0)
    for text in ("4S", "", "3S", "", "9S 9C", ""):
        apply(state, SeatAction(state.turn, "play" if text else "pass", parse_cards(text)))
    habits = Habits(observe(state, 0))
    assert habits.passed == [{}, {1: 0, 2: 13 + 6}]
    assert habits.singles == [{0, 1}, set()]


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
    tops = best_tops(pack(parse_cards(cards)))
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
    assert is_learnt(observation) == learnt
    if not learnt:
        assert make("master", 7).choose(observation, legal) == make("sage", 7).choose(
            observation, legal
        )


class Opinionated(MasterBot):
    """A master that imagines nothing: the network alone."""

    style = MasterBot.style._replace(rounds=())


def test_its_opinion_alone_beats_greedy_bots(monkeypatch):
    """60 deals in all seats, one against three; half of the points is neutral."""
    monkeypatch.setitem(BOTS, "opinionated", Opinionated)
    bots = ["opinionated", "greedy", "greedy", "greedy"]
    block = play_block(preset("tien-len"), bots, "master", 0, 60)
    points = [scores[0] / 8 for scores in block.tally["deal_scores"]]
    assert sum(points) / len(points) > 1.7


@pytest.mark.parametrize(
    ("key", "digest"), [("tien-len", "1d3dd1da3548e38c"), ("mien-nam", "ae841c3a73e339e0")]
)
def test_it_plays_the_same_game_on_every_machine_and_version(key, digest, monkeypatch):
    """Written down once; a change of its choices shows here and asks for a new `version`."""
    monkeypatch.setattr(MasterBot, "style", FULL)
    record = play_one(preset(key), ["master", "planner", "greedy", "planner"], 1, 0)
    text = json.dumps(record["actions"], sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest
