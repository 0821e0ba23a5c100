"""Secret links: to tables, check-in and sign-up of a night, and invitations to a club."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User
from league.base.acts import audit, locks
from league.base.facts import links as selector
from league.base.prepared import Prepared, Slot
from league.models import Event, Link, Round, Sitting
from league.models.secret import hash_of, new_nonce, secret_of

_TABLE_LINK = Prepared[Link](
    lambda: (
        Link.objects.alive(at=Slot(1))
        .filter(purpose=Link.Purpose.TABLE, secret_hash=Slot(0))
        .select_related("club", "event__season__club", "event__ruleset")[:1]
    )
)
_LATEST_SITTING = Prepared[Sitting](
    lambda: Sitting.objects.filter(
        round=Round.objects.filter(event=Slot(0), status=Round.Status.RELEASED)
        .order_by("-number")
        .values("pk")[:1],
        table_no=Slot(1),
    ).select_related("round")[:1]
)


@dataclass(frozen=True)
class LinkedTable:
    """A table of a night by number, as its link opens it in every round."""

    link: Link
    event: Event
    table_no: int

    def sitting(self, number: int | None = None) -> Sitting | None:
        """Return the table's sitting in that released round, by default in the latest one."""
        if number is None:
            sitting = _LATEST_SITTING.first(self.event.pk, self.table_no)
        else:
            released = self.event.rounds.filter(status=Round.Status.RELEASED, number=number)
            found = Sitting.objects.filter(round__in=released, table_no=self.table_no)
            sitting = found.select_related("round").first()
        if sitting is not None:
            sitting.round.event = self.event
        return sitting


def make_for_tables(*, sittings: Iterable[Sitting], event: Event, by: User | None) -> None:
    """Create a link for each of these tables that has none: cards are printed once a night."""
    known = selector.of_tables(event)
    Link.objects.bulk_create(
        _new_for_table(sitting, event, by) for sitting in sittings if sitting.table_no not in known
    )


@transaction.atomic
def renew_for_table(*, sitting: Sitting, by: User) -> Link:
    """Replace a table's link; the earlier ones stop working at once."""
    sitting, event = locks.table_to_change(sitting.pk)
    selector.for_tables(event, sitting.table_no).filter(revoked_at=None).update(
        revoked_at=timezone.now()
    )
    link = _new_for_table(sitting, event, by)
    link.save()
    audit.log("link.renewed", club=event.season.club, by=by, event=event, sitting=sitting.pk)
    return link


def _new_for_table(sitting: Sitting, event: Event, by: User | None) -> Link:
    return new(
        club=event.season.club,
        purpose=Link.Purpose.TABLE,
        event=event,
        table_no=sitting.table_no,
        by=by,
    )


def renew_for_check_in(*, event: Event, by: User) -> Link:
    """Replace the link for self check-in."""
    return _renew(event, Link.Purpose.CHECK_IN, by)


@transaction.atomic
def keep_for_check_in(*, event: Event, by: User) -> Link:
    """Return the working check-in link, created if there is none."""
    event = locks.event_to_change(event.pk)
    return selector.of_check_in(event).first() or renew_for_check_in(event=event, by=by)


def renew_for_sign_up(*, event: Event, by: User) -> Link:
    """Replace the link for the sign-up to a night."""
    return _renew(event, Link.Purpose.SIGN_UP, by)


@transaction.atomic
def _renew(event: Event, purpose: Link.Purpose, by: User) -> Link:
    """Replace the event's link for this purpose; the earlier one stops working at once."""
    event = locks.event_to_change(event.pk)
    event.links.filter(purpose=purpose, revoked_at=None).update(revoked_at=timezone.now())
    link = make_for_event(event=event, purpose=purpose, by=by)
    audit.log("link.renewed", club=event.season.club, by=by, event=event, purpose=purpose.value)
    return link


def make_for_event(*, event: Event, purpose: Link.Purpose, by: User | None) -> Link:
    """Create the event's first link for this purpose."""
    link = new(club=event.season.club, purpose=purpose, event=event, by=by)
    link.save()
    return link


def find_check_in(secret: str) -> Link | None:
    """Return the check-in link with this secret; its night may be closed."""
    return of_night(secret, Link.Purpose.CHECK_IN)


def personal_code(link: Link, player_id: int) -> str:
    """Return a player's personal code for a night, which gives access to no other player.

    It is derived from the check-in link and valid as long as that link.
    """
    return secret_of("league.links.personal", f"{link.secret}:{player_id}")


def find_personal(event_id: int, player_id: int, code: str) -> Link | None:
    """Return the check-in link that this player's code derives from; its night may be closed."""
    alive_ = Link.objects.alive().filter(event=event_id, purpose=Link.Purpose.CHECK_IN)
    link = alive_.select_related("club", "event__season__club", "event__ruleset").first()
    if link is None or link.event is None or link.event.binned_at is not None:
        return None
    return link if constant_time_compare(personal_code(link, player_id), code) else None


def of_night(secret: str, purpose: str) -> Link | None:
    """Return the working link with this secret and purpose, unless its night is in the bin."""
    link = alive(secret, purpose)
    if link is None or link.event is None or link.event.binned_at is not None:
        return None
    return link


def alive(secret: str, purpose: str) -> Link | None:
    """Return the working link with this secret and purpose."""
    found = Link.objects.alive().filter(purpose=purpose, secret_hash=hash_of(secret))
    related = ("club", "player__merged_into", "event__season__club", "event__ruleset")
    return found.select_related(*related).first()


def find_table(secret: str) -> LinkedTable | None:
    """Return the table that this secret opens; its night may be closed.

    An older link, made for one round, opens the table of the same number.
    """
    link = _TABLE_LINK.first(hash_of(secret), timezone.now())
    if link is None:
        return None
    event, number = link.event, link.table_no
    if link.sitting is not None:
        event, number = link.sitting.round.event, link.sitting.table_no
    if event is None or number is None or event.binned_at is not None:
        return None
    return LinkedTable(link, event, number)


def is_known(secret: str) -> bool:
    """Return whether any link, even a revoked one, has this secret.

    The holder of an old card is not guessing.
    """
    return Link.objects.filter(secret_hash=hash_of(secret)).exists()


class Ended(StrEnum):
    """Reasons why a secret opens nothing."""

    UNKNOWN = "unknown"
    REPLACED = "replaced"
    EXPIRED = "expired"
    NIGHT_DELETED = "night_deleted"
    CLUB_CLOSED = "club_closed"


def why_ended(secret: str) -> Ended:
    """Return why this secret opens nothing."""
    found = Link.objects.filter(secret_hash=hash_of(secret))
    link = found.select_related("club", "event", "sitting__round__event").first()
    if link is None:
        return Ended.UNKNOWN
    if link.club.closed_at is not None or link.club.binned_at is not None:
        return Ended.CLUB_CLOSED
    event = link.sitting.round.event if link.sitting else link.event
    if event is not None and event.binned_at is not None:
        return Ended.NIGHT_DELETED
    return Ended.REPLACED if link.revoked_at is not None else Ended.EXPIRED


def new(**values: Any) -> Link:
    """Return an unsaved link with a fresh secret."""
    link = Link(nonce=new_nonce(), **values)
    link.secret_hash = hash_of(link.secret)
    return link
