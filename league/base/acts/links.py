"""Secret links: to a night and its tables, and invitations to a club."""

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
from league.base.joined import Joined
from league.models import Club, Event, Link, Round, Season, Sitting
from league.models.secret import new_nonce, secret_of
from tables.base.tokens import hash_of

_TABLE = Joined(
    """
    SELECT {columns}, coalesce(link.table_no, older.table_no)
    FROM league_link link
    JOIN league_club club ON club.id = link.club_id
    LEFT JOIN league_sitting older ON older.id = link.sitting_id
    LEFT JOIN league_round of_older ON of_older.id = older.round_id
    JOIN league_event event ON event.id = coalesce(link.event_id, of_older.event_id)
    JOIN league_season season ON season.id = event.season_id
    LEFT JOIN league_round round ON round.id = (
        SELECT id FROM league_round WHERE event_id = event.id AND status = 'released'
        ORDER BY number DESC LIMIT 1
    )
    LEFT JOIN league_sitting sitting
        ON sitting.round_id = round.id
        AND sitting.table_no = coalesce(link.table_no, older.table_no)
    WHERE link.secret_hash = %(hash)s AND link.purpose = 'table' AND link.revoked_at IS NULL
        AND (link.expires_at IS NULL OR link.expires_at > %(now)s)
        AND (link.max_uses IS NULL OR link.uses < link.max_uses)
        AND event.binned_at IS NULL
    """,
    link=Link,
    club=Club,
    event=Event,
    season=Season,
    round=Round,
    sitting=Sitting,
)


@dataclass(frozen=True)
class LinkedTable:
    """A table of a night by number, as its link opens it in every round.

    `now` is the table in the latest released round, if it has one there.
    """

    link: Link
    event: Event
    table_no: int
    now: Sitting | None

    def sitting(self, number: int) -> Sitting | None:
        """Return the table's sitting in that released round."""
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
    audit.log("link.renewed", by=by, event=event, sitting=sitting.pk)
    return link


def _new_for_table(sitting: Sitting, event: Event, by: User | None) -> Link:
    return new(
        club=event.season.club,
        purpose=Link.Purpose.TABLE,
        event=event,
        table_no=sitting.table_no,
        by=by,
    )


@transaction.atomic
def renew_for_night(*, event: Event, by: User) -> Link:
    """Replace the night's link; the earlier one leads on only the phones that have a name."""
    event = locks.event_to_change(event.pk)
    event.links.filter(purpose=Link.Purpose.NIGHT, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    link = make_for_night(event=event, by=by)
    audit.log("link.renewed", by=by, event=event, purpose="night")
    return link


@transaction.atomic
def keep_for_night(*, event: Event, by: User | None = None) -> Link:
    """Return the night's working link, created if there is none."""
    found = selector.of_night(event)
    if found is not None:
        return found
    event = locks.event_to_change(event.pk, must_be_open=False)
    return selector.of_night(event) or make_for_night(event=event, by=by)


def make_for_night(*, event: Event, by: User | None) -> Link:
    """Create the night's link, as every new night has one."""
    link = new(club=event.season.club, purpose=Link.Purpose.NIGHT, event=event, by=by)
    link.save()
    return link


def find_night(secret: str) -> Link | None:
    """Return the night's link with this secret, or an older one of its list.

    The night may be closed, the link lasts as long as its club.
    """
    purposes = (Link.Purpose.NIGHT, Link.Purpose.SIGN_UP)
    found = Link.objects.filter(purpose__in=purposes, secret_hash=hash_of(secret), revoked_at=None)
    link = found.select_related("club", "event__season__club", "event__ruleset").first()
    if link is None or link.event is None or link.event.binned_at is not None:
        return None
    return link


def find_personal(event_id: int, player_id: int, code: str) -> Link | None:
    """Return the night's link from which this player's code on paper was once derived."""
    event = Event.objects.filter(pk=event_id, binned_at=None).first()
    link = selector.of_night(event) if event else None
    if link is None:
        return None
    known = secret_of("league.links.personal", f"{link.secret}:{player_id}")
    return link if constant_time_compare(known, code) else None


def alive(secret: str, purpose: str) -> Link | None:
    """Return the working link with this secret and purpose."""
    found = Link.objects.alive().filter(purpose=purpose, secret_hash=hash_of(secret))
    related = ("club", "player__merged_into", "event__season__club", "event__ruleset")
    return found.select_related(*related).first()


def find_table(secret: str) -> LinkedTable | None:
    """Return the table that this secret opens; its night may be closed.

    An older link, made for one round, opens the table of the same number.
    """
    rows = _TABLE(hash=hash_of(secret), now=timezone.now())
    if not rows:
        return None
    link, link.club, event, event.season, round_, sitting, number = rows[0]
    event.season.club = link.club
    if sitting is not None:
        sitting.round, round_.event = round_, event
    return LinkedTable(link, event, number, sitting)


def is_known(secret: str) -> bool:
    """Return whether any link, even a revoked one, has this secret.

    The holder of an old card is not guessing.
    """
    return Link.objects.filter(secret_hash=hash_of(secret)).exists()


class Ended(StrEnum):
    """Reasons why a secret opens nothing."""

    UNKNOWN = "unknown"
    REPLACED = "replaced"
    NIGHT_DELETED = "night_deleted"
    CLUB_CLOSED = "club_closed"


def why_ended(secret: str) -> Ended:
    """Return why this secret opens nothing."""
    club = Club.everything.filter(links__secret_hash=hash_of(secret)).first()
    if club is None:
        return Ended.UNKNOWN
    if club.closed_at is not None or club.binned_at is not None:
        return Ended.CLUB_CLOSED
    event = event_of(secret)
    if event is not None and event.binned_at is not None:
        return Ended.NIGHT_DELETED
    return Ended.REPLACED


def event_of(secret: str) -> Event | None:
    """Return the night of a link, even of a revoked one."""
    found = Link.objects.filter(secret_hash=hash_of(secret))
    one = found.select_related("event__season__club", "sitting__round__event__season__club").first()
    return None if one is None else one.sitting.round.event if one.sitting else one.event


@dataclass(frozen=True)
class Replaced:
    """The table of a link that was replaced."""

    event: Event
    table_no: int

    @property
    def of(self) -> str:
        """The table's name for scripts, which any of its links has."""
        return f"{self.event.pk}-{self.table_no}"


def find_replaced(secret: str) -> Replaced | None:
    """Return the table that this secret opened before it was replaced."""
    found = Link.objects.filter(secret_hash=hash_of(secret), purpose=Link.Purpose.TABLE)
    link = found.select_related("sitting").first()
    event = event_of(secret)
    number = None if link is None else link.sitting.table_no if link.sitting else link.table_no
    return None if event is None or number is None else Replaced(event, number)


def new(**values: Any) -> Link:
    """Return an unsaved link with a fresh secret."""
    link = Link(nonce=new_nonce(), **values)
    link.secret_hash = hash_of(link.secret)
    return link
