"""Progress reports during the work on a file."""

from collections.abc import Callable
from enum import StrEnum


class Stage(StrEnum):
    """The stages of a worker's job on a file, in order."""

    READING = "reading"
    SAVING = "saving"
    CHECKING = "checking"


Tell = Callable[[Stage, int, int], None]
"""A progress callback: the stage, the amount done and the total, or 0 if it is unknown."""


def tell_nobody(stage: Stage, done: int, total: int) -> None:
    """Discard a progress report."""
