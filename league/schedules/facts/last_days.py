"""The last day of a season, after which its schedules make no nights."""

import datetime
from collections.abc import Collection
from dataclasses import replace
from zoneinfo import ZoneInfo

from league.models import Club, Event, Schedule, Season
from league.models.days import day_of_start
from league.schedules.domain.recurrence import Recurrence

NEAR = datetime.timedelta(days=14)
"""How long before the last day organisers read of it."""


def rule_of(schedule: Schedule) -> Recurrence:
    """Return the rule; one of nights ends with the season, unless it begins after it."""
    rule = Recurrence.from_json(schedule.rule)
    last = _last_date(schedule, rule)
    if last is None or last < rule.start:
        return rule
    return replace(rule, until=min(rule.until or last, last))


def is_over(schedule: Schedule, day: datetime.date) -> bool:
    """Return True for a night that would come after the last day of the schedule's season."""
    last = _last_date(schedule, Recurrence.from_json(schedule.rule))
    return last is not None and day > last


def _last_date(schedule: Schedule, rule: Recurrence) -> datetime.date | None:
    """Return the last local date of the schedule's nights in its season; None without a last.

    What begins after midnight is of the last evening too.
    """
    last = schedule.season.ends_on
    if last is None or schedule.kind != Event.Kind.NIGHT:
        return None
    return last + (last - day_of_start(last, rule.at))


def goes_on(schedule: Schedule) -> bool:
    """Return True if the schedule would have nights after its season's last day."""
    if schedule.rule is None:
        return False
    rule = Recurrence.from_json(schedule.rule)
    last = _last_date(schedule, rule)
    if last is None:
        return False
    ends = datetime.datetime.combine(last, datetime.time.max, tzinfo=ZoneInfo(rule.zone))
    return rule.next(ends) is not None


def ending_seasons(clubs: Collection[Club]) -> list[Season]:
    """Return the open seasons whose last day is near or over, and stops a schedule of nights."""
    near = Schedule.objects.filter(
        season__club__in=clubs,
        season__status=Season.Status.OPEN,
        season__ends_on__isnull=False,
        kind=Event.Kind.NIGHT,
        paused=False,
        rule__isnull=False,
    ).select_related("season__club")
    found = {
        one.season
        for one in near
        if one.season.ends_on
        and one.season.ends_on - NEAR <= one.season.club.today
        and goes_on(one)
    }
    return sorted(found, key=lambda season: season.pk)
