"""Deletion of a club by its owner: its members are told, and have a week."""

import datetime
import logging
from contextlib import suppress
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.security_log import Kind, note
from league.base.acts import audit, erasures, locks
from league.base.domain.grouped import grouped
from league.clubs.signals import club_deleted
from league.models import Club, Event, Membership, Season
from tables.base.columns import set_columns
from tables.chairs.acts import arrangements
from tables.models import Seat, Table
from tables.people.acts import forgetting as of_tables
from tables.runs import runs

log = logging.getLogger(__name__)

NOTICE = datetime.timedelta(days=7)
"""How long the members of a club have to save what is theirs."""


@transaction.atomic
def begin(*, club: Club, by: User) -> None:
    """Delete the club after `NOTICE`, and tell its members; one that a phone holds at once."""
    club = locks.club(club.pk)
    members = list(club.memberships.select_related("user"))
    if not any(one.user == by and one.role == Membership.Role.OWNER for one in members):
        raise PermissionDenied
    now = timezone.now()
    if club.held_until is not None:
        Club.everything.filter(pk=club.pk).update(held_until=now)
        delete(club.pk, now)
    elif club.ends_at is None:
        set_columns(club, ends_at=now + NOTICE, ends_by=by)
        audit.log("club.ending", club=club, by=by)
        for one in members:
            note(Kind.CLUB_ENDING, one.user, by=by, club=club.name)


@transaction.atomic
def stop(*, club: Club, by: User) -> None:
    """Keep a club that was to be deleted."""
    club = locks.club(club.pk)
    if club.ends_at is not None:
        set_columns(club, ends_at=None, ends_by=None)
        audit.log("club.ending_stopped", club=club, by=by)


@transaction.atomic
def delete(pk: int, now: datetime.datetime) -> int:
    """Delete the club with all that was made in it, if it is due; return how many."""
    for season in Season.everything.filter(club=pk).order_by("pk"):
        locks.season(season.pk)
    for event in Event.everything.filter(season__club=pk).order_by("pk"):
        locks.event(event.pk)
    with suppress(Club.DoesNotExist):
        club = locks.club(pk)
        if (until := club.held_until or club.ends_at) is None or until > now:
            return 0
        stand_ins = list(User.objects.filter(memberships__club=pk, is_active=False))
        of_club = Q(live_sitting__sitting__round__event__season__club=pk) | Q(
            club_table__season__club=pk
        )
        tables = Table.objects.filter(of_club)
        arrangements.end_of_host(found=tables)
        seats = Seat.objects.filter(table__in=tables).values_list("pk", flat=True)
        of_tables.forget_seats(found=Seat.objects.filter(pk__in=list(seats)))
        tournaments = Event.everything.filter(season__club=pk).exclude(run=None).order_by("run")
        for run in tournaments.values_list("run", flat=True):
            runs.cancel_run(run_id=run)
        erasures.note("club", club)
        club_deleted.send(Club, club=club)
        _delete_with_dependents(Club.everything.filter(pk=pk))
        for user in stand_ins if club.held_until else ():
            with suppress(ProtectedError), transaction.atomic():  # Its phone kept another club.
                user.delete()
        log.warning("Club %s was deleted with all that it had.", pk)
        return 1
    return 0


def delete_again(club: Club) -> None:
    """Delete a club that a restore brought back."""
    now = timezone.now()
    due = {"held_until": now} if club.held_until else {"ends_at": now}
    Club.everything.filter(pk=club.pk).update(**due)
    delete(club.pk, now)


def _delete_with_dependents(rows: QuerySet[Any]) -> None:
    """Delete the rows after all that would keep them: results, money, seats."""
    while True:
        try:
            rows.delete()
            return
        except ProtectedError as error:
            kinds = grouped((type(row), row.pk) for row in error.protected_objects)
        for kind, keys in kinds.items():
            _delete_with_dependents(kind._base_manager.filter(pk__in=keys))
