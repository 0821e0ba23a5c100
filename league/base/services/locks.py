"""Rows that one change at a time may lock.

In this order everywhere: the season, its events by their keys, the club, what belongs to it.
Two changes of a row wait for each other; rows that only refer to it are still written. That is
why no lock here is one for keys, and why each takes one row and none of those joined to it.
"""

from __future__ import annotations

from django.db.models import F
from django.utils.translation import gettext as _

from league.models import Club, Event, Round, Season, Sitting
from tables.refusals import Refusal
from tables.row_locks import take


def season(pk: int) -> Season:
    """Return the season with its club, open or closed, locked until the transaction ends."""
    return take(Season.objects.select_related("club"), pk)


def event(pk: int) -> Event:
    """Return the event with its season, club and rules, open or closed, locked until then."""
    return take(Event.objects.select_related("season__club", "ruleset"), pk)


def club(pk: int) -> Club:
    """Lock the club: names, roles and rules of its own change one at a time."""
    return take(Club.objects.all(), pk)


def event_to_change(event_id: int, *, must_be_open: bool = True) -> Event:
    """Return the event, locked until the transaction ends: before it only the season may be.

    Its version rises, so that pages which show the event know that they are old. Refusal
    when the event is closed, unless the caller may change closed events.
    """
    locked = event(event_id)
    if must_be_open and not locked.is_open:
        raise Refusal(
            _("This event is closed. Reopen it to make changes."),
            code="closed",
            status=409,
        )
    Event.objects.filter(pk=event_id).update(version=F("version") + 1)
    locked.version += 1
    return locked


def table_to_change(sitting_id: int) -> tuple[Sitting, Event]:
    """Return a table with its round, and its event, locked before anything of it is read.

    Refusal: as `event_to_change`; `gone` when the draw was taken back, `draft` before its
    release.
    """
    key = Round.objects.filter(sittings=sitting_id).values_list("event_id", flat=True).first()
    locked = event_to_change(key) if key is not None else None
    sitting = Sitting.objects.select_related("round").filter(pk=sitting_id).first()
    if locked is None or sitting is None:
        raise Refusal(
            _("The draw of this table was withdrawn. See the night's page."),
            code="gone",
        )
    if sitting.round.status != Round.Status.RELEASED:
        raise Refusal(_("This round is not released yet."), code="draft", status=409)
    return sitting, locked
