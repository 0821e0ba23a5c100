"""Bot tournaments that begin at their time: rows that one tick compares with the clock."""

from __future__ import annotations

import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from engine.ruleset import Ruleset
from league.domain.recurrence import Occurrence as Time
from league.domain.recurrence import Recurrence
from league.models import Occurrence, Schedule, Season
from league.services import audit, bots
from tables.services import rulesets

MOMENT = datetime.timedelta(microseconds=1)


@transaction.atomic
def create_schedule(
    *, season: Season, by: User, name: str, ruleset: Ruleset, plan: dict[str, Any], rule: Recurrence
) -> Schedule:
    """A schedule of tournaments with this `plan`: the bots, deals and so on of `bots`."""
    bots.check_bots(ruleset, plan["bots"], plan["design"])
    schedule = Schedule(season=season, by=by)
    _set(schedule, name, ruleset, plan, rule)
    audit.log("schedule.created", club=season.club, by=by, schedule=schedule.pk, name=name)
    return schedule


@transaction.atomic
def change_schedule(
    *,
    schedule: Schedule,
    by: User,
    name: str,
    ruleset: Ruleset,
    plan: dict[str, Any],
    rule: Recurrence,
) -> None:
    """Another plan or rule from now on. A day that had its tournament gets no second one."""
    bots.check_bots(ruleset, plan["bots"], plan["design"])
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    _set(schedule, name, ruleset, plan, rule)
    audit.log("schedule.changed", club=schedule.season.club, by=by, schedule=schedule.pk, name=name)


@transaction.atomic
def pause_schedule(*, schedule: Schedule, by: User, paused: bool) -> None:
    """Holds a schedule, or lets it go on with its next time; what fell due meanwhile is past."""
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    schedule.paused = paused
    schedule.next_at = None if paused else _next(schedule, timezone.now())
    schedule.save()
    action = "schedule.paused" if paused else "schedule.resumed"
    audit.log(action, club=schedule.season.club, by=by, schedule=schedule.pk, name=schedule.name)


@transaction.atomic
def delete_schedule(*, schedule: Schedule, by: User) -> None:
    """Ends a schedule; its tournaments stay."""
    club, key = schedule.season.club, schedule.pk
    schedule.delete()
    audit.log("schedule.deleted", club=club, by=by, schedule=key, name=schedule.name)


def tick(now: datetime.datetime | None = None) -> int:
    """Begins what is due; returns how many times of schedules were dealt with.

    However many ticks run at once, or however late, each time of a schedule is dealt with once:
    in one transaction the row is locked, the tournament made and the next time set. A time that
    passed while nothing ran is made up for, one with each tick.
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
    time = Recurrence.from_json(schedule.rule).next(schedule.next_at - MOMENT)
    if time is not None and not schedule.occurrences.filter(day=time.day).exists():
        _hold(schedule, time)
    schedule.next_at = _next(schedule, schedule.next_at)
    schedule.save(update_fields=["next_at"])
    return True


def _hold(schedule: Schedule, time: Time) -> None:
    try:
        with transaction.atomic():
            event = bots.create_bot_event(
                season=schedule.season,
                by=schedule.by,
                name=f"{schedule.name} {time.day.isoformat()}"[:80],
                date=time.day,
                ruleset=rulesets.thaw(schedule.ruleset),
                **schedule.plan,
            )
    except ValidationError as error:
        Occurrence.objects.create(schedule=schedule, day=time.day, problem=" ".join(error.messages))
    else:
        Occurrence.objects.create(schedule=schedule, day=time.day, event=event)


def _set(
    schedule: Schedule, name: str, ruleset: Ruleset, plan: dict[str, Any], rule: Recurrence
) -> None:
    schedule.name, schedule.plan, schedule.rule = name, plan, rule.to_json()
    schedule.ruleset = rulesets.freeze(ruleset)
    if not schedule.paused:
        schedule.next_at = _next(schedule, timezone.now())
    schedule.save()


def _next(schedule: Schedule, after: datetime.datetime) -> datetime.datetime | None:
    """The moment of the next time that was not held yet."""
    held = set(schedule.occurrences.values_list("day", flat=True)) if schedule.pk else set()
    times = Recurrence.from_json(schedule.rule).after(after)
    return next((time.moment for time in times if time.day not in held), None)
