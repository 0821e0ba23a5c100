"""Kinds of combinations as small numbers, and plays as integers.

A *shape* is a kind with its length: 1 to 4 for cards of one rank, ``STRAIGHT + n``,
``PAIR_RUN + n`` and ``QUAD_RUN + n`` for runs over n ranks. A *play* is
``(shape << 6 | highest card) << 104 | packed cards``; its upper part is its *code*. Of two
plays of one shape, the higher one has the higher code.
"""

from __future__ import annotations

from .cards import TWO
from .cardset import BITS, MASK, pack, unpack

SINGLE, PAIR, TRIPLE, QUAD = 1, 2, 3, 4
STRAIGHT, PAIR_RUN, QUAD_RUN = 16, 32, 48
EACH = (0, 1, 2, 4)
"""Cards per rank of a run, by the upper bits of its shape: straight, pair run, quad run."""
_KINDS = {SINGLE: "single", PAIR: "pair", TRIPLE: "triple", QUAD: "quad"}
_RUNS = {STRAIGHT: "straight", PAIR_RUN: "pair_run", QUAD_RUN: "quad_run"}


def kind(shape: int) -> str:
    """Return the name of the kind: single, pair, triple, quad, straight, pair_run, quad_run."""
    return _KINDS.get(shape) or _RUNS[shape & ~15]


_OF_SUIT = tuple(3 * pack(range(suit, 52, 4)) for suit in range(4))


def length(shape: int) -> int:
    """Return the length of a run in ranks, and 1 for cards of one rank."""
    return shape & 15 if shape >= STRAIGHT else 1


def size_of(shape: int) -> int:
    """Return the number of cards of a shape."""
    return shape if shape <= QUAD else (shape & 15) * EACH[shape >> 4]


def shape_of(play: int) -> int:
    return play >> (BITS + 6)


def code_of(play: int) -> int:
    """Return shape and highest card of a play."""
    return play >> BITS


def top_card(play: int) -> int:
    return (play >> BITS) & 63


def packed_of(play: int) -> int:
    """Return the cards of a play, packed."""
    return play & MASK


def cards_of(play: int) -> tuple[int, ...]:
    """Return the cards of a play, low to high."""
    return unpack(play & MASK)


def is_twos(play: int) -> bool:
    """Return whether a play consists of one to four 2s."""
    return shape_of(play) <= QUAD and top_card(play) >> 2 == TWO


def is_bomb(play: int) -> bool:
    """Return whether a play is a bomb: a pair run, quad or quad run."""
    shape = shape_of(play)
    return shape == QUAD or shape >= PAIR_RUN


def is_straight_flush(play: int) -> bool:
    if shape_of(play) & ~15 != STRAIGHT:
        return False
    return not play & MASK & ~_OF_SUIT[play >> BITS & 3]


def parse_shape(name: str) -> int:
    """Return the shape of a chop's name: ``Q``, ``PR3``, ``QR2``."""
    if name == "Q":
        return QUAD
    base = PAIR_RUN if name.startswith("PR") else QUAD_RUN
    return base + int(name[2:])
