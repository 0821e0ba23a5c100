"""Scores where all tables play the same deals: against those who held the same hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import stdev
from typing import NamedTuple

from league.base.domain.grouped import grouped
from league.base.domain.keys import Key

HANDS = 4
HALF = Fraction(1, 2)
SURE = 1.96
"""Standard errors on each side of an interval that holds the true value 19 times out of 20."""


class HeldHand(NamedTuple):
    """A hand of one deal that an entrant played, with the place it took there."""

    deal: tuple[Key, int]
    hand: int
    entrant: Key
    rank: int
    tied: int = 1
    size: int = HANDS
    table_no: int = 0


class Beaten(NamedTuple):
    """The shares of the other holders that an entrant beat: their sum over so many deals."""

    sum: Fraction
    deals: int

    @property
    def percent(self) -> Fraction:
        """The mean share, from 0 to 100."""
        return 100 * self.sum / self.deals


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand with the share of its other holders that its player beat; ties count half."""

    held: HeldHand
    share: Fraction


def hand_of(seat: int, number: int) -> int:
    """Return the hand that a seat has in a round's deal of this number: they turn by one."""
    return (seat + number) % HANDS


def shares(values: Sequence[Fraction | int]) -> list[Fraction]:
    """Return for each holder the share of the others that are worse; lower values are better.

    They sum to half the holders. Who is compared with nobody has one half.
    """
    others = len(values) - 1
    if not others:
        return [HALF]
    return [
        Fraction(2 * sum(own < each for each in values) + values.count(own) - 1, 2 * others)
        for own in values
    ]


def differences(money: Sequence[int]) -> list[Fraction]:
    """Return for each holder the mean difference to each other holder; they sum to zero."""
    others = len(money) - 1
    return [Fraction(others * own - (sum(money) - own), others or 1) for own in money]


def fields(held: Iterable[HeldHand]) -> Iterable[list[HeldHand]]:
    """Return all who held the same hand, hand by hand."""
    return grouped(((one.deal, one.hand), one) for one in held).values()


def played_hands(held: Iterable[HeldHand]) -> list[PlayedHand]:
    """Return every hand with its share, by deal and hand."""
    return [
        PlayedHand(one, share)
        for field in fields(held)
        for one, share in zip(field, shares([_place(each) for each in field]), strict=True)
    ]


def by_entrant(hands: Iterable[PlayedHand]) -> Mapping[Key, list[Fraction]]:
    """Return everyone's shares, deal by deal."""
    return grouped((one.held.entrant, one.share) for one in hands)


def error(own: Sequence[Fraction]) -> float | None:
    """Return how far the mean percent may be off, 19 times out of 20; None for one deal."""
    if len(own) < 2:
        return None
    return SURE * 100 * stdev(map(float, own)) / math.sqrt(len(own))


def _place(held: HeldHand) -> Fraction:
    """Return the place from 0, first, to 1, last: tables of other sizes are compared by it."""
    return Fraction(2 * (held.rank - 1) + held.tied - 1, 2 * (held.size - 1))
