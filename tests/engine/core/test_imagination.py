"""Imagined games on the core: the same choice, and the same dice thrown."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import imagination
from engine.bots.belief import read
from engine.bots.candidates import weigh
from engine.bots.decompose import decomposer
from engine.bots.monte_carlo import DreamerBot
from engine.bots.search import Dream, Style
from engine.bots.weights import shipped_weights
from engine.core.kernels import plan_layout
from engine.rules import rule_tables
from engine.rules.game import observe
from engine.rules.ruleset import preset
from engine.rules.state import PLAY
from tests.engine.core.cores import CORES
from tests.engine.walk import begin, tables, walk

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


@pytest.mark.parametrize("core", CORES)
@settings(max_examples=25, deadline=None)
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


@pytest.mark.parametrize("core", CORES)
@settings(max_examples=15, deadline=None)
@given(TABLES, st.integers(0, 2**32))
def test_sums_are_the_same_on_the_core(core, table, seed):
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
                found.append((dream.sums_of(candidates, 3), dice.getstate()))
        assert found[0] == found[1]
