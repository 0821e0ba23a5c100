"""The protocols of bots."""

from collections.abc import Sequence
from typing import Protocol

from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.outcome import Outcome


class Bot(Protocol):
    """A program that plays a seat; `version` changes whenever its choices may."""

    name: str
    version: int

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return one of the legal actions."""
        ...


class Reflex(Bot, Protocol):
    """A bot that needs only its own legal plays to choose a play in a trick.

    `pick` gets the plays (engine.rules.shapes) of the seat to act in the generator's order, the
    play to beat (0 when it leads), and whether it is forward; it returns one of the plays, or 0 for
    a pass. It must choose as `choose` does: simulations call the faster of the two.
    """

    def pick(self, plays: list[int], top: int, forward: bool) -> int: ...


class Outside(Bot, Protocol):
    """A bot that runs in a process of its own: its games cannot be reproduced."""

    def end(self, result: Outcome | None) -> None:
        """Handle the end of a game; None if the bot was replaced or the game is not over."""
        ...


class OutsideMaker(Protocol):
    """A maker of outside bots. With `memory`, a bot keeps what it learns from game to game."""

    version: int
    memory: bool

    def __call__(self, seed: int) -> Outside: ...

    def rest(self) -> None:
        """Release resources kept between games; called after a block of games."""
        ...
