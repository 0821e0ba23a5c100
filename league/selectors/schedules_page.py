"""A season's schedules of bot tournaments."""

from __future__ import annotations

from dataclasses import dataclass

from league.models import Occurrence, Schedule, Season

SHOWN = 5


@dataclass(frozen=True)
class ScheduleView:
    """A schedule with its rule's kind and time, its bots, and the last times it was held."""

    schedule: Schedule
    every: str
    at: str
    bots: str
    held: list[Occurrence]


def schedules_of(season: Season) -> list[ScheduleView]:
    """All of the season, the oldest first."""
    held: dict[int, list[Occurrence]] = {}
    of_season = Occurrence.objects.filter(schedule__season=season).select_related("event")
    for occurrence in of_season.order_by("-day"):
        held.setdefault(occurrence.schedule_id, []).append(occurrence)
    return [
        ScheduleView(
            schedule,
            schedule.rule["every"],
            schedule.rule["at"],
            ", ".join(schedule.plan["bots"]),
            held.get(schedule.pk, [])[:SHOWN],
        )
        for schedule in season.schedules.select_related("ruleset")
    ]
