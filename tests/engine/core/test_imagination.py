"""Imagined games on the core: the same choice, and the same dice thrown."""

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
from engine.bots.monte_carlo import DreamerBot
from engine.bots.rollout import Money
from engine.bots.search import Dream, Style
from engine.bots.weights import shipped_weights
from engine.core.kernels import plan_layout
from engine.rules import rule_tables
from engine.rules.cardset import unpack
from engine.rules.game import apply, legal_actions, observe
from engine.rules.ruleset import preset
from engine.rules.shapes import shape_of
from engine.rules.state import OVER, PLAY
from engine.sim.simulation import play_one
from tests.engine.core.cores import CORES, FORMS, Opinionated
from tests.engine.walk import begin, tables, walk
from tests.plugins.chance import examples

TABLES = tables()


class BriefBot(DreamerBot):
    style = Style(rounds=((8, 2), (4, 2), (2, 3)), trust=3)


def choices(core, observation, legal, prepare=lambda: None):
    """The choice of one bot and its dice, without the core and with it."""
    found = []
    for present in (None, core):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(imagination, "current", lambda present=present: present)
            if present:
                prepare()
            bot = BriefBot(7)
            found.append((bot.choose(observation, legal), bot._dice.getstate()))
    return found


def decisions(table, seed, most):
    found = []
    for state, legal in walk(begin(table, Random(seed)), Random(seed)):
        if state.phase == PLAY and len(legal) > 1:
            found.append((observe(state, state.turn), legal))
    return Random(seed).sample(found, min(most, len(found)))


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(25), deadline=None)
@given(TABLES, st.integers(0, 2**32))
def test_a_bot_chooses_the_same_with_and_without_the_core(core, table, seed):
    for observation, legal in decisions(table, seed, 2):
        without, within = choices(CORES[core](), observation, legal)
        assert without == within


def test_a_question_that_is_too_large_is_left_to_python(monkeypatch):
    monkeypatch.setattr(plan_layout, "MOST_CANDIDATES", 0)
    for observation, legal in decisions((preset("tien-len"), 4), 1, 2):
        without, within = choices(CORES["plain"](), observation, legal)
        assert without == within


def test_a_full_memory_is_emptied_and_nothing_changes():
    for observation, legal in decisions((preset("killa"), 4), 3, 2):

        def fill(ruleset=observation.ruleset):
            kept = imagination.imagination(ruleset, 4, shipped_weights())
            kept._plan[plan_layout.REMEMBERED] = plan_layout.MOST_FOUND

        without, within = choices(CORES["plain"](), observation, legal, fill)
        assert without == within


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(15), deadline=None)
@given(TABLES, st.integers(0, 2**32))
def test_results_are_the_same_on_the_core(core, table, seed):
    for seen, legal in decisions(table, seed, 1):
        if not any(action.do == "play" for action in legal):
            continue
        reading, weights = read(seen), shipped_weights()
        plan = decomposer(rule_tables.table(table[0]).generator, weights)
        candidates = weigh(seen, legal, reading, plan, weights)
        found = []
        for present in (None, CORES[core]()):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(imagination, "current", lambda present=present: present)
                dice = Random(seed)
                dream = Dream(seen, reading, plan, weights, Style(()), dice)
                found.append((dream.results_of(candidates, 3), dice.getstate()))
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
            if not is_learnt(observe(state, state.turn)):
                return
            states.append((state.copy(), legal))
    for state, legal in Random(seed).sample(states, min(1, len(states))):
        seen = observe(state, state.turn)
        reading = read(seen)
        known = {seat: unpack(state.hands[seat]) for seat in reading.opponents}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(imagination, "current", CORES[core])
            dream = Dream(
                seen, reading._replace(known=known), None, shipped_weights(), Style(()),
                Random(seed),
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
