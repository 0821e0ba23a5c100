"""Matching of colours and suits, within a combination and with the play that it beats."""

from __future__ import annotations

from .cards import TWO
from .cardset import BITS, CARD, MASK, pack
from .ruleset import Ruleset, long_straights
from .shapes import (
    PAIR,
    PAIR_RUN,
    QUAD,
    QUAD_RUN,
    SINGLE,
    STRAIGHT,
    cards_of,
    is_straight_flush,
    is_twos,
    kind,
    shape_of,
)

_RED = 3 * pack(card for card in range(52) if card & 2)
_TWOS = CARD[4 * TWO]


def forms(ruleset: Ruleset, play: int) -> bool:
    """Return whether the cards of a play match each other; a pair of 2s always does."""
    shape = shape_of(play)
    if shape == PAIR:
        return ruleset.pairs_match == "any" or play & MASK >= _TWOS or _is_one_colour(play)
    if STRAIGHT < shape < PAIR_RUN:
        return ruleset.straights_match == "any" or is_straight_flush(play)
    if PAIR_RUN < shape < QUAD_RUN:
        if ruleset.pair_runs_match == "colour":
            return _is_one_colour(play)
        return ruleset.pairs_match == "any" or _pairs_of_one_colour(play)
    return True


def follows(ruleset: Ruleset, play: int, top: int) -> bool:
    """Return whether a higher play matches the suits of `top`; chops, bombs and 2s always do."""
    shape = shape_of(play)
    if not ruleset.answers_match or shape != shape_of(top) or _is_free(ruleset, shape):
        return True
    if shape == SINGLE:
        return play & MASK >= _TWOS or not (play ^ top) >> BITS & 3
    if shape == QUAD or shape > PAIR_RUN or is_twos(play):
        return True
    if shape == PAIR and ruleset.pairs_match == "colour":
        return bool(play & _RED) == bool(top & _RED)
    return _suits(play) == _suits(top)


def following(ruleset: Ruleset, plays: list[int], top: int) -> list[int]:
    """Return the plays that match the suits of `top`, which all of them beat but for that."""
    shape = shape_of(top)
    if not ruleset.answers_match or _is_free(ruleset, shape):
        return plays
    if shape != SINGLE:
        return [play for play in plays if follows(ruleset, play, top)]
    suit = top >> BITS & 3  # The commonest answers, without a call for each.
    return [
        play
        for play in plays
        if play >> BITS & 3 == suit or play & MASK >= _TWOS or shape_of(play) != SINGLE
    ]


def _is_free(ruleset: Ruleset, shape: int) -> bool:
    """Return whether a shape is beaten in any suits."""
    if shape >= STRAIGHT + 5 and shape < PAIR_RUN and long_straights(ruleset):
        return True
    return bool(ruleset.answers_free) and kind(shape) in ruleset.answers_free


def _suits(play: int) -> list[int]:
    return sorted([card & 3 for card in cards_of(play)])


def _is_one_colour(play: int) -> bool:
    red = play & _RED
    return not red or red == play & MASK


def _pairs_of_one_colour(play: int) -> bool:
    cards = cards_of(play)
    return all(
        one >> 2 == TWO or (one ^ other) >> 1 & 1 == 0
        for one, other in zip(cards[::2], cards[1::2], strict=True)
    )
