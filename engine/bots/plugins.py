"""Third-party bots: classes named by entry points, loaded on first use."""

import re
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .base import Bot

GROUP = "tienlen.bots"
"""The entry point group in which a package names its bots: ``miser = "miser:MiserBot"``."""
_NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")


class PluggedError(Exception):
    """A third-party bot has an invalid name or class, or cannot be loaded."""


class Plugged:
    """A maker of bots of the class that an entry point names."""

    def __init__(self, entry: EntryPoint) -> None:
        self.entry = entry

    def __call__(self, seed: int) -> Bot:
        made: Bot = self.load()(seed)
        return made

    @property
    def version(self) -> int:
        return int(self.load().version)

    def load(self) -> Any:
        """Return the class; raises PluggedError, with the reason, if it is not a bot."""
        entry = f"{self.entry.name} = {self.entry.value}"
        try:
            found = self.entry.load()
        except Exception as error:
            raise PluggedError(f"{entry}: {type(error).__name__}: {error}") from error
        if not callable(getattr(found, "choose", None)):
            raise PluggedError(f"{entry}: the class has no method choose(self, observation, legal)")
        version = getattr(found, "version", None)
        if isinstance(version, bool) or not isinstance(version, int) or not 0 <= version < 10**9:
            raise PluggedError(f"{entry}: the class needs a version, a whole number")
        return found


def check_name(name: str) -> str:
    """Return a bot's name; raises PluggedError, with the required form, if it is invalid."""
    if not _NAME.fullmatch(name):
        raise PluggedError(
            f"{name[:40]!r} is no name of a bot: up to 30 small letters, digits and hyphens, "
            "beginning with a letter"
        )
    return name


def installed() -> dict[str, Plugged]:
    """Return the bots of installed packages by name, without loading any."""
    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: Plugged(entry) for entry in entries if _NAME.fullmatch(entry.name)}
