"""Live games and games entered by hand agree: the specials of a played game pay what it paid."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine import game as engine_game
from engine import ruleset
from engine.bots import make
from engine.deal import deal
from engine.happened import specials_of
from engine.outcome import outcome
from engine.specials import check_specials, payments_of_game
from engine.state import OVER, State


def played(rules: ruleset.Ruleset, seed: str) -> State:
    """A game of bots who play anything, so that chops and cards left are common."""
    dice = random.Random(seed)
    state = engine_game.start(rules, deal(rules, 4, dice), stake=3)
    bots = [make("random", dice.getrandbits(32)) for _ in range(4)]
    while state.phase != OVER:
        bot = bots[state.turn]
        choice = bot.choose(
            engine_game.observe(state, state.turn), engine_game.legal_actions(state)
        )
        engine_game.apply(state, choice)
    return state


@pytest.mark.parametrize("key", ["mien-nam", "killa"])
def test_the_specials_of_a_played_game_pay_what_the_engine_paid(key):
    rules = ruleset.preset(key)
    kinds: Counter[str] = Counter()
    for number in range(400):
        state = played(rules, f"happened {key} {number}")
        result = outcome(state)
        specials = specials_of(state)
        check_specials(rules, result.placings, specials)
        entered = payments_of_game(rules, result.placings, specials, 3)
        assert Counter(entered) == Counter(p for p in result.payments if p.amount)
        kinds.update(special.kind for special in specials)
    assert set(kinds) >= ({"chop", "left", "cong"} if key == "mien-nam" else {"chop"})
