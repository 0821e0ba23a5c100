"""A season's schedules of nights and bot tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial

from django.db.models import Window
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils.translation import gettext as _

from league.base import texts
from league.base.page_parts import Badge, Button
from league.models import Event, Occurrence, Schedule, Season
from league.schedules.domain.recurrence import Recurrence

SHOWN = 5


@dataclass(frozen=True)
class Held:
    """A past time: the event created, or a message why there is none."""

    day: date
    event: Event | None
    problem: str


@dataclass(frozen=True)
class ScheduleView:
    """A schedule with its rule, next time, bots if it has any, and its last times.

    `next_time` is when the event begins; a night is created earlier, at `schedule.next_at`.
    """

    schedule: Schedule
    rule: Recurrence
    next_time: datetime | None
    bots: str
    held: list[Held]

    @property
    def badge(self) -> Badge | None:
        """Why the schedule creates no more events; None if it does."""
        if self.schedule.paused:
            return Badge(_("paused"), "done")
        return None if self.next_time else Badge(_("no further dates"), "done")

    @property
    def every(self) -> str:
        """How often the event repeats, in words."""
        words = {
            "once": _("once"),
            "week": _("every week"),
            "two_weeks": _("every two weeks"),
            "month": _("every month"),
            "day": _("every day"),
        }
        return words["two_weeks" if self.rule.interval == 2 else self.rule.every]

    @property
    def buttons(self) -> list[Button]:
        """The buttons to pause or resume, and to change the schedule."""
        season = self.schedule.season
        address = [season.club.slug, season.pk, self.schedule.pk]
        change = reverse("league:schedule_change", args=address)
        edit = reverse("league:schedule_edit", args=address)
        buttons = [Button(_("Change"), edit, about=self.schedule.name)]
        button = partial(Button, address=change, posts=True, name="change")
        if self.schedule.paused:
            return [button(_("Resume"), value="resume"), *buttons]
        if self.schedule.next_at:
            return [button(_("Pause"), value="pause"), *buttons]
        return buttons


def schedules_of(season: Season) -> list[ScheduleView]:
    """Return the season's schedules, the oldest first."""
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
            ", ".join(schedule.plan.get("bots", [])) or _("bots in divisions"),
            held.get(schedule.pk, []),
        )
        for schedule in season.schedules.select_related("ruleset")
    ]
