"""Standings of a night and of a season, each number with the terms of its sum."""

from league.base.domain.keys import Key, Pair

from .counting import nights_of
from .facts import AdjustmentFact, Facts, TallyFact, meetings
from .nights import Finish, Line, NightPart, Share
from .rows import StandingsRow, with_rank
from .table import MeetingsOf, person_rows, standings, table_of_nights, table_of_rows

__all__ = [
    "AdjustmentFact",
    "Facts",
    "Key",
    "Line",
    "MeetingsOf",
    "NightPart",
    "Pair",
    "Finish",
    "Share",
    "StandingsRow",
    "TallyFact",
    "meetings",
    "nights_of",
    "person_rows",
    "standings",
    "table_of_nights",
    "table_of_rows",
    "with_rank",
]
