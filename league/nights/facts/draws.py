"""A round's page: the seating by table and by name."""

from league.models import Entrant, Event, Place, Round, Sitting


def is_clockwise(event: Event) -> bool:
    """Return whether play runs clockwise by the event's rules; only diagrams use it."""
    return event.rules.direction == "clockwise"


def cuts_first(event: Event) -> bool:
    """Return whether the rules cut for a table's first deal, so no dealer is named."""
    return event.rules.first_dealer == "highest_cut"


def is_to_cut(event: Event, sitting: Sitting) -> bool:
    """Return whether the table still has to cut for its first deal, so no dealer is named."""
    return cuts_first(event) and not sitting.was_cut


def chair_choices(event: Event, round_: Round) -> list[Entrant]:
    """Return the entrants who can take a seat in this round: not seated, left or absent."""
    seated = Place.objects.filter(round=round_, to_game=None).values("entrant")
    free = event.entrants.filter(counts=True).exclude(pk__in=seated)
    free = free.exclude(presence__in=[Entrant.Presence.LEFT, Entrant.Presence.ABSENT])
    return list(free.select_related("player").order_by("player__sort_key"))
