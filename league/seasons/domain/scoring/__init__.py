"""Points: what a placing is worth and how a night and a season count."""

from .errors import FieldError
from .exact import read_exact
from .points import (
    PERCENTAGE,
    READY,
    SIZES,
    STAKE_RESULT,
    STANDARD,
    WINNER_TAKES_ALL,
    PointsTable,
    points_for,
)
from .rules import COUNTINGS, Counting, Scoring

__all__ = [
    "COUNTINGS",
    "Counting",
    "FieldError",
    "PERCENTAGE",
    "PointsTable",
    "READY",
    "SIZES",
    "STAKE_RESULT",
    "STANDARD",
    "Scoring",
    "WINNER_TAKES_ALL",
    "points_for",
    "read_exact",
]
