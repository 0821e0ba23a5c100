"""Nights and bot tournaments made by themselves: rows that one tick compares with the clock."""

from __future__ import annotations

import datetime
import inspect
import logging
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from engine.ruleset import Ruleset
from league import texts
from league.domain.recurrence import Occurrence as Time
from league.domain.recurrence import Recurrence
from league.models import Event, Occurrence, Schedule, Season
from league.services import audit, bots, events
from tables.services import rulesets

log = logging.getLogger(__name__)

MOMENT = datetime.timedelta(microseconds=1)


@transaction.atomic
def create_schedule(
    *, season: Season, by: User, name: str, ruleset: Ruleset, plan: dict[str, Any], rule: Recurrence
) -> Schedule:
    """A schedule of tournaments with this `plan`: the bots, deals and so on of `bots`."""
    bots.check_bots(ruleset, plan["bots"], plan["design"])
    schedule = Schedule(season=season, by=by, ruleset=rulesets.freeze(ruleset))
    _set(schedule, name, plan, rule)
    _log("schedule.created", schedule, by)
    return schedule


@transaction.atomic
def repeat_night(
    *, season: Season, by: User, name: str, plan: dict[str, Any], rule: Recurrence, days_ahead: int
) -> Schedule:
    """A schedule of nights, each made `days_ahead`; `plan` as in `events.plan_of`.

    A number at the end of `name` counts on from night to night; to other names the day is added.
    """
    schedule = Schedule(season=season, by=by, kind=Event.Kind.NIGHT, days_ahead=days_ahead)
    _set(schedule, name, plan, rule)
    _log("schedule.created", schedule, by)
    return schedule


@transaction.atomic
def change_schedule(
    *,
    schedule: Schedule,
    by: User,
    name: str,
    plan: dict[str, Any],
    rule: Recurrence,
    ruleset: Ruleset | None = None,
    days_ahead: int = 0,
) -> None:
    """Another plan or rule from now on. A day that had its event gets no second one.

    `ruleset` is for tournaments, `days_ahead` for nights.
    """
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    if ruleset is not None:
        bots.check_bots(ruleset, plan["bots"], plan["design"])
        schedule.ruleset = rulesets.freeze(ruleset)
    schedule.days_ahead = days_ahead
    _set(schedule, name, plan, rule)
    _log("schedule.changed", schedule, by)


@transaction.atomic
def pause_schedule(*, schedule: Schedule, by: User, paused: bool) -> None:
    """Holds a schedule, or lets it go on with its next time; what fell due meanwhile is past."""
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    schedule.paused = paused
    schedule.next_at = None if paused else _next(schedule, timezone.now())
    schedule.save()
    _log("schedule.paused" if paused else "schedule.resumed", schedule, by)


@transaction.atomic
def delete_schedule(*, schedule: Schedule, by: User) -> None:
    """Ends a schedule; what it made stays."""
    _log("schedule.deleted", schedule, by)
    schedule.delete()


def check_plan(kind: str, plan: dict[str, Any]) -> None:
    """TypeError for a plan that is not what makes events of that kind: one of another hand."""
    make: Any = events.create_event if kind == Event.Kind.NIGHT else bots.create_bot_event
    own = {} if kind == Event.Kind.NIGHT else {"ruleset": None}
    inspect.signature(make).bind(season=None, by=None, name="", date=None, **own, **plan)


def tick(now: datetime.datetime | None = None) -> int:
    """Makes what is due; returns how many times of schedules were dealt with.

    However many ticks run at once, or however late, each time of a schedule is dealt with once:
    in one transaction the row is locked, the event made and the next time set. What passed while
    nothing ran is made up for, one time with each tick; a night whose day is over is only noted.
    """
    now = now or timezone.now()
    due = Schedule.objects.filter(next_at__lte=now).order_by("next_at")
    return sum(_begin(pk, now) for pk in list(due.values_list("pk", flat=True)[:100]))


