"""Keeping the final places of closed nights, so that a season which counts them stays quick."""

from __future__ import annotations

from league.models import Entrant, Event
from league.seasons import places
from league.seasons.facts.standings import canonical


def keep(*, event: Event) -> None:
    """Write the places of the locked event as they are now; none where they give no points."""
    found, changed = places.shares(event), []
    if not found:
        event.entrants.exclude(place=None).update(place=None, place_tied=None)
        return
    entrants = list(event.entrants.select_related("player__merged_into"))
    # Of two names merged into one only one has the place.
    entrants.sort(key=lambda entrant: entrant.player.merged_into_id is not None)
    for entrant in entrants:
        rank, tied = found.pop(canonical(entrant.player).pk, (None, None))
        if (entrant.place, entrant.place_tied) != (rank, tied):
            entrant.place, entrant.place_tied = rank, tied
            changed.append(entrant)
    Entrant.objects.bulk_update(changed, ["place", "place_tied"])
