"""Nights made by mistake: into the bin and back; and the one door to all that lies there."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base.services import audit, bins, locks
from league.clubs.services.bins import restore_player
from league.models import Club, Event, Player, Season, SignUpAnswer
from league.seasons.services.bins import restore_season
from tables.refusals import Refusal


@transaction.atomic
def bin_event(*, event: Event, by: User) -> Event:
    """Put a night in the bin on which nothing hangs; again changes nothing.

    Refusal: `used` with what hangs on it.
    """
    event = locks.event(event.pk)
    if event.binned_at is not None:
        return event
    if event.kind != Event.Kind.NIGHT:
        raise Refusal(
            _("A bot tournament cannot go in the bin: its games are kept."), code="used", status=409
        )
    draws = event.rounds.count()
    answers = SignUpAnswer.objects.filter(sign_up__event=event).count()
    entries, points = event.postings.count(), event.adjustment_set.count()
    bins.refuse_if_used(
        event.name,
        [
            (draws, ngettext("%(n)s draw", "%(n)s draws", draws)),
            (answers, ngettext("%(n)s answer on the sign-up list",
                               "%(n)s answers on the sign-up list", answers)),
            (entries, ngettext("%(n)s money entry", "%(n)s money entries", entries)),
            (points, ngettext("%(n)s adjustment", "%(n)s adjustments", points)),
        ],
    )  # fmt: skip
    event.binned_at = timezone.now()
    event.version += 1
    event.save(update_fields=["binned_at", "version"])
    audit.log("event.binned", club=event.season.club, by=by, event=event, name=event.name)
    return event


@transaction.atomic
def restore_event(*, event: Event, by: User) -> Event:
    """Take a night out of the bin; Refusal while its season lies there."""
    event = locks.event(event.pk)
    bins.refuse_if_over(event)
    if event.season.binned_at is not None:
        raise Refusal(_("Restore its season first."), code="season", status=409)
    event.binned_at = None
    event.version += 1
    event.save(update_fields=["binned_at", "version"])
    audit.log("event.restored", club=event.season.club, by=by, event=event, name=event.name)
    return event


def restore(*, club: Club, kind: str, key: int, by: User) -> None:
    """Take a night (`event`), a `season` or a `player` of the club out of the bin.

    Refusal: nothing of the kind lies there.
    """
    if kind == "season" and (season := Season.everything.filter(club=club, pk=key).first()):
        restore_season(season=season, by=by)
    elif kind == "player" and (player := Player.everything.filter(club=club, pk=key).first()):
        restore_player(player=player, by=by)
    elif kind == "event" and (event := Event.everything.filter(season__club=club, pk=key).first()):
        restore_event(event=event, by=by)
    else:
        raise Refusal(_("This is no longer in the bin."), code="gone", status=404)
