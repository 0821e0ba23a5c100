"""What a bot is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.bots.values import ActionValue
from engine.rules.actions import SeatAction
from engine.rules.observation import Observation
from engine.rules.outcome import Outcome


class Bot(Protocol):
    """A player by program; `version` changes whenever its choices may."""

    name: str
    version: int

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return one of the legal actions."""
        ...


class Reflex(Bot, Protocol):
    """A bot whose play of a trick needs no more than its own legal plays.

    `pick` gets the plays (engine.rules.shapes) of the seat to act in the generator's order, the
    play to beat (0 when it leads), and whether it is forward; it returns one of the plays or 0
    for a pass. It must choose as `choose` does: simulations ask whichever is faster. A bot whose
    lead needs no list may also have `lead(hand, generator)`, which is what `pick` would choose
    from all plays of the hand.
    """

    def pick(self, plays: list[int], top: int, forward: bool) -> int: ...


class Searching(Bot, Protocol):
    """A bot that can say what each legal action is worth (engine.bots.values)."""

    def values(
        self, observation: Observation, legal: Sequence[SeatAction], games: int = 0
    ) -> list[ActionValue]: ...


class Outside(Bot, Protocol):
    """A bot that is asked in a process of its own: its games cannot be played again alike."""

    def end(self, result: Outcome | None) -> None:
        """Hear how the game ended; None for one that it is not in any more."""
        ...


class OutsideMaker(Protocol):
    """Makes outside bots. With `memory` one keeps what it learns from game to game."""

    version: int
    memory: bool

    def __call__(self, seed: int) -> Outside: ...

    def rest(self) -> None:
        """End what is kept between games: a block of games is over."""
        ...