@transaction.atomic
def _begin(pk: int, now: datetime.datetime) -> bool:
    schedule = (
        Schedule.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("season__club", "ruleset", "by")
        .filter(pk=pk, next_at__lte=now)
        .first()
    )
    if schedule is None:
        return False
    assert schedule.next_at is not None
    begins = schedule.next_at + _ahead(schedule)
    time = Recurrence.from_json(schedule.rule).next(begins - MOMENT)
    if time is not None and not schedule.occurrences.filter(day=time.day).exists():
        _hold(schedule, time, now)
    schedule.next_at = _next(schedule, begins)
    schedule.save(update_fields=["name", "next_at"])
    return True


def _hold(schedule: Schedule, time: Time, now: datetime.datetime) -> None:
    try:
        # In English a message is its own template, which every reader's catalogue knows.
        with translation.override("en"), transaction.atomic():
            if schedule.kind == Event.Kind.NIGHT:
                event = _night(schedule, time, now)
            else:
                event = _tournament(schedule, time)
    except (OperationalError, InterfaceError):
        raise  # The database went away: it is still due.
    except Exception as error:
        template, params = _why_not(schedule, error)
        Occurrence.objects.create(
            schedule=schedule, day=time.day, problem=template, problem_params=params
        )
    else:
        Occurrence.objects.create(schedule=schedule, day=time.day, event=event)


def _why_not(schedule: Schedule, error: Exception) -> tuple[str, dict[str, Any]]:
    """What to say of a time for which nothing was made."""
    if isinstance(error, ValidationError):
        return texts.told_by(error)
    log.error("What schedule %s repeats cannot be made", schedule.pk, exc_info=error)
    return gettext_noop("What repeats here cannot be made: change it, or end it."), {}


def _tournament(schedule: Schedule, time: Time) -> Event:
    assert schedule.ruleset is not None
    return bots.create_bot_event(
        season=schedule.season,
        by=schedule.by,
        name=_dated(schedule.name, time.day),
        date=time.day,
        ruleset=rulesets.thaw(schedule.ruleset),
        **schedule.plan,
    )


def _night(schedule: Schedule, time: Time, now: datetime.datetime) -> Event:
    """The night of that time: a new one, or the one that somebody has made by hand."""
    if time.day < now.astimezone(ZoneInfo(schedule.rule["zone"])).date():
        raise ValidationError(_("Nothing ran here until the day was over: the night was left out."))
    before, following = schedule.name, events.next_name(schedule.name)
    name = before if following != before else _dated(before, time.day)
    nights = schedule.season.events.filter(kind=Event.Kind.NIGHT, date=time.day, occurrence=None)
    night = nights.filter(name__in={name, before}).first() or events.create_event(
        season=schedule.season, by=None, name=name, date=time.day, **schedule.plan
    )
    schedule.name = following
    return night


def _dated(name: str, day: datetime.date) -> str:
    date = f" {day.isoformat()}"
    return name[: 80 - len(date)] + date


def _set(schedule: Schedule, name: str, plan: dict[str, Any], rule: Recurrence) -> None:
    schedule.name, schedule.plan, schedule.rule = name, plan, rule.to_json()
    if not schedule.paused:
        schedule.next_at = _next(schedule, timezone.now())
    schedule.save()


def _next(schedule: Schedule, after: datetime.datetime) -> datetime.datetime | None:
    """When the event of the next time that was not held yet is made; its time is after `after`."""
    held = set(schedule.occurrences.values_list("day", flat=True)) if schedule.pk else set()
    times = Recurrence.from_json(schedule.rule).after(after)
    moment = next((time.moment for time in times if time.day not in held), None)
    return None if moment is None else moment - _ahead(schedule)


def _ahead(schedule: Schedule) -> datetime.timedelta:
    return datetime.timedelta(days=schedule.days_ahead)


def _log(action: str, schedule: Schedule, by: User) -> None:
    club = schedule.season.club
    audit.log(action, club=club, by=by, schedule=schedule.pk, name=schedule.name)
