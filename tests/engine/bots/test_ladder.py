"""Every bot of the ladder: legal in every game, the same every time, blind to hidden cards."""

import csv
import hashlib
import json
import os
import subprocess
import sys
from functools import reduce
from operator import add
from pathlib import Path
from random import Random

import pytest

from engine.bots import BOTS, Bot, make
from engine.bots.monte_carlo import DreamerBot, SageBot
from engine.rules.cardset import pack, unpack
from engine.rules.deal import deal
from engine.rules.game import State, apply, legal_actions, observe, start
from engine.rules.outcome import as_previous, outcome
from engine.rules.ruleset import preset, preset_keys, with_options
from engine.rules.state import OVER
from engine.sim import bench_ladder
from engine.sim.simulation import play_one, take_turn
from tests.engine.play import quick
from tests.engine.walk import VARIANTS
from tests.shares import share

DIGESTS = [
    ("tien-len", "454cf9b9a3cf1ec0"),
    ("mien-nam", "534d3b9e5e599199"),
    ("penguin", "544c00eb74f8e8a5"),
]

with (Path(__file__).parents[3] / "docs" / "ladder.csv").open() as file:
    STRENGTHS = {(row.pop("ruleset"), int(row.pop("players"))): row for row in csv.DictReader(file)}


def played(state: State, bots: list[Bot]) -> State:
    """Let bots play a game to its end, each choice checked against the list."""
    while state.phase != OVER:
        legal = legal_actions(state)
        action = bots[state.turn].choose(observe(state, state.turn), legal)
        assert action in legal
        apply(state, action)
    return state


@pytest.mark.parametrize(("key", "players"), share(bench_ladder.tables()))
def test_every_bot_plays_legal_games_in_every_ruleset_and_number(key, players):
    ruleset = preset(key)
    names = sorted(BOTS)
    previous = None
    for number in range(2):
        hands = deal(ruleset, players, Random(number))
        bots = [quick(names[(seat + number) % len(names)], seat) for seat in range(players)]
        state = played(start(ruleset, hands, previous=previous), bots)
        previous = as_previous(outcome(state))


@pytest.mark.parametrize(("key", "options"), share(VARIANTS[len(preset_keys()) :], 1))
def test_every_bot_plays_legal_games_under_house_rules(key, options):
    ruleset = with_options(preset(key), options)
    players = ruleset.max_players if ruleset.max_players < 4 else 4
    names = [name for name in sorted(BOTS) if name not in ("random", "greedy")]
    previous = None
    for number in range(2):
        bots = [quick(names[(seat + number) % len(names)], seat) for seat in range(players)]
        hands = deal(ruleset, players, Random(number))
        state = played(start(ruleset, hands, previous=previous), bots)
        previous = as_previous(outcome(state))


def middle_of_a_game(key: str, seed: int, moves: int) -> State:
    state = start(preset(key), deal(preset(key), 4, Random(seed)))
    bots = [make("greedy", seat) for seat in range(4)]
    for _ in range(moves):
        if state.phase != OVER:
            take_turn(state, bots[state.turn])
    return state


def with_other_cards_swapped(state: State, rng: Random) -> State:
    """Deal what the other seats hold anew among them; the seat to act sees no difference."""
    twin = state.copy()
    others = [seat for seat in range(state.players) if seat != state.turn]
    cards = [card for seat in others for card in unpack(state.hands[seat])]
    rng.shuffle(cards)
    for seat in others:
        count = len(unpack(state.hands[seat]))
        twin.hands[seat] = pack(cards[:count])
        cards = cards[count:]
    return twin


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_bot_chooses_alike_when_hidden_cards_are_swapped(name):
    differing = 0
    for seed in range(12):
        state = middle_of_a_game("tien-len", seed, 3 * seed)
        if state.phase == OVER:
            continue
        twin = with_other_cards_swapped(state, Random(seed))
        differing += twin.hands != state.hands
        legal = legal_actions(state)
        assert legal == legal_actions(twin)
        choice, again = (
            quick(name, 5).choose(observe(s, s.turn), legal_actions(s)) for s in (state, twin)
        )
        assert choice == again
    assert differing >= 8


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_bot_that_has_played_the_deal_before_plays_it_the_same_way(name, monkeypatch):
    """Nothing that one game taught may leak into the next: the dice are all that decides."""
    for dreamer in (DreamerBot, SageBot):
        monkeypatch.setattr(dreamer, "style", dreamer.style._replace(rounds=((6, 1), (3, 2))))
    bots = [name, "greedy", "lowest", "greedy"]
    first = play_one(preset("family"), bots, 8, 3)
    play_one(preset("family"), [name, "random", "random", "random"], 8, 3)
    assert play_one(preset("family"), bots, 8, 3) == first


@pytest.mark.parametrize(("key", "digest"), DIGESTS)
def test_the_ladder_plays_the_same_game_on_every_machine_and_version(key, digest):
    """Written down once; a change of any bot's choices shows here and asks for a new `version`."""
    record = play_one(preset(key), ["planner", "dreamer", "sage", "lowest"], 1, 0)
    text = json.dumps(record["actions"], sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize(("key", "players"), share(bench_ladder.tables(), of=30))
def test_quick_bots_have_the_strengths_that_are_written_down(key, players):
    check_strengths(key, players, ("lowest", "greedy", "planner"))


@pytest.mark.long
def test_all_bots_have_the_strengths_that_are_written_down():
    """By the documented command, on the core: one that plays faster plays no other games."""
    pytest.importorskip("numba")
    command = [sys.executable, "-m", "engine.sim.bench_ladder", "--rounds=3", "--ruleset=tien-len"]
    environment = {name: value for name, value in os.environ.items() if name != "TIENLEN_CORE"}
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    third = told.stdout.partition("Round 3")[2].replace("alike", "=")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in third.splitlines()]
    found = [row for row in rows if row[:1] == ["tien-len"]]
    assert found
    assert found == [
        ["tien-len", str(players), *row.values()]
        for (key, players), row in STRENGTHS.items()
        if key == "tien-len"
    ]


def test_no_bot_loses_to_the_rung_below():
    for row in STRENGTHS.values():
        for told in row.values():
            if told != "=":
                share, margin = map(float, told.split(" ±"))
                assert share + bench_ladder.SURE * margin / 1.96 > 50


def check_strengths(key, players, names):
    """Play three rounds again and compare them with docs/ladder.csv, to the digit."""
    for lower, higher in bench_ladder.steps(preset(key), players):
        if higher in names:
            rounds = [bench_ladder.played(key, players, lower, higher, n) for n in range(3)]
            found = bench_ladder.share(reduce(add, rounds), players)
            assert f"{found.mean:.1f} ±{found.margin:.1f}" == STRENGTHS[key, players][higher]
