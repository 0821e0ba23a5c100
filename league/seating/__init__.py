"""Seating: draws of tables and seats, round by round, in plain values.

`plan` draws all rounds at once, `next_round` one more round for the players present. `quality`
measures any schedule, and `lower_bound` bounds its repeat meetings. docs/seating.md explains the
methods.
"""

from league.seating.bounds import lower_bound
from league.seating.dealers import first_dealers
from league.seating.next_round import Drawn, next_round
from league.seating.placing import place_tables
from league.seating.planner import SeatingPlan, plan
from league.seating.quality import Quality, quality
from league.seating.rests import who_rests
from league.seating.round_quality import RoundQuality, round_quality
from league.seating.sizes import SeatingError, table_sizes

__all__ = [
    "Drawn",
    "Quality",
    "RoundQuality",
    "SeatingPlan",
    "SeatingError",
    "first_dealers",
    "lower_bound",
    "next_round",
    "place_tables",
    "plan",
    "quality",
    "round_quality",
    "table_sizes",
    "who_rests",
]
