"""A season's schedules of nights and bot tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Window
from django.db.models.functions import RowNumber

from league import texts
from league.domain.recurrence import Recurrence
from league.models import Event, Occurrence, Schedule, Season

SHOWN = 5


@dataclass(frozen=True)
class Held:
    """One time that is over: the event that was made, or in words why none was."""

    day: date
    event: Event | None
    problem: str


@dataclass(frozen=True)
class ScheduleView:
    """A schedule with its rule, its next time, its bots if it has any, and the last times.

    `next_time` is when the event begins; a night is made before it, at `schedule.next_at`.
    """

    schedule: Schedule
    rule: Recurrence
    next_time: datetime | None
    bots: str
    held: list[Held]

    @property
    def every(self) -> str:
        """How often: a word that the template knows."""
        return "two_weeks" if self.rule.interval == 2 else self.rule.every


def schedules_of(season: Season) -> list[ScheduleView]:
    """All of the season, the oldest first."""
    held: dict[int, list[Held]] = {}
    latest = Window(RowNumber(), partition_by="schedule", order_by="-day")
    of_season = Occurrence.objects.filter(schedule__season=season).annotate(number=latest)
    for time in of_season.filter(number__lte=SHOWN).select_related("event").order_by("-day"):
        problem = texts.stored(time.problem, time.problem_params)
        held.setdefault(time.schedule_id, []).append(Held(time.day, time.event, problem))
    return [
        ScheduleView(
            schedule,
            Recurrence.from_json(schedule.rule),
            schedule.next_at and schedule.next_at + timedelta(days=schedule.days_ahead),
            ", ".join(schedule.plan.get("bots", [])),
            held.get(schedule.pk, []),
        )
        for schedule in season.schedules.select_related("ruleset")
    ]
