"""The previous game as the next one inherits it, and the steps of an exchange."""

from typing import NamedTuple

ASK, GIVE, MOVE, RETURN = "ask", "give", "move", "return"
TWOS, HIGHEST = "twos", "highest"


class PastChop(NamedTuple):
    """A chop of the previous game; `twos` is the number of 2s that it was played on."""

    by: int
    of: int
    level: int
    twos: int


class Previous(NamedTuple):
    """The previous game, as far as the next one depends on it.

    `placings` are groups of seats, first place first; `twos_left` the number of 2s left with each
    seat; `gone` the seats that have a new player.
    """

    placings: tuple[tuple[int, ...], ...]
    chops: tuple[PastChop, ...] = ()
    twos_left: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()


class Step(NamedTuple):
    """One step of an exchange: `seat` acts (or receives, in a move), `other` is the partner.

    * ask: `seat` asks `other` for a rank and then returns one card
    * give: `seat` chooses `number` of its 2s for `other`, who returns as many
    * move: `number` cards of `other` (its highest 2s or highest cards) go to `seat`
      automatically; with `back`, `seat` then returns as many
    * return: `seat` gives any `number` cards to `other`
    """

    do: str
    seat: int
    other: int
    number: int = 1
    what: str = HIGHEST
    back: bool = True
