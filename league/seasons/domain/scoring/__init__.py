"""Points: the value of a placing, and how nights and seasons count."""

from .errors import FieldError
from .exact import read_exact, read_object, read_settings, typed
from .points import (
    PERCENTAGE,
    POINTS_NAMES,
    READY,
    SIZES,
    STAKE_RESULT,
    STANDARD,
    WINNER_TAKES_ALL,
    PointsTable,
    points_for,
    points_for_place,
)
from .rules import COUNTING_NAMES, COUNTINGS, EXACT, GIVES_NAMES, Counting, Gives, Scoring

__all__ = [
    "COUNTINGS",
    "COUNTING_NAMES",
    "Counting",
    "EXACT",
    "FieldError",
    "GIVES_NAMES",
    "Gives",
    "PERCENTAGE",
    "POINTS_NAMES",
    "PointsTable",
    "READY",
    "SIZES",
    "STAKE_RESULT",
    "STANDARD",
    "Scoring",
    "WINNER_TAKES_ALL",
    "points_for",
    "points_for_place",
    "read_exact",
    "read_object",
    "read_settings",
    "typed",
]
