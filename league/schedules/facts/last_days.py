"""The last day of a season, after which its schedules make no nights."""

import datetime
from collections.abc import Collection
from dataclasses import replace
from zoneinfo import ZoneInfo

from league.models import Club, Event, Schedule, Season
from league.schedules.domain.recurrence import Recurrence

NEAR = datetime.timedelta(days=14)
"""How long before the last day organisers read of it."""


def rule_of(schedule: Schedule) -> Recurrence:
    """Return the rule; one of nights ends with the season, unless it begins after it."""
    rule, last = Recurrence.from_json(schedule.rule), schedule.season.ends_on
    if last is None or schedule.kind != Event.Kind.NIGHT or last < rule.start:
        return rule
    return replace(rule, until=min(rule.until or last, last))


def is_over(schedule: Schedule, day: datetime.date) -> bool:
    """Return True for a night that would come after the last day of the schedule's season."""
    last = schedule.season.ends_on
    return schedule.kind == Event.Kind.NIGHT and last is not None and day > last


def goes_on(schedule: Schedule) -> bool:
    """Return True if the schedule would have nights after its season's last day."""
    last = schedule.season.ends_on
    if last is None or schedule.rule is None or schedule.kind != Event.Kind.NIGHT:
        return False
    rule = Recurrence.from_json(schedule.rule)
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
