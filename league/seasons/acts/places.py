"""Store the final places of closed nights, so that season standings need not compute them."""

from league.models import Entrant, Event
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
