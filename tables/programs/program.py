"""Programs as bots: the interface of `engine.bots`, answered by an external process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from engine.records import wire
from engine.rules.actions import SeatAction, action_text
from engine.rules.observation import Observation
from engine.rules.outcome import Outcome
from engine.sim.faults import ILLEGAL, PROTOCOL, BotFault, OurFault
from tables.programs.process import START_SECONDS, Limits, Process, shown

_SAFE = 2**53
"""Integers below it are exact in every language's JSON."""


@dataclass
class Program:
    """A program that the administrator allows to play; makes a bot for each game.

    Each game has its own process, so that nothing is carried over. With `memory` one process plays
    games in sequence until the block ends. It is jailed unless `trusted`, sees its folder and the
    `read` paths, and never our data.
    """

    name: str
    command: tuple[str, ...]
    folder: Path
    version: int
    limits: Limits = field(default_factory=Limits)
    memory: bool = False
    trusted: bool = False
    read: tuple[Path, ...] = ()
    question: Callable[[Observation, Sequence[SeatAction]], dict[str, Any]] = wire.turn
    _idle: list[Process] = field(default_factory=list)

    def __call__(self, seed: int) -> ProgramBot:
        return ProgramBot(self, seed)

    def take(self) -> Process:
        if self._idle:
            return self._idle.pop()
        process = Process(
            self.command,
            self.folder,
            self.limits,
            trusted=self.trusted,
            read=self.read,
            hidden=(settings.DATA_DIR,),
        )
        try:
            if process.ask(wire.hello(), seconds=START_SECONDS).get("type") != "ready":
                raise BotFault(PROTOCOL, 'It must answer "hello" with {"type": "ready"}.')
        except BaseException:
            process.stop()
            raise
        return process

    def give_back(self, process: Process) -> None:
        """Take back a process after a game that it played to the end."""
        if self.memory:
            self._idle.append(process)
        else:
            process.stop()

    def rest(self) -> None:
        while self._idle:
            self._idle.pop().stop()


class ProgramBot:
    """A seat in one game, played by an external program."""

    def __init__(self, program: Program, seed: int) -> None:
        self.name, self.version = program.name, program.version
        self._program, self._seed = program, seed
        self._process: Process | None = None

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the program's choice; raise `BotFault` if it is not a legal one.

        The program's code runs in its own process, so any other exception is our fault.
        """
        try:
            return self._choice(observation, legal)
        except (BotFault, OurFault, MemoryError):
            raise
        except Exception as error:
            raise OurFault(f"{self.name} could not be asked: {error!r}") from error

    def _choice(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        if self._process is None:
            self._process = self._program.take()
            self._process.tell(wire.game_begins(observation, self._seed % _SAFE))
        answer = self._process.ask(self._program.question(observation, legal))
        text = answer.get("action")
        if not isinstance(text, str):
            raise BotFault(PROTOCOL, f'Its answer has no text "action": {shown(answer)}')
        for action in legal:
            if action_text(action) == text:
                return action
        raise BotFault(ILLEGAL, f'It chose "{text[:200]}", which is not in "legal".')

    def end(self, result: Outcome | None) -> None:
        """Report the game's result to the program; stop it on `None`, when it was replaced."""
        process, self._process = self._process, None
        if process is None:
            return
        if result is None:
            process.stop()
            return
        process.tell(wire.game_ends(result))
        self._program.give_back(process)
