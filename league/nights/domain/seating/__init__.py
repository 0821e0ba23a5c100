"""Seating: who sits where, round by round, in plain values.

`plan` draws all rounds at once, `next_round` one more round for the people present; `quality`
measures any schedule and `lower_bound` says what none can undercut. docs/seating.md explains the
methods.
"""

from __future__ import annotations

from league.nights.domain.seating.bounds import lower_bound
from league.nights.domain.seating.dealers import first_dealers
from league.nights.domain.seating.next_round import next_round
from league.nights.domain.seating.placing import place_tables
from league.nights.domain.seating.planner import SeatingPlan, plan
from league.nights.domain.seating.quality import Quality, quality
from league.nights.domain.seating.round_quality import RoundQuality, round_quality
from league.nights.domain.seating.sizes import SeatingError, table_sizes

__all__ = [
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
]
