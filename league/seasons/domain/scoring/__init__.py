"""Points: the value of a placing, and how nights and seasons count."""

from .errors import FieldError
from .exact import read_exact, read_object, read_settings
from .points import (
    PERCENTAGE,
    READY,
    SIZES,
    STAKE_RESULT,
    STANDARD,
    WINNER_TAKES_ALL,
    PointsTable,
    points_for,
    points_for_place,
)
from .rules import COUNTING_NAMES, COUNTINGS, GIVES_NAMES, Counting, Gives, Scoring

__all__ = [
    "COUNTINGS",
    "COUNTING_NAMES",
    "Counting",
    "FieldError",
    "GIVES_NAMES",
    "Gives",
    "PERCENTAGE",
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
]
