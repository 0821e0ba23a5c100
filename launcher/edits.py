"""A developer's edits of Python, seen at the next look: with `DEBUG` alone."""

import os
from collections.abc import Sequence
from pathlib import Path

from launcher.locations import ROOT
from launcher.output import tell
from launcher.supervisor import Supervised

FOLDERS = ("accounts", "config", "engine", "league", "tables")


def are_watched() -> bool:
    return os.environ.get("DEBUG", "").lower() in ("1", "true", "yes", "on")


class Edits:
    """A periodic check of the sources, which starts programs again after a change."""

    def __init__(self, programs: Sequence[Supervised], root: Path = ROOT) -> None:
        self._programs, self._root = programs, root
        self._seen = self._times()

    def look(self) -> None:
        """Start the programs again if a file was changed, added or removed since the last look."""
        if (times := self._times()) == self._seen:
            return
        changed = min(name for name, _time in times.items() ^ self._seen.items())
        self._seen = times
        tell(f"{changed} has changed: the web starts again. Workers go on with the old code.")
        for program in self._programs:
            program.stop()
            program.start()

    def _times(self) -> dict[str, int]:
        files = (file for folder in FOLDERS for file in (self._root / folder).rglob("*.py"))
        return {str(file.relative_to(self._root)): _changed_at(file) for file in files}


def _changed_at(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:  # An editor replaces it just now.
        return 0
