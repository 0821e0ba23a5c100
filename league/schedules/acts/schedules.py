"""Schedules of nights and bot tournaments; `tick` creates the events that are due."""

from __future__ import annotations

import datetime
import inspect
import logging
from typing import Any
from zoneinfo import ZoneInfo

from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.arena.acts import bots, leagues
from league.base import texts
from league.base.acts import audit
from league.models import BotLeague, Event, Occurrence, Schedule, Season, SignUp
from league.nights.acts import events
from league.schedules.domain.recurrence import Recurrence, ScheduledTime
from league.schedules.signals import schedule_failed
from league.turnout.acts import sign_ups
from tables.base import rulesets
from tables.refusals import Refusal

log = logging.getLogger(__name__)

MOMENT = datetime.timedelta(microseconds=1)


@transaction.atomic
def create_schedule(
    *, season: Season, by: User, name: str, ruleset: Ruleset, plan: dict[str, Any], rule: Recurrence
) -> Schedule:
    """Create a schedule of tournaments; `plan` holds the arguments of `bots`.

    A plan without bots is a league's (`leagues`).
    """
    if "bots" in plan:
        bots.check_bots(ruleset, plan["bots"], plan["design"], season.club)
    schedule = Schedule(season=season, by=by, ruleset=rulesets.freeze(ruleset))
    _set(schedule, name, plan, rule)
    _log("schedule.created", schedule, by)
    return schedule


@transaction.atomic
def repeat_night(
    *,
    season: Season,
    by: User,
    name: str,
    plan: dict[str, Any],
    rule: Recurrence,
    days_ahead: int,
    opens_sign_up: bool = False,
    sign_up_places: int | None = None,
    sign_up_hours: int | None = None,
) -> Schedule:
    """Create a schedule of nights, each created `days_ahead`; `plan` as in `events.plan_of`.

    A number at the end of `name` counts up from night to night; other names get the date appended.
    With `opens_sign_up` each night opens a list that closes `sign_up_hours` before the start.
    """
    schedule = Schedule(
        season=season,
        by=by,
        kind=Event.Kind.NIGHT,
        days_ahead=days_ahead,
        opens_sign_up=opens_sign_up,
        sign_up_places=sign_up_places,
        sign_up_hours=sign_up_hours,
    )
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
    opens_sign_up: bool = False,
    sign_up_places: int | None = None,
    sign_up_hours: int | None = None,
) -> None:
    """Change the plan or rule from now on. A day that had its event gets no second one.

    `ruleset` is for tournaments, `days_ahead` and the sign-up list for nights.
    """
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    if ruleset is not None:
        if "bots" in plan:
            bots.check_bots(ruleset, plan["bots"], plan["design"], schedule.season.club)
        schedule.ruleset = rulesets.freeze(ruleset)
    schedule.days_ahead, schedule.changes = days_ahead, schedule.changes + 1
    schedule.opens_sign_up = opens_sign_up
    schedule.sign_up_places, schedule.sign_up_hours = sign_up_places, sign_up_hours
    _set(schedule, name, plan, rule)
    _log("schedule.changed", schedule, by)


@transaction.atomic
def pause_schedule(*, schedule: Schedule, by: User, paused: bool) -> None:
    """Pause a schedule, or resume it with its next time; missed times are skipped."""
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    schedule.paused, schedule.changes = paused, schedule.changes + 1
    schedule.next_at = None if paused else _next(schedule, timezone.now())
    schedule.save()
    _log("schedule.paused" if paused else "schedule.resumed", schedule, by)


@transaction.atomic
def delete_schedule(*, schedule: Schedule, by: User) -> None:
    """End a schedule; the events that it created stay."""
    _log("schedule.deleted", schedule, by)
    schedule.delete()


def check_plan(kind: str, plan: dict[str, Any]) -> None:
    """Raise TypeError for a plan that does not match the function that creates such events."""
    if kind == Event.Kind.BOTS and "bots" not in plan:
        known = dict.fromkeys(("league", "by", "day", "ruleset"))
        inspect.signature(leagues.play_matchday).bind(**known, **plan)
        return
    make: Any = events.create_event if kind == Event.Kind.NIGHT else bots.create_bot_event
    own = {} if kind == Event.Kind.NIGHT else {"ruleset": None}
    inspect.signature(make).bind(season=None, by=None, name="", date=None, **own, **plan)


