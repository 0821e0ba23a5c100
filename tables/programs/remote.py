"""Remote bots: they run anywhere, poll for positions, and answer when they can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import bots as engine_bots
from engine.rules.actions import SeatAction
from engine.rules.observation import Observation
from engine.rules.outcome import Outcome
from engine.sim.faults import Unanswered


@dataclass
class Remote:
    """A program on its author's machine; it may remember everything, so no deal may come twice."""

    name: str
    version: int
    memory: bool = True

    def __call__(self, seed: int) -> RemoteSeat:
        return RemoteSeat(self.name, self.version)

    def rest(self) -> None:
        """Do nothing: no process runs here."""


@dataclass
class RemoteSeat:
    """A seat in one game; its answers are in the game's log, or still missing."""

    name: str
    version: int

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Stop the game until the answer is in its log."""
        raise Unanswered(observation, legal)

    def end(self, result: Outcome | None) -> None:
        """Do nothing: authors read results from the records."""


def is_remote(name: str) -> bool:
    return isinstance(engine_bots.BOTS[name], Remote)
