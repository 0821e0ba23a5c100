"""Friends at one table: a night whose tables could change, where nobody else is to come."""

from django.db.models import Q

from league.models import Entrant, Event, Sitting


def games_asked(event: Event) -> int | None:
    """Return how many games a round of the friends has; None if others wait, come or play."""
    rules = event.rules_of_scoring
    if event.rules_of_format.kind != "loser_leaves" or rules.counting != "fixed":
        return None
    waits = Q(presence=Entrant.Presence.HERE, ticket__isnull=False)
    others = event.entrants.filter(waits | Q(presence=Entrant.Presence.EXPECTED))
    if others.exists() or Sitting.objects.filter(round__event=event, table_no__gt=1).exists():
        return None
    return rules.games_per_round