def tick(now: datetime.datetime | None = None) -> int:
    """Create the events that are due; return the number of schedule times handled.

    Each time of a schedule is handled once, however many ticks run at once or however late: one
    transaction locks the row, creates the event and sets the next time. After an outage each tick
    catches up by one time; a night whose day is over is only recorded.
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


def _hold(schedule: Schedule, time: ScheduledTime, now: datetime.datetime) -> None:
    try:
        # English messages are their own templates, so each reader's catalogue can translate them.
        with translation.override("en"), transaction.atomic():
            if schedule.kind == Event.Kind.NIGHT:
                event = _night(schedule, time, now)
            else:
                event = _tournament(schedule, time)
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded):
        raise  # The database or the time ran out: the event is still due.
    except Exception as error:
        template, params = _why_not(schedule, error)
        occurrence = Occurrence.objects.create(
            schedule=schedule, day=time.day, problem=template, problem_params=params
        )
        schedule_failed.send(Occurrence, occurrence=occurrence)
    else:
        Occurrence.objects.create(schedule=schedule, day=time.day, event=event)


def _why_not(schedule: Schedule, error: Exception) -> tuple[str, dict[str, Any]]:
    """Return the message, with its parameters, for a time that got no event."""
    if isinstance(error, ValidationError):
        return texts.told_by(error)
    log.error("What schedule %s repeats cannot be made", schedule.pk, exc_info=error)
    return gettext_noop(
        "The scheduled night could not be created. Change the schedule, or end it."
    ), {}


def _tournament(schedule: Schedule, time: ScheduledTime) -> Event:
    assert schedule.ruleset is not None
    league = BotLeague.objects.filter(schedule=schedule).select_related("season__club").first()
    if league is not None:
        return leagues.play_matchday(
            league=league,
            by=schedule.by,
            day=time.day,
            ruleset=rulesets.thaw(schedule.ruleset),
            **schedule.plan,
        )
    return bots.create_bot_event(
        season=schedule.season,
        by=schedule.by,
        name=_dated(schedule.name, time.day),
        date=time.day,
        ruleset=rulesets.thaw(schedule.ruleset),
        **schedule.plan,
    )


def _night(schedule: Schedule, time: ScheduledTime, now: datetime.datetime) -> Event:
    """Return the night of that time: a new one, or one already created by hand."""
    if time.day < now.astimezone(ZoneInfo(schedule.rule["zone"])).date():
        raise Refusal(_("The server was down until the day was over, so this night was skipped."))
    before, following = schedule.name, events.next_name(schedule.name)
    name = before if following != before else _dated(before, time.day)
    nights = schedule.season.events.filter(kind=Event.Kind.NIGHT, date=time.day, occurrence=None)
    night = nights.filter(name__in={name, before}).first() or events.create_event(
        season=schedule.season,
        by=None,
        name=name,
        date=time.day,
        starts_at=datetime.time.fromisoformat(schedule.rule["at"]),
        **schedule.plan,
    )
    if schedule.opens_sign_up and not SignUp.objects.filter(event=night).exists():
        hours = schedule.sign_up_hours
        sign_ups.open_list(
            event=night,
            by=None,
            places=schedule.sign_up_places,
            closes_at=None if hours is None else time.moment - datetime.timedelta(hours=hours),
        )
    schedule.name = following
    return night


def _dated(name: str, day: datetime.date) -> str:
    date = f" {day.isoformat()}"
    return name[: 80 - len(date)] + date


def _set(schedule: Schedule, name: str, plan: dict[str, Any], rule: Recurrence) -> None:
    name = texts.clean_title(name)
    schedule.name, schedule.plan, schedule.rule = name, plan, rule.to_json()
    if not schedule.paused:
        schedule.next_at = _next(schedule, timezone.now())
    schedule.save()


def _next(schedule: Schedule, after: datetime.datetime) -> datetime.datetime | None:
    """Return when to create the event of the first unhandled time after `after`."""
    held = set(schedule.occurrences.values_list("day", flat=True)) if schedule.pk else set()
    times = Recurrence.from_json(schedule.rule).after(after)
    moment = next((time.moment for time in times if time.day not in held), None)
    return None if moment is None else moment - _ahead(schedule)


def _ahead(schedule: Schedule) -> datetime.timedelta:
    return datetime.timedelta(days=schedule.days_ahead)


def _log(action: str, schedule: Schedule, by: User) -> None:
    club = schedule.season.club
    audit.log(action, club=club, by=by, schedule=schedule.pk, name=schedule.name)
