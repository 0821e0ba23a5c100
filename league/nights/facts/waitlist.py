"""Queue nights: who waits, who sits down next, and which table could be formed."""

from collections import Counter
from itertools import combinations

from django.db.models import Min, OuterRef, Subquery
from django.db.models.functions import Coalesce

from league.base.domain.grouped import grouped
from league.models import Entrant, Event, Place, Placing, Round
from league.nights.facts import online_tables


def queue(event: Event) -> list[Entrant]:
    """Return the entrants here who wait for a seat, in queue order."""
    waiting = event.entrants.filter(presence=Entrant.Presence.HERE, ticket__isnull=False)
    return list(waiting.select_related("player").order_by("ticket"))


def drawn_queue(round_: Round) -> list[int]:
    """Return the queue of the draw, its head first, after swaps by hand."""
    waiting: list[int] = list(round_.settings.get("waiting", []))
    for a, b in round_.settings.get("swaps", []):
        waiting = [b if key == a else a if key == b else key for key in waiting]
    return waiting


def met_in(event: Event) -> Counter[tuple[int, int]]:
    """Return the number of games each pair has played together in the event."""
    own = Entrant.objects.filter(event=event, player=OuterRef("entrant__player__merged_into"))
    person = Coalesce(Subquery(own.values("pk")[:1]), "entrant_id")
    placings = Placing.objects.filter(result__sitting__round__event=event, result__current=True)
    games = grouped(placings.values_list("result_id", person))
    return Counter(pair for players in games.values() for pair in combinations(sorted(players), 2))


def moves_chairs(event: Event, sitting_id: int, game_no: int) -> bool:
    """Return whether seats may change hands at any of the night's tables after that game."""
    if not event.has_queue:
        return False
    if online_tables.open_at(event):
        return True
    if event.rules_of_format.kind != "open":
        return event.entrants.filter(ticket__isnull=False).exists()
    last = event.games_together
    seated = Place.objects.filter(sitting=sitting_id, to_game=None)
    since = seated.aggregate(since=Min("from_game"))["since"]
    return last is not None and since is not None and game_no - since + 1 >= last
