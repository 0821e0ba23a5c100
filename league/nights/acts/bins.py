"""The bin: putting nights in it, and restoring and deleting everything in a club's bin."""

import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.models import User
from league.base.acts import audit, bins, locks
from league.clubs.acts.bins import delete_clubs, restore_player, unused_players
from league.models import (
    Account,
    Claim,
    Club,
    Event,
    Occurrence,
    Player,
    Season,
    SignUpAnswer,
)
from league.models.binned import KEPT_IN_BIN
from league.seasons.acts.bins import restore_season, unused_seasons
from tables.base.columns import set_columns
from tables.refusals import Refusal

DELETED = gettext_noop("The night was deleted.")
"""Why a schedule's day has no night any more."""
MOST = 100
"""The most rows of a kind that one hourly run deletes."""


@transaction.atomic
def bin_event(*, event: Event, by: User) -> Event:
    """Put an unused night in the bin; binning it twice changes nothing.

    Refusal: `used`, naming what depends on it.
    """
    event = locks.event(event.pk)
    if event.binned_at is not None:
        return event
    if event.kind != Event.Kind.NIGHT:
        raise Refusal(
            _("A bot tournament can't go in the bin: its games are kept."), code="used", status=409
        )
    draws = event.rounds.count()
    answers = SignUpAnswer.objects.filter(sign_up__event=event).count()
    entries, points = event.postings.count(), event.adjustment_set.count()
    phones = event.claims.filter(ended_at=None).count()
    bins.refuse_if_used(
        event.name,
        [
            (draws, ngettext("%(n)s draw", "%(n)s draws", draws)),
            (answers, ngettext("%(n)s answer on the sign-up list",
                               "%(n)s answers on the sign-up list", answers)),
            (entries, ngettext("%(n)s money entry", "%(n)s money entries", entries)),
            (points, ngettext("%(n)s adjustment", "%(n)s adjustments", points)),
            (phones, ngettext("%(n)s phone", "%(n)s phones", phones)),
        ],
    )  # fmt: skip
    set_columns(event, binned_at=timezone.now(), version=event.version + 1)
    audit.log("event.binned", by=by, event=event, name=event.name)
    return event


def unused_nights() -> QuerySet[Event]:
    """Return the nights on which nothing depends, by the same test as `bin_event`."""
    return Event.everything.filter(
        ~Exists(Claim.objects.filter(event=OuterRef("pk"), ended_at=None)),
        rounds=None, run=None, postings=None, adjustment=None, sign_up__answers=None,
    )  # fmt: skip


@transaction.atomic
def restore_event(*, event: Event, by: User) -> Event:
    """Restore a night from the bin; Refusal while its season is there too, or closed without it."""
    season, event = locks.season(event.season_id), locks.event(event.pk)
    bins.refuse_if_over(event)
    if season.binned_at is not None:
        raise Refusal(_("Restore its season first."), code="season", status=409)
    if season.status != Season.Status.OPEN and event.status == Event.Status.OPEN:
        raise Refusal(_("Its season is closed. Reopen the season first."), "season", status=409)
    set_columns(event, binned_at=None, version=event.version + 1)
    audit.log("event.restored", by=by, event=event, name=event.name)
    return event


def restore(*, club: Club, kind: str, key: int, by: User) -> None:
    """Restore a night (`event`), a `season` or a `player` of the club from the bin.

    Refusal: `gone` when it is not in the bin.
    """
    if kind == "season" and (season := Season.everything.filter(club=club, pk=key).first()):
        restore_season(season=season, by=by)
    elif kind == "player" and (player := Player.everything.filter(club=club, pk=key).first()):
        restore_player(player=player, by=by)
    elif kind == "event" and (event := Event.everything.filter(season__club=club, pk=key).first()):
        restore_event(event=event, by=by)
    else:
        raise Refusal(_("This is no longer in the bin."), code="gone", status=404)


def empty_bin(now: datetime.datetime) -> int:
    """Permanently delete unused rows after 30 days in the bin; return how many.

    The log keeps its entries about them; a club is deleted with its log.
    """
    before = now - KEPT_IN_BIN
    kinds: list[QuerySet[Any]] = [unused_nights(), unused_seasons(), unused_players()]
    deleted = 0
    for rows in kinds:
        over = rows.filter(binned_at__lt=before).order_by("binned_at")
        deleted += sum(_delete(over, pk) for pk in list(over.values_list("pk", flat=True)[:MOST]))
    return deleted + delete_clubs(before)


@transaction.atomic
def _delete(unused: QuerySet[Any], pk: int) -> bool:
    """Delete the row if it is still unused; a schedule does not recreate a deleted night."""
    row = unused.select_for_update(skip_locked=True, of=("self",)).filter(pk=pk).first()
    if row is None:
        return False
    if isinstance(row, Event):
        Occurrence.objects.filter(event=row).update(event=None, problem=DELETED)
    elif isinstance(row, Player):
        Account.objects.filter(player=row).delete()
    row.delete()
    return True
