"""Faults of bots in a game: a bot at fault is replaced for the rest, and the game goes on."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, NamedTuple

from ..bots.base import Bot
from ..bots.plugins import PluggedError
from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.outcome import Outcome

ILLEGAL, SLOW, CRASHED, PROTOCOL = "illegal", "slow", "crashed", "protocol"
KINDS = (ILLEGAL, SLOW, CRASHED, PROTOCOL)
_MOST_TEXT = 1500
_ENGINE = f"{PurePath(__file__).parents[1]}/"


class BotFault(Exception):
    """A bot's fault; `kind` is one of KINDS, the text describes it.

    `move` is the number of actions played before it, -1 if it is not known.
    """

    def __init__(self, kind: str, text: str, move: int = -1) -> None:
        # A program may write any code point; the text must be encoded and stored.
        text = text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        super().__init__(text[-_MOST_TEXT:])
        self.kind, self.move = kind, move


class Fault(NamedTuple):
    """A bot's verdict in one game that its substitute finished; numbers count from 0."""

    bot: int
    kind: str
    deal: int
    game: int
    text: str
    move: int = -1


class Unanswered(Exception):
    """Raised when a remote bot is asked: the game goes on once its answer arrives."""

    def __init__(self, observation: Observation, legal: Sequence[SeatAction]) -> None:
        super().__init__("A bot over the network has not answered yet.")
        self.observation, self.legal = observation, legal


Decided = str | Sequence[Any]
"""A decision: an action as text, or a fault as its kind, text and move."""


class GameLog:
    """A game's decisions so far, in order.

    A game with a log first replays it without asking a bot, then adds new decisions to it.
    `thoughts` has the bot and the seconds of each decision that was timed.
    """

    def __init__(
        self,
        entries: Sequence[Decided] = (),
        thoughts: Sequence[tuple[int, float]] = (),
    ) -> None:
        self.entries, self.thoughts = list(entries), list(thoughts)
        self._read = 0

    def read(self) -> Decided | None:
        """Return the next known entry, or None once all are read."""
        if self._read == len(self.entries):
            return None
        self._read += 1
        return self.entries[self._read - 1]

    def write(self, entry: Decided) -> None:
        self.entries.append(entry)
        self._read = len(self.entries)


@dataclass(frozen=True)
class Conditions:
    """The conditions of games apart from who plays; none of them changes the choices of sound bots.

    `substitute` plays on for a bot at fault. `clock` returns seconds, to measure how long bots
    think; without it nothing is timed. `guard` surrounds each question to a bot outside the ladder,
    given its name, and raises a BotFault if the bot hangs. `keep` collects the records of all
    games. With `forfeits` a bot at fault has the last place; without, its substitute's result.
    `logs` returns the decisions already made in a game, by its deal and its number.
    """

    substitute: str = "lowest"
    clock: Callable[[], float] | None = None
    guard: Callable[[str], AbstractContextManager[object]] = nullcontext
    keep: bool = False
    forfeits: bool = True
    logs: Callable[[int, int], GameLog | None] = lambda _deal, _game: None


def ask(bot: Bot, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
    """Return the bot's choice, one of the legal actions; raises BotFault for anything else."""
    with crashes():
        choice = bot.choose(observation, tuple(legal))
        known = choice in legal
    if not known:
        raise BotFault(ILLEGAL, f"It chose {str(choice)[:200]}, which is not among what it may do.")
    return choice


@contextmanager
def crashes() -> Iterator[None]:
    """Turn exceptions of a bot into its fault; a MemoryError is the machine's."""
    try:
        yield
    except (BotFault, OurFault, Unanswered, PluggedError, MemoryError):
        raise
    except Exception as error:
        raise BotFault(CRASHED, own_words(error)) from error


def own_words(error: BaseException, hidden: str = "") -> str:
    """Return an exception as its author reads it: the frames of his own files, without folders.

    Frames of the engine and of the file `hidden` are left out.
    """
    told = traceback.TracebackException.from_exception(error, limit=-30)
    each: traceback.TracebackException | None = told
    while each is not None:
        frames = [frame for frame in each.stack if _is_own(frame.filename, hidden)]
        each.stack = traceback.StackSummary.from_list(
            [(PurePath(one.filename).name, one.lineno or 0, one.name, one.line) for one in frames]
        )
        each = each.__cause__ or each.__context__
    return "".join(told.format()).strip()


def _is_own(filename: str, hidden: str) -> bool:
    return not filename.startswith(("<frozen", _ENGINE)) and filename != hidden


class OurFault(Exception):
    """A bot cannot be asked, through no fault of its own: the games must be played again."""


def forfeit(result: Outcome, at_fault: Sequence[int]) -> Outcome:
    """Return the outcome that counts: seats at fault are last, the first of them lowest.

    A substitute plays on only to give the others a fair game. The money of seats at fault is never
    above zero: what was paid to them goes back to the payers, the last payment first.
    """
    order = list(dict.fromkeys(at_fault))
    if not order:
        return result
    sound = [tuple(seat for seat in group if seat not in order) for group in result.placings]
    placings = (*(group for group in sound if group), *((seat,) for seat in reversed(order)))
    net = list(result.net)
    for payment in reversed(result.payments):
        if payment.receiver in order and net[payment.receiver] > 0:
            back = min(payment.amount, net[payment.receiver])
            net[payment.receiver] -= back
            net[payment.sender] += back
    return result._replace(placings=placings, net=tuple(net))
