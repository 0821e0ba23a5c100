"""Bots: programs that get a seat's observation and legal actions, never the game."""

from collections.abc import Callable
from typing import NamedTuple, cast

from .base import Bot, OutsideMaker
from .greedy import GreedyBot
from .lowest import LowestBot
from .master import MasterBot
from .monte_carlo import DreamerBot, SageBot
from .planner import PlannerBot
from .plugins import Plugged, PluggedError, check_name, installed
from .random_bot import RandomBot

__all__ = [
    "BOTS", "LADDER", "RUNGS", "Bot", "PluggedError", "is_known", "is_outside",
    "look_elsewhere", "make", "register", "remembers", "version_of",
]  # fmt: skip

Maker = Callable[[int], Bot]


class _Register(dict[str, Maker]):
    """Makers of bots by name; an unlisted name is looked up elsewhere and stays unlisted."""

    elsewhere: Callable[[str], Maker | None] | None = None

    def __missing__(self, name: str) -> Maker:
        found = self.elsewhere(name) if self.elsewhere else None
        if found is None:
            raise KeyError(name)
        return found


class Rung(NamedTuple):
    """A bot of the ladder; a quick one chooses at once, others are slow for some cards."""

    name: str
    make: Maker
    quick: bool = False


RUNGS = (
    Rung("random", RandomBot, quick=True),
    Rung("lowest", LowestBot, quick=True),
    Rung("greedy", GreedyBot, quick=True),
    Rung("planner", PlannerBot),
    Rung("dreamer", DreamerBot),
    Rung("sage", SageBot),
    Rung("master", MasterBot),
)
"""The bots of this package, the weakest first; boxes, pages and benches follow this order."""
BOTS: dict[str, Maker] = _Register((rung.name, rung.make) for rung in RUNGS)
LADDER = tuple(BOTS)
"""Their names. Their tests vouch for them, so they play without supervision."""
BOTS.update((name, bot) for name, bot in installed().items() if name not in LADDER)


def make(name: str, seed: int) -> Bot:
    """Return a new bot with its own dice from `seed`; KeyError for an unknown name."""
    return BOTS[name](seed)


def register(name: str, bot: OutsideMaker | Plugged) -> None:
    """Add a bot to the list; PluggedError for a name of the ladder."""
    if check_name(name) in LADDER:
        raise PluggedError(f"{name} is a bot of the ladder: choose another name")
    BOTS[name] = bot


def look_elsewhere(find: Callable[[str], Maker | None]) -> None:
    """Use `find` to look up bots that are not listed, wherever one is named."""
    _Register.elsewhere = staticmethod(find)


def is_known(name: str) -> bool:
    try:
        BOTS[name]
    except KeyError:
        return False
    return True


def is_outside(name: str) -> bool:
    """Return whether a bot is an external program that runs in a process of its own."""
    return hasattr(BOTS[name], "rest")


def remembers(name: str) -> bool:
    """Return whether a bot keeps what it learns from one game to the next."""
    return is_outside(name) and cast(OutsideMaker, BOTS[name]).memory


def version_of(name: str) -> int:
    """Return a bot's version without making one; PluggedError if it cannot be loaded."""
    version: int = BOTS[name].version  # type: ignore[attr-defined]
    return version
