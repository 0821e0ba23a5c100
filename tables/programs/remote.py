"""Bots that run anywhere: they ask for positions over the network, and answer when they can."""

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
    """A program on its author's machine. It may remember everything, so no deal comes twice."""

    name: str
    version: int
    memory: bool = True

    def __call__(self, seed: int) -> RemoteSeat:
        return RemoteSeat(self.name, self.version)

    def rest(self) -> None:
        """Do nothing: nothing of it is here."""


@dataclass
class RemoteSeat:
    """A seat of one game. Its answers are in the game's log, or not there yet."""

    name: str
    version: int

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Stop the game here, until the answer is in its log."""
        raise Unanswered(observation, legal)

    def end(self, result: Outcome | None) -> None:
        """Do nothing: who wants to know reads the records."""


def is_remote(name: str) -> bool:
    """Tell whether a bot is asked over the network."""
    return isinstance(engine_bots.BOTS[name], Remote)
