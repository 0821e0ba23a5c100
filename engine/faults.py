"""What a bot may do wrong in a game: it is replaced for the rest, and the game goes on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from engine.actions import Action
from engine.bots.base import Bot
from engine.bots.plugged import PluggedError
from engine.observation import Observation

ILLEGAL, SLOW, CRASHED, PROTOCOL = "illegal", "slow", "crashed", "protocol"
KINDS = (ILLEGAL, SLOW, CRASHED, PROTOCOL)
_MOST_TEXT = 1500


class BotFault(Exception):
    """A bot did something wrong; `kind` is one of KINDS, the text says what in words."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text[-_MOST_TEXT:])
        self.kind = kind


class Fault(NamedTuple):
    """A bot's verdict in one game, in which another played on for it; numbers count from 0."""

    bot: int
    kind: str
    deal: int
    game: int
    text: str


@dataclass(frozen=True)
class Conditions:
    """How games are played besides who plays: nothing here changes what sound bots do.

    `substitute` plays on for a bot that did wrong. `clock` gives seconds, to say how long bots
    think; without it nothing is timed. `guard` surrounds each question to a bot that is not of
    the ladder, and raises a BotFault where that hangs. `keep` asks for the records of all games.
    """

    substitute: str = "lowest"
    clock: Callable[[], float] | None = None
    guard: Callable[[], AbstractContextManager[object]] = nullcontext
    keep: bool = False


def ask(bot: Bot, observation: Observation, legal: Sequence[Action]) -> Action:
    """Return the bot's choice, one of the legal actions; raises BotFault for anything else."""
    with crashes():
        choice = bot.choose(observation, tuple(legal))
        known = choice in legal
    if not known:
        raise BotFault(ILLEGAL, f"It chose {str(choice)[:200]}, which is not among what it may do.")
    return choice


@contextmanager
def crashes() -> Iterator[None]:
    """Turn whatever a bot raises into its fault; memory that runs out is the machine's."""
    try:
        yield
    except (BotFault, OurFault, PluggedError, MemoryError):
        raise
    except Exception as error:
        lines = traceback.format_exception(error)
        raise BotFault(CRASHED, "".join(lines).strip()) from error


class OurFault(Exception):
    """A bot cannot be asked through no fault of its own: the games are to be played again."""
