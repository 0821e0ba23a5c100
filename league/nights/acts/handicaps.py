"""Handicaps: starting points for players rated below the strongest."""

from decimal import ROUND_HALF_UP, Decimal

from accounts.models import User
from engine.statistics.strengths import MEAN
from league.models import Adjustment, Event, Place, Round, Strength
from league.seasons.acts import adjustments
from league.seasons.facts.standings import OWNER, canonical
from tables.base.columns import set_columns

PER = 10
HALF = Decimal("0.5")


def give(event: Event, round_: Round, by: User) -> None:
    """Give everyone here their starting points, once each, as a round is released.

    The caller locks the season before the event. Latecomers too are compared with the strongest
    player of the first round.
    """
    if not event.rules_of_format.handicap:
        return
    here = event.entrants.filter(presence="here", counts=True, player__bot="")
    people = set(here.values_list(OWNER, flat=True))
    ratings = Strength.objects.filter(club=event.season.club, season=None, player__in=people)
    known = dict(ratings.values_list("player_id", "mu"))
    strength = {key: known.get(key, MEAN) for key in people}
    top = _strongest(event, round_, max(strength.values(), default=MEAN))
    cause = Adjustment.Cause.HANDICAP
    given = event.adjustment_set.filter(cause=cause).select_related("player__merged_into")
    known_to = {canonical(each.player).pk for each in given if not each.is_taken_back}
    for player in event.season.club.players.filter(pk__in=people - known_to).order_by("pk"):
        points = points_for(top - strength[player.pk], event.rules_of_format.handicap)
        if points:
            adjustments.adjust_points(
                season=event.season,
                event=event,
                player=player,
                points=points,
                reason=cause.value,
                by=by,
                cause=cause,
            )


def take_back(event: Event, by: User) -> None:
    """Revoke the starting points of players who sit in no released round, as one is withdrawn.

    The caller locks the season before the event.
    """
    places = Place.objects.filter(round__event=event, round__status=Round.Status.RELEASED)
    seated = {canonical(place.entrant.player).pk
              for place in places.select_related("entrant__player__merged_into")}  # fmt: skip
    given = event.adjustment_set.in_force().filter(cause=Adjustment.Cause.HANDICAP)
    for each in given.select_related("player__merged_into"):
        if canonical(each.player).pk not in seated:
            adjustments.revoke(adjustment=each, by=by, by_rule=True)


def points_for(gap: float, each: int) -> Decimal:
    """Return the points for a rating gap: `each` per ten, rounded to halves.

    >>> points_for(7.4, 4)
    Decimal('3.0')
    """
    exact = Decimal(str(round(max(gap, 0.0), 6))) * each / PER
    return (exact / HALF).quantize(Decimal(1), rounding=ROUND_HALF_UP) * HALF


def _strongest(event: Event, round_: Round, now: float) -> float:
    """Return the strongest player's rating; the first round stores it for later ones."""
    first = event.rounds.order_by("number").first()
    stored = first.settings.get("top_strength") if first is not None else None
    if stored is not None:
        return float(stored)
    if first is not None:
        set_columns(first, settings=first.settings | {"top_strength": now})
        if first.pk == round_.pk:
            round_.settings = first.settings
    return now
