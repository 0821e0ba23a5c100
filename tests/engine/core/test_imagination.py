"""Imagined games on every form of the core: the same choice, and the same dice thrown."""

import hashlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import imagination, make
from engine.bots.belief import read
from engine.bots.candidates import weigh
from engine.bots.decompose import decomposer
from engine.bots.imagination import Foresight, rewards
from engine.bots.master import MasterBot, distinct, is_learnt
from engine.bots.money import Money
from engine.bots.search import Dream, Style
from engine.bots.weights import shipped_weights
from engine.core.kernels import plan_layout
from engine.rules import rule_tables
from engine.rules.cardset import unpack
from engine.rules.game import apply, legal_actions, observe
from engine.rules.ruleset import preset, preset_keys
from engine.rules.shapes import shape_of
from engine.rules.state import OVER, PLAY
from engine.sim.simulation import play_one
from tests.engine.core.cores import CORES, FORMS, Opinionated
from tests.engine.walk import begin, tables, walk
from tests.plugins.chance import examples

TABLES = tables()


BRIEF = Style(rounds=((8, 2), (4, 2), (2, 3)), trust=3)


def decisions(table, seed, most):
    found = []
    for state, legal in walk(begin(table, Random(seed)), Random(seed)):
        if state.phase == PLAY and len(legal) > 1:
            found.append((observe(state, state.turn), legal))
    return Random(seed).sample(found, min(most, len(found)))


def on(core, observation, ask, *more):
    """The answer on a form of the core, and the dice that were thrown."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imagination, "current", lambda: core)
        dice = Random(7)
        dream = Dream(observation, read(observation), shipped_weights(), BRIEF, dice)
        return ask(dream, *more), dice.getstate()


def totals(dream, candidates):
    """The rewards of the candidates, summed up over their games."""
    best = dream.best_of(candidates)
    first, size = plan_layout.CANDIDATES + plan_layout.C_TOTAL, plan_layout.CANDIDATE
    most = min(len(candidates), BRIEF.rounds[0][0])
    return best, [int(dream._core._dream[first + size * number]) for number in range(most)]


def weighed(observation, legal):
    plan = decomposer(rule_tables.table(observation.ruleset).generator, shipped_weights())
    return weigh(observation, legal, read(observation), plan, shipped_weights())


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(25), deadline=None)
@given(TABLES, st.integers(0, 2**32))
def test_choices_and_results_are_the_same_on_every_form_of_the_core(core, table, seed):
    """Pure Python without a core; plays from one position, so that both ask the same."""
    for observation, legal in decisions(table, seed, 1):
        candidates = weighed(observation, legal)
        if observation.opening or len(candidates) < 2:
            continue
        ask = observation, totals, candidates
        assert on(None, *ask) == on(CORES[core](), *ask)


def test_imagined_games_are_those_that_were_written_down():
    """Of all presets; loops in Python that the kernels have replaced played them alike."""
    told = hashlib.sha256()
    for key in preset_keys():
        for observation, legal in decisions((preset(key), 4), 2, 3):
            (_best, found), _dice = on(None, observation, totals, weighed(observation, legal))
            told.update(repr(found).encode())
    assert told.hexdigest()[:16] == "4df77d7b52e1c1f6"


def test_full_memories_are_emptied_and_nothing_changes():
    for observation, legal in decisions((preset("killa"), 4), 3, 2):
        candidates = weighed(observation, legal)
        found = []
        for filled in (False, True):
            plan = imagination.imagination(observation.ruleset, 4, shipped_weights())._plan
            if filled:
                plan[plan_layout.REMEMBERED] = plan_layout.MOST_FOUND
            found.append(on(None, observation, Dream.best_of, candidates))
            assert plan[plan_layout.REMEMBERED] <= plan_layout.MOST_FOUND // 2
        assert found[0] == found[1]


def played_on(state, seat, chops):
    """What a seat gets that plays a game on by the network's opinion, the others as planners."""
    own, planner = Opinionated(1), make("planner", 1)
    while state.phase != OVER:
        bot = own if state.turn == seat else planner
        apply(state, bot.choose(observe(state, state.turn), legal_actions(state)))
    before = 0
    for group in state.placings:
        if seat in group:
            break
        before += len(group)
    places = rewards(state.ruleset, state.players)
    found = places[before if len(group) == 1 else state.players - 1]
    for chop in state.chops[chops:]:
        if shape_of(chop.play) != shape_of(chop.on):
            each = 100 * Money(state.ruleset, state.players).chop
            found += each * ((chop.by == seat) - (chop.of == seat))
    return found


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(12), deadline=None)
@given(
    TABLES.filter(lambda t: rule_tables.table(t[0]).plain and t[0].card_counts == "public"),
    st.integers(0, 2**32),
)
def test_where_all_cards_are_known_foreseen_games_are_the_engines(core, table, seed):
    """The choice ends as well as any does when network and planners of the engine play on."""
    states = []
    for state, legal in walk(begin(table, Random(seed)), Random(seed)):
        plays = state.phase == PLAY and len(legal) > 1
        if plays and any(action.do == "play" for action in legal):
            if not is_learnt(*table):
                return
            states.append((state.copy(), legal))
    for state, legal in Random(seed).sample(states, min(1, len(states))):
        seen = observe(state, state.turn)
        reading = read(seen)
        known = {seat: unpack(state.hands[seat]) for seat in reading.opponents}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(imagination, "current", CORES[core])
            dream = Dream(
                seen, reading._replace(known=known), shipped_weights(), Style(()), Random(seed),
            )  # fmt: skip
            dealt = MasterBot.style.belief._replace(share=0)
            best = dream.best_foreseen(distinct(legal), Foresight(((99, 1),), 0, 0, 99, dealt))
        found = {}
        for action in distinct(legal):
            after = state.copy()
            apply(after, action)
            found[action] = played_on(after, seen.seat, len(state.chops))
        assert found[best] == max(found.values())


@pytest.mark.parametrize("core", FORMS)
def test_the_master_plays_the_same_game_on_every_form_of_the_core(core, monkeypatch):
    """Three players, so that cards are left over; whole games, so that seats go out."""
    brief = MasterBot.style._replace(rounds=((3, 2), (2, 1)))
    monkeypatch.setattr(MasterBot, "style", brief)
    names = ["master", "planner", "greedy"]
    without = play_one(preset("mien-nam"), names, 4, 1)
    monkeypatch.setattr(imagination, "current", CORES[core])
    assert play_one(preset("mien-nam"), names, 4, 1) == without
