"""Penalties and bonuses: points that no game gave, with a reason and the name of who decided."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.services import audit, locks
from league.models import Adjustment, Event, Player, Season
from league.seasons.services import places, seasons
from tables.refusals import Refusal

MOST = Decimal(1_000_000)


@transaction.atomic
def adjust_points(
    *,
    season: Season,
    player: Player,
    points: Decimal,
    reason: str,
    by: User,
    event: Event | None = None,
    cause: str = "",
) -> Adjustment:
    """Give the player points (or take them, below 0), in the event or in the season as a whole.

    `cause` says which rule of the night did.

    It may come before the first game and after the event is closed; only the season must be open.
    """
    season = seasons.lock(season.pk)
    if player.club_id != season.club_id or player.merged_into_id:
        raise Refusal(_("This is not a player of the club. Reload the page."), field="player")
    if event is not None:
        if event.season_id != season.pk:
            raise Refusal(_("This night is not part of the season."), field="event")
        event = locks.event_to_change(event.pk, must_be_open=False)
    if not points or abs(points) > MOST:
        raise Refusal(
            _("Enter a number from −1,000,000 to 1,000,000, but not 0."),
            field="points",
        )
    adjustment = Adjustment(
        season=season,
        event=event,
        player=player,
        points=points,
        reason=reason.strip(),
        by=by,
        cause=cause,
    )
    adjustment.full_clean(exclude=["by", "revoked_by", "revoked_at"])
    adjustment.save()
    if event is not None:
        places.keep(event=event)
    audit.log(
        "adjustment.made",
        club=season.club,
        by=by,
        event=event,
        adjustment=adjustment.pk,
        player=player.pk,
        name=player.name,
        points=str(adjustment.points),
        reason=adjustment.reason,
    )
    return adjustment


def exactly(points: Fraction) -> Decimal:
    """Return points of the rules, thousandths at most, as an adjustment has them."""
    return Decimal(points.numerator) / Decimal(points.denominator)


@transaction.atomic
def revoke(*, adjustment: Adjustment, by: User) -> Adjustment:
    """Take the adjustment back; it stays listed with who revoked it and when."""
    season = seasons.lock(adjustment.season_id)
    event = None
    if adjustment.event_id:
        event = locks.event_to_change(adjustment.event_id, must_be_open=False)
    adjustment = Adjustment.objects.select_related("player", "event").get(pk=adjustment.pk)
    if adjustment.revoked_at:
        raise Refusal(_("This was already revoked."), code="stale", status=409)
    adjustment.revoked_at, adjustment.revoked_by = timezone.now(), by
    adjustment.save(update_fields=["revoked_at", "revoked_by"])
    if event is not None:
        places.keep(event=event)
    audit.log(
        "adjustment.revoked",
        club=season.club,
        by=by,
        event=adjustment.event,
        adjustment=adjustment.pk,
        player=adjustment.player_id,
        name=adjustment.player.name,
        points=str(adjustment.points),
    )
    return adjustment
