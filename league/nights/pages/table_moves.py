"""Who can change tables during a round, and where to."""

from dataclasses import dataclass

from django.db.models import Prefetch

from league.models import Place, Sitting


@dataclass(frozen=True)
class Other:
    """Another table of the round and its current places."""

    sitting: Sitting
    places: list[Place]


def other_tables(sitting: Sitting) -> list[Other]:
    """Return the round's other tables, in order."""
    places = Place.objects.filter(to_game=None).select_related("entrant__player").order_by("seat")
    found = Sitting.objects.filter(round=sitting.round_id).exclude(pk=sitting.pk)
    return [
        Other(other, list(other.places.all()))
        for other in found.prefetch_related(Prefetch("places", queryset=places))
    ]


def seated(sitting: Sitting) -> list[Place]:
    """Return the table's current places, in seat order."""
    now = sitting.places.filter(to_game=None)
    return list(now.select_related("entrant__player").order_by("seat"))
