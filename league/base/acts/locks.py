"""Row locks that serialise changes.

The order everywhere: the season, its events by key, the club, the club's other rows. Two changes
of a row wait for each other, but rows that refer to it can still be written: no lock here covers
keys (FOR NO KEY UPDATE), and each takes one row without the joined ones.

An event has an advisory lock too. A change of the event holds it exclusively. Tables that record
games share it (`table_to_play`), each with its own row locked.
"""

from collections.abc import Callable
from typing import cast

from django.db import connection, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.base.joined import Joined
from league.models import Club, Event, Round, Season, Sitting
from tables.base.row_locks import enter, take
from tables.refusals import Refusal

EVENTS = 1
"""The key space of the events' advisory locks."""


_ENTER_OF_TABLE = Joined(
    """
    SELECT {columns}, CASE WHEN event.format ->> 'kind' <> ALL(%(queues)s)
        THEN pg_try_advisory_xact_lock_shared(%(space)s, (event.id %% 2147483648)::int) END
    FROM league_sitting sitting
    JOIN league_round round ON round.id = sitting.round_id
    JOIN league_event event ON event.id = round.event_id
    WHERE sitting.id = %(sitting)s AND event.binned_at IS NULL
    """,
    event=Event,
)
_TABLE_IF_FREE = Joined(
    """
    SELECT {columns}
    FROM league_sitting sitting
    JOIN league_round round ON round.id = sitting.round_id
    JOIN league_event event ON event.id = round.event_id
    JOIN league_season season ON season.id = event.season_id
    JOIN league_club club ON club.id = season.club_id
    WHERE sitting.id = %(sitting)s FOR NO KEY UPDATE OF sitting SKIP LOCKED
    """,
    sitting=Sitting,
    round=Round,
    event=Event,
    season=Season,
    club=Club,
)


def season(pk: int) -> Season:
    """Return the season with its club, open or closed, locked until the transaction ends."""
    return take(Season.everything.select_related("club"), pk)


def season_to_change(pk: int) -> Season:
    """Return the season, locked until the transaction ends; Refusal `closed` if it is."""
    locked = season(pk)
    if locked.status != Season.Status.OPEN:
        raise Refusal(
            _("This season is closed. Reopen it to make changes."),
            code="closed",
            status=409,
        )
    return locked


def event(pk: int) -> Event:
    """Lock the event until the transaction ends; return it with its season, club and rules.

    It may be open or closed.
    """
    enter(EVENTS, pk, alone=True)
    return take(Event.everything.select_related("season__club", "ruleset"), pk)


def club(pk: int) -> Club:
    """Lock the club until the transaction ends: for changes of names, roles and house rules."""
    return take(Club.everything.all(), pk)


def event_to_change(event_id: int, *, must_be_open: bool = True) -> Event:
    """Return the event, locked until the transaction ends; only the season may be locked before.

    Its version rises, so that pages of the event notice that they are stale.
    Refusal: `closed`, unless the caller may change closed events.
    """
    locked = event(event_id)
    if must_be_open:
        _check_open(locked)
    Event.objects.filter(pk=event_id).update(version=F("version") + 1)
    locked.version += 1
    return locked


def table_to_change(sitting_id: int) -> tuple[Sitting, Event]:
    """Return a table with its round, and its event, which is locked before the table is read.

    Refusal: as `event_to_change`; `gone` if the draw was withdrawn, `draft` before its release.
    """
    key = Round.objects.filter(sittings=sitting_id).values_list("event_id", flat=True).first()
    locked = event_to_change(key) if key is not None else None
    sitting = Sitting.objects.select_related("round").filter(pk=sitting_id).first()
    if locked is None or sitting is None:
        raise _gone()
    _check_released(sitting)
    return sitting, locked


def table_to_play(
    sitting_id: int, moves_chairs: Callable[[Event], bool] = lambda _event: False
) -> tuple[Sitting, Event]:
    """Return a table and its event, locked for a change of that table alone.

    Other tables of the night can still change; draws and closing wait. On a queue night, the event
    is locked if `moves_chairs` says that the change moves people between tables. It is called
    before the locks and again with the locked table's event. The caller calls `show_change` last.
    Refusal: as `table_to_change`.
    """
    events = _ENTER_OF_TABLE(sitting=sitting_id, space=EVENTS, queues=list(Event.QUEUES))
    if not events:
        raise _gone()
    found, has_entered = events[0]
    shared = None
    if found.has_queue and moves_chairs(found):
        event(found.pk)
    elif not has_entered:
        shared = transaction.savepoint() if found.has_queue else None
        enter(EVENTS, found.pk, alone=False)
    sitting = _locked_table(sitting_id)
    if shared is not None and moves_chairs(sitting.round.event):
        transaction.savepoint_rollback(shared)  # Releases the advisory lock and the table's row.
        return table_to_play(sitting_id, lambda _event: True)
    _check_open(sitting.round.event)
    _check_released(sitting)
    return sitting, sitting.round.event


_SHOW_IF_FREE = """
    UPDATE league_event SET version = version + 1
    WHERE id = (SELECT id FROM league_event WHERE id = %(event)s FOR NO KEY UPDATE SKIP LOCKED)
"""


def show_change(event: Event) -> None:
    """Raise the version of an event after a change of one table.

    Other tables of the event wait in this call until the transaction ends.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SHOW_IF_FREE, {"event": event.pk})
        is_raised = cursor.rowcount
    if not is_raised:
        take(Event.objects.only("pk"), event.pk)
        Event.objects.filter(pk=event.pk).update(version=F("version") + 1)


def _locked_table(sitting_id: int) -> Sitting:
    """Return the table with its event, locked until the transaction ends."""
    rows = _TABLE_IF_FREE(sitting=sitting_id)
    if not rows:
        try:
            return take(Sitting.objects.select_related("round__event__season__club"), sitting_id)
        except Sitting.DoesNotExist:
            raise _gone() from None
    sitting, sitting.round, sitting.round.event, season, season.club = rows[0]
    sitting.round.event.season = season
    return cast("Sitting", sitting)


def _check_open(event: Event) -> None:
    if not event.is_open:
        raise Refusal(
            _("This event is closed. Reopen it to make changes."),
            code="closed",
            status=409,
        )


def _check_released(sitting: Sitting) -> None:
    if sitting.round.status != Round.Status.RELEASED:
        raise Refusal(_("This round is not released yet."), code="draft", status=409)


def _gone() -> Refusal:
    return Refusal(
        _("The draw of this table was withdrawn. See the night's page."),
        code="gone",
    )
