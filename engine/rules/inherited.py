"""What a game inherits from the one before, and the exchange steps that follow from it."""

from __future__ import annotations

from typing import NamedTuple

ASK, GIVE, MOVE, RETURN = "ask", "give", "move", "return"
TWOS, HIGHEST = "twos", "highest"


class PastChop(NamedTuple):
    """A chop of the previous game, as far as debts need it; `twos` counts 2s it was played on."""

    by: int
    of: int
    level: int
    twos: int


class Previous(NamedTuple):
    """What a game inherits from the one before.

    `placings` are groups of seats, first place first; `twos_left` the number of 2s that each
    seat was left holding; `gone` the seats that have a new player since.
    """

    placings: tuple[tuple[int, ...], ...]
    chops: tuple[PastChop, ...] = ()
    twos_left: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()


class Step(NamedTuple):
    """One step of an exchange: `seat` acts (or receives, in a move), `other` is the partner.

    * ask: `seat` asks `other` for a rank and then returns one card
    * give: `seat` chooses `number` of its 2s for `other`, who returns as many
    * move: `number` cards of `other` (its highest 2s or highest cards) go to `seat` by
      themselves; where `back` is on, `seat` then returns as many
    * return: `seat` gives any `number` cards to `other`
    """

    do: str
    seat: int
    other: int
    number: int = 1
    what: str = HIGHEST
    back: bool = True
