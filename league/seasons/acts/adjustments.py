"""Penalties and bonuses: points given outside games, with a reason and their author."""

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.clubs.facts.people import name_of
from league.models import Adjustment, Event, Player, Season
from league.seasons import places as doors
from league.seasons.acts import places
from league.seasons.facts import standings
from tables.base.columns import set_columns
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
    stage: str = "",
    stage_round: int | None = None,
) -> Adjustment:
    """Give the player points (or take them, below 0), in the event or in the season as a whole.

    `cause` is the night's rule that gave them, if any; what it took back it gives again. In a night
    with stages they count in `stage` (for a knock-out's tables, of round `stage_round`); without
    one, in the player's latest stage that has begun. Allowed before the first game and after the
    event is closed; only the season must be open.
    """
    season = locks.season_to_change(season.pk)
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
    if not cause:
        stage, stage_round = _stage_of(event, player, stage, stage_round)
    adjustment = Adjustment(season=season, event=event, player=player, cause=cause)
    if cause:
        found = Adjustment.objects.filter(event=event, player=player, cause=cause).first()
        adjustment = found if found is not None and found.is_taken_back else adjustment
    adjustment.points, adjustment.reason, adjustment.by = points, reason.strip(), by
    adjustment.stage, adjustment.stage_round = stage, stage_round
    adjustment.at, adjustment.revoked_at = timezone.now(), None
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
        points=str(adjustment.points),
        reason=adjustment.reason,
        **({"stage": stage, "stage_round": stage_round} if stage else {}),
    )
    return adjustment


def _stage_of(
    event: Event | None, player: Player, stage: str, number: int | None
) -> tuple[str, int | None]:
    """Return the stage in which the player's points count; empty if the night has none.

    Refusal on `stage` if the player does not play in the given one.
    """
    begun = doors.stages_of(event) if event is not None else ()
    own = [each for each in begun if player.pk in each.ranks]
    if stage:
        own = [each for each in own if (each.kind, each.round) == (stage, number)]
        if not own:
            raise Refusal(
                _("%(name)s does not play in this stage. Choose another."),
                params={"name": player.name},
                field="stage",
            )
    return (own[-1].kind, own[-1].round) if own else ("", None)


@dataclass(frozen=True)
class Effect:
    """A player whose place changes in a stage, in the night or in the season."""

    where: str
    player: Player
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Preview:
    """The effects of a penalty or bonus: the stage in which it counts, and the changed places.

    `is_earlier` says that a later stage has begun, whose players stay, `closed` that the night is
    closed. `same` is what the player has for the same reason in the same night or season already.
    """

    stage: str
    stage_round: int | None
    effects: list[Effect]
    is_earlier: bool
    closed: bool = False
    same: Adjustment | None = None
    same_by: str = ""

    @property
    def key(self) -> str:
        """A hash of the effects, equal for equal effects."""
        effects = [(e.where, e.player.pk, e.before, e.after) for e in self.effects]
        same = self.same.pk if self.same else None
        seen = repr((self.stage, self.stage_round, effects, self.closed, same))
        return hashlib.sha256(seen.encode()).hexdigest()[:32]


def preview_points(
    *, season: Season, player: Player, event: Event | None = None, **given: Any
) -> Preview:
    """Return the effects of `adjust_points`, which is run and rolled back."""
    given["reason"] = given["reason"].strip()
    alike = {"event": event, "points": given["points"], "reason__iexact": given["reason"]}
    own = season.adjustments.in_force().filter(player__in=player.names)
    same = own.filter(**alike).order_by("-pk").first()
    with transaction.atomic():
        before = _places(season, event)
        made = adjust_points(season=season, player=player, event=event, **given)
        after = _places(season, event)
        transaction.set_rollback(True)
    begun = doors.stages_of(event) if event is not None else ()
    latest = (begun[-1].kind, begun[-1].round) if begun else ("", None)
    found = Player.objects.in_bulk({key for _where, key in before | after})
    effects = [
        Effect(where, found[key], before.get((where, key)), rank)
        for (where, key), rank in after.items()
        if before.get((where, key)) != rank
    ]
    effects.sort(key=lambda effect: effect.player.pk != player.pk)
    return Preview(
        made.stage,
        made.stage_round,
        effects,
        is_earlier=(made.stage, made.stage_round) not in (("", None), latest),
        closed=event is not None and not Event.objects.filter(pk=event.pk, closed_at=None).exists(),
        same=same,
        same_by=name_of(season.club_id, same.by) if same else "",
    )


@transaction.atomic
def adjust_as_seen(
    *, seen: str, season: Season, event: Event | None = None, **given: Any
) -> Preview | None:
    """Adjust the points if the effects still match the preview with the key `seen`.

    Otherwise change nothing and return the current preview.
    """
    locks.season_to_change(season.pk)
    if event is not None:
        locks.event(event.pk)
    preview = preview_points(season=season, event=event, **given)
    if preview.key != seen:
        return preview
    adjust_points(season=season, event=event, **given)
    return None


def _places(season: Season, event: Event | None) -> dict[tuple[str, int], int | None]:
    """Return every player's rank, by table (stage, night or season) and player."""
    found: dict[tuple[str, int], int | None] = {}
    if event is not None:
        for stage in doors.stages_of(event):
            name = Adjustment(stage=stage.kind, stage_round=stage.round).stage_name
            found |= {(name, key): rank for key, rank in stage.ranks.items()}
        found |= {(event.name, one.player.pk): one.row.rank for one in doors.places_of(event)}
    ranked = standings.season_standings(season)
    return found | {(season.name, one.player.pk): one.row.rank for one in ranked}


def exactly(points: Fraction) -> Decimal:
    """Return points of the scoring rules, in thousandths at most, as an exact decimal."""
    return Decimal(points.numerator) / Decimal(points.denominator)


@transaction.atomic
def revoke(*, adjustment: Adjustment, by: User, by_rule: bool = False) -> Adjustment:
    """Revoke the adjustment; it stays listed, with who revoked it and when.

    What is revoked `by_rule`, by nobody's decision, the rule may give again.
    """
    season = locks.season_to_change(adjustment.season_id)
    event = None
    if adjustment.event_id:
        event = locks.event_to_change(adjustment.event_id, must_be_open=False)
    adjustment = Adjustment.objects.select_related("player", "event").get(pk=adjustment.pk)
    if adjustment.revoked_at:
        raise Refusal(_("This was already revoked."), code="stale", status=409)
    set_columns(adjustment, revoked_at=timezone.now(), revoked_by=None if by_rule else by)
    if event is not None:
        places.keep(event=event)
    audit.log(
        "adjustment.revoked",
        club=season.club,
        by=by,
        event=adjustment.event,
        adjustment=adjustment.pk,
        player=adjustment.player_id,
        points=str(adjustment.points),
    )
    return adjustment
