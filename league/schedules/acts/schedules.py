"""Schedules of nights and bot tournaments; `tick` creates the events that are due."""

from __future__ import annotations

import datetime
import logging
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from league.arena.acts import bots, leagues
from league.base import texts
from league.base.acts import audit
from league.base.domain.settings import settings_of
from league.models import BotLeague, Event, Occurrence, Schedule, Season, SignUp
from league.nights.acts import events
from league.nights.domain.night_plans import NightPlan
from league.schedules.domain.recurrence import Recurrence, ScheduledTime
from league.schedules.domain.repeated import Ahead, Nights, TournamentPlan, Tournaments
from league.schedules.signals import schedule_failed
from league.seasons.domain.scoring import FieldError
from league.turnout.acts import sign_ups
from tables.base import rulesets
from tables.refusals import Refusal

log = logging.getLogger(__name__)

MOMENT = datetime.timedelta(microseconds=1)


@transaction.atomic
def create_schedule(*, season: Season, by: User, repeated: Nights | Tournaments) -> Schedule:
    """Create a schedule of nights or of tournaments; a tournament without bots is a league's."""
    schedule = Schedule(season=season, by=by)
    if isinstance(repeated, Nights):
        schedule.kind = Event.Kind.NIGHT
    _set(schedule, repeated)
    _log("schedule.created", schedule, by)
    return schedule


@transaction.atomic
def change_schedule(*, schedule: Schedule, by: User, repeated: Nights | Tournaments) -> None:
    """Change what is repeated from now on. A day that had its event gets no second one."""
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    schedule.changes += 1
    _set(schedule, repeated)
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
    """Raise TypeError or ValueError for a plan that no form of this kind can show."""
    (night_plan if kind == Event.Kind.NIGHT else TournamentPlan.from_json)(plan)


def night_plan(stored: dict[str, Any]) -> NightPlan:
    """Return a schedule's plan of nights; without its format if that does not go with the rest.

    Earlier releases stored plans that no night can be made from.
    """
    try:
        return NightPlan.from_json(stored)
    except FieldError:
        return NightPlan.from_json(stored | {"format": {}})


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
    ruleset, plan = rulesets.thaw(schedule.ruleset), TournamentPlan.from_json(schedule.plan)
    league = BotLeague.objects.filter(schedule=schedule).select_related("season__club").first()
    if league is not None:
        return leagues.play_matchday(
            league=league,
            by=schedule.by,
            day=time.day,
            ruleset=ruleset,
            deals=plan.deals,
        )
    return bots.create_bot_event(
        season=schedule.season,
        by=schedule.by,
        name=_dated(schedule.name, time.day),
        date=time.day,
        ruleset=ruleset,
        **asdict(plan),
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
        plan=events.read_plan(schedule.plan),
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


def _set(schedule: Schedule, repeated: Nights | Tournaments) -> None:
    schedule.name = texts.clean_title(repeated.name)
    schedule.plan, schedule.rule = repeated.plan.to_json(), repeated.rule.to_json()
    if isinstance(repeated, Nights):
        for name in settings_of(Ahead):
            setattr(schedule, name, getattr(repeated.ahead, name))
    else:
        plan, club = repeated.plan, schedule.season.club
        if plan.bots:
            bots.check_bots(repeated.ruleset, plan.bots, plan.design, club)
        schedule.ruleset = rulesets.freeze(repeated.ruleset)
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
