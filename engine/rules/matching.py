"""Matching of colours and suits, within a combination and with the play that it beats."""

from __future__ import annotations

from engine.rules.cards import TWO
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import (
    PAIR,
    PAIR_RUN,
    QUAD_RUN,
    STRAIGHT,
    cards_of,
    is_bomb,
    is_straight_flush,
    is_twos,
    shape_of,
)


def forms(ruleset: Ruleset, play: int) -> bool:
    """Return whether the cards of a play match each other; a pair of 2s always does."""
    shape = shape_of(play)
    if shape == PAIR:
        return ruleset.pairs_match == "any" or is_twos(play) or len(_colours(play)) == 1
    if STRAIGHT < shape < PAIR_RUN:
        return ruleset.straights_match == "any" or is_straight_flush(play)
    if PAIR_RUN < shape < QUAD_RUN:
        if ruleset.pair_runs_match == "colour":
            return len(_colours(play)) == 1
        return ruleset.pairs_match == "any" or _pairs_of_one_colour(play)
    return True


def follows(ruleset: Ruleset, play: int, top: int) -> bool:
    """Return whether a higher play matches the suits of `top`; chops, bombs and 2s always do."""
    if not ruleset.answers_match or shape_of(play) != shape_of(top):
        return True
    if is_bomb(play) or is_twos(play):
        return True
    if shape_of(play) == PAIR and ruleset.pairs_match == "colour":
        return _colours(play) == _colours(top)
    return _suits(play) == _suits(top)


def _suits(play: int) -> list[int]:
    return sorted(card & 3 for card in cards_of(play))


def _colours(play: int) -> set[int]:
    return {card >> 1 & 1 for card in cards_of(play)}


def _pairs_of_one_colour(play: int) -> bool:
    cards = cards_of(play)
    return all(
        one >> 2 == TWO or (one ^ other) >> 1 & 1 == 0
        for one, other in zip(cards[::2], cards[1::2], strict=True)
    )
