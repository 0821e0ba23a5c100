"""Store the final places of closed nights, so that season standings need not compute them."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from league.base.acts import locks
from league.models import Club, Entrant, Event
from league.seasons import places
from league.seasons.facts.standings import canonical


def keep(*, event: Event) -> None:
    """Store the current places of the locked event; clear them if they give no points."""
    found, changed = places.shares(event), []
    if not found:
        event.entrants.exclude(place=None).update(place=None, place_tied=None)
        return
    entrants = list(event.entrants.select_related("player__merged_into"))
    # Two merged names may both be entrants; the main player's entry gets the place.
    entrants.sort(key=lambda entrant: entrant.player.merged_into_id is not None)
    for entrant in entrants:
        rank, tied = found.pop(canonical(entrant.player).pk, (None, None))
        if (entrant.place, entrant.place_tied) != (rank, tied):
            entrant.place, entrant.place_tied = rank, tied
            changed.append(entrant)
    Entrant.objects.bulk_update(changed, ["place", "place_tied"])


def withheld(club: Club | None = None) -> QuerySet[Event]:
    """Return the closed nights, of one club or all, in which someone who played has no place.

    Release 1.1 gave none for fewer games than the season asks for.
    """
    apart = Entrant.objects.filter(
        ~Q(player__bot=""), event__kind=Event.Kind.NIGHT, event__season__ranks_bots=False
    )
    missed = Entrant.objects.filter(
        event=OuterRef("pk"), counts=True, place=None, tallies__isnull=False
    ).exclude(pk__in=apart)
    events = Event.objects.filter(
        Exists(missed),
        scoring__gives="places",
        scoring__minimum_games__gt=0,
        status=Event.Status.CLOSED,
        called_off_at=None,
    )
    return (events if club is None else events.filter(season__club=club)).order_by("pk")


@transaction.atomic
def keep_withheld(event: Event) -> int:
    """Store the places of a night that `withheld` found, and return 1."""
    keep(event=locks.event_to_change(event.pk, must_be_open=False))
    return 1
