"""Standings of a night and of a season, each number with the sum that makes it."""

from league.domain.keys import Key, Pair

from .counting import nights_of
from .facts import Adjustment, Facts, Tally, meetings
from .nights import Line, Night, Placing
from .rows import Row
from .table import MeetingsOf, person_rows, standings, table_of_nights, table_of_rows

__all__ = [
    "Adjustment",
    "Facts",
    "Key",
    "Line",
    "MeetingsOf",
    "Night",
    "Pair",
    "Placing",
    "Row",
    "Tally",
    "meetings",
    "nights_of",
    "person_rows",
    "standings",
    "table_of_nights",
    "table_of_rows",
]
