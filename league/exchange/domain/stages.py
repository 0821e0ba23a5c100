"""How far the work on a file has come, told while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Stage(StrEnum):
    """What a worker does with a file, in this order."""

    READING = "reading"
    SAVING = "saving"
    CHECKING = "checking"


Tell = Callable[[Stage, int, int], None]
"""Takes the stage, how much of it is done, and of how much; 0 where nobody knows."""


def tell_nobody(stage: Stage, done: int, total: int) -> None:
    """Say nothing: nobody waits for it."""
