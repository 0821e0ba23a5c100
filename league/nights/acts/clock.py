"""A round's clock, a table's extra time, the last-game call and calls for an organiser."""

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Round, Sitting
from league.nights import online
from league.nights.facts import last_changes
from league.nights.facts.clock import clock_of
from league.nights.signals import director_called
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.refusals import Refusal

LONGEST = 600


@transaction.atomic
def start(*, round_: Round, minutes: int, by: User, seen: int | None = None) -> Round:
    """Start or restart the clock of a released round.

    `seen` are the minutes of the clock that the caller saw, 0 for none; None skips the check.
    Refusal: `stale` if it was set otherwise since.
    """
    _check_minutes(minutes)
    return _set(
        _locked(round_, seen=seen),
        by,
        "clock.started",
        clock_minutes=minutes,
        clock_started_at=timezone.now(),
        clock_paused_at=None,
        last_game_at=None,
    )


@transaction.atomic
def pause(*, round_: Round, by: User) -> Round:
    """Pause the clock; pausing twice changes nothing."""
    found = _locked(round_, running=True)
    if found.clock_paused_at:
        return found
    return _set(found, by, "clock.paused", clock_paused_at=timezone.now())


@transaction.atomic
def resume(*, round_: Round, by: User) -> Round:
    """Resume the clock from where it was paused."""
    found = _locked(round_, running=True)
    if not found.clock_paused_at or not found.clock_started_at:
        return found
    started = found.clock_started_at + (timezone.now() - found.clock_paused_at)
    return _set(found, by, "clock.resumed", clock_started_at=started, clock_paused_at=None)


@transaction.atomic
def add(*, round_: Round, minutes: int, by: User, seen: int | None = None) -> Round:
    """Give every table more time, from now on where it was up; `seen` as for `start`."""
    found = _locked(round_, running=True, seen=seen)
    _check_minutes(minutes)
    now = clock_of(found)
    over = -(min(now.seconds, 0) // 60) if now else 0
    whole = (found.clock_minutes or 0) + over + minutes
    _check_minutes(whole)
    return _set(found, by, "clock.added", clock_minutes=whole)


@transaction.atomic
def call_last_game(*, round_: Round, by: User) -> Round:
    """Tell every table to start no game after the current one."""
    found = _locked(round_)
    online.tables().end_tables(event=found.event, round_=found, now=False)
    return _set(found, by, "clock.last_game", last_game_at=timezone.now())


@transaction.atomic
def give_extra(*, sitting: Sitting, minutes: int, by: User) -> None:
    """Set the total extra time of one table; 0 removes it."""
    if minutes:
        _check_minutes(minutes)
    sitting, event = locks.table_to_change(sitting.pk)
    old = sitting.extra_minutes
    changes = {"extra_minutes": minutes}
    audit.log_at_table(
        "clock.extra", sitting, by=by, event=event, changes=changes, minutes=minutes, old=old
    )


@transaction.atomic
def call_director(*, sitting: Sitting, by: User | None, note: str = "") -> None:
    """Call an organiser to the table; calling twice keeps the time of the first call."""
    sitting, event = locks.table_to_change(sitting.pk)
    if sitting.called_at is None:
        note = note.strip()[:120]
        changes = {"called_at": timezone.now(), "call_note": note}
        audit.log_at_table(
            "director.called", sitting, by=by, event=event, changes=changes, note=note
        )
        director_called.send(Sitting, sitting=sitting)


@transaction.atomic
def come_to_call(*, sitting: Sitting, by: User) -> None:
    """Tell the table that an organiser is coming; a second report changes nothing."""
    sitting, event = locks.table_to_change(sitting.pk)
    if sitting.called_at is not None and sitting.call_seen_at is None:
        changes = {"call_seen_at": timezone.now()}
        audit.log_at_table("director.coming", sitting, by=by, event=event, changes=changes)


@transaction.atomic
def answer_call(*, sitting: Sitting, by: User | None) -> None:
    """End the call: an organiser was there, or the table no longer needs one."""
    sitting, event = locks.table_to_change(sitting.pk)
    changes = {"called_at": None, "call_seen_at": None, "call_note": ""}
    audit.log_at_table("director.answered", sitting, by=by, event=event, changes=changes)


def _locked(round_: Round, *, running: bool = False, seen: int | None = None) -> Round:
    """Return the released round, read again under its event's lock.

    `running` also requires that its clock was started, `seen` that it has these minutes.
    """
    event = locks.event_to_change(round_.event_id)
    found = or_raise(
        event.rounds.filter(pk=round_.pk, status=Round.Status.RELEASED).first(),
        Refusal(_("This round is not released yet."), code="draft", status=409),
    )
    if running and found.clock_started_at is None:
        raise Refusal(_("The clock isn't running. Start it first."), code="off")
    if seen not in (None, found.clock_minutes or 0):
        change = last_changes.say(
            last_changes.find_last(event, last_changes.CLOCK, round=found.number)
        )
        raise Refusal(
            _("%(change)s Nothing was changed.") % {"change": change}, "stale", status=409
        )
    found.event = event
    return found


def _check_minutes(minutes: int) -> None:
    if not 1 <= minutes <= LONGEST:
        raise Refusal(
            _("Enter 1 to %(longest)s minutes."),
            code="minutes",
            params={"longest": LONGEST},
        )


def _set(round_: Round, by: User, action: str, **values: Any) -> Round:
    set_columns(round_, **values)
    Sitting.objects.filter(round=round_).update(version=F("version") + 1)
    event = round_.event
    details = {"minutes": values["clock_minutes"]} if "clock_minutes" in values else {}
    audit.log(action, by=by, event=event, round=round_.number, **details)
    return round_
