"""Ends between two known hands are searched exactly; a ledger keeps places and money apart."""

from itertools import takewhile
from math import isclose
from random import Random

import pytest

from engine.bots import endgames
from engine.bots.belief import read
from engine.bots.money import Ledger, split
from engine.rules.deal import deal
from engine.rules.game import State, apply, legal_actions, observe, start
from engine.rules.ruleset import preset, with_options
from engine.rules.state import OVER, PLAY
from tests.engine.walk import VARIANTS, walk


def place_of(state: State, seat: int) -> int:
    return 1 + sum(map(len, takewhile(lambda group: seat not in group, state.placings)))


def best_place(state: State, seat: int, known: dict) -> int:
    """The place of a seat when both play as well as can be, by the engine's verbs alone."""
    if state.phase == OVER:
        return place_of(state, seat)
    key = (tuple(state.hands), state.turn, state.top, state.top_by, state.locked, state.passed)
    if key not in known:
        places = [best_place(apply(state.copy(), a), seat, known) for a in legal_actions(state)]
        known[key] = (min if state.turn == seat else max)(places)
    return known[key]


def test_exact_ends_agree_with_the_rules_played_to_the_end():
    """Two of four are left with few cards: who plays on without betting gets what he can get."""
    compared = 0
    for key, options in [*VARIANTS[:9], ("tien-len", {"pass_locks": False})]:
        plain = {"betting": "none", "game_ends": "one_left"}
        ruleset = with_options(preset(key), {**plain, **options})
        for seed in range(6):
            for state, legal in walk(start(ruleset, deal(ruleset, 4, Random(seed))), Random(seed)):
                cards = sum(hand.bit_count() for hand in state.hands)
                if state.phase != PLAY or state.out.bit_count() != 2 or cards > 7 or not legal:
                    continue
                known: dict = {}
                seat = state.turn
                seen = observe(state, seat)
                found = endgames.best_replies(seen, legal, read(seen))
                assert found is not None
                for action, (twice, money) in zip(legal, found, strict=True):
                    after = apply(state.copy(), action)
                    assert (twice / 2, money) == (best_place(after, seat, known), 0)
                    compared += 1
    assert compared > 200


def test_what_takes_too_long_is_imagined(monkeypatch):
    ruleset = preset("tien-len")
    for state, legal in walk(start(ruleset, deal(ruleset, 4, Random(1))), Random(1)):
        cards = sum(hand.bit_count() for hand in state.hands)
        if state.out.bit_count() == 2 and cards <= endgames.MOST_CARDS and len(legal) > 1:
            break
    seen = observe(state, state.turn)
    assert endgames.best_replies(seen, legal, read(seen)) is not None
    monkeypatch.setattr(endgames, "_MOST_POSITIONS", 0)
    assert endgames.best_replies(seen, legal, read(seen)) is None


@pytest.mark.parametrize("key", ["tien-len", "killa", "mien-nam", "dem-la"])
def test_a_ledger_tells_places_and_money_apart(key):
    ledger = Ledger(preset(key), 4)
    ends = [split(place) for place in ledger.places]
    assert [place / 2 for place, _ in ends] in ([1, 2, 3, 4], [1, 3, 3, 3])
    total = sum(ledger.places[0:3]) - 5 * ledger.chop
    assert split(total)[1] == sum(money for _, money in ends[:3]) - 5 * ledger.chop
    assert isclose(ledger.stake, 1 if preset(key).betting == "mien_nam" else 2)
