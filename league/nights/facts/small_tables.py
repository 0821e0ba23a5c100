"""Small tables of a season's earlier nights, so that over the nights everyone has a fair share."""

from collections import defaultdict
from collections.abc import Collection

from league.models import Entrant, Event, Place, Round
from league.seasons.facts.standings import OWNER


def shorted(event: Event, here: Collection[int]) -> dict[int, float]:
    """Return how many small tables above their share these entrants had on earlier nights.

    The share of a round is that of its seats that were at tables smaller than its largest.
    """
    earlier = Round.objects.filter(
        status=Round.Status.RELEASED,
        event__season=event.season_id,
        event__binned_at=None,
        settings__method__in=["few_repeats", "swiss"],
    ).exclude(event=event)
    owners = Entrant.objects.filter(event__season=event.season_id).values_list("pk", OWNER)
    player_of: dict[int, int] = dict(owners)
    # Not one statement: without statistics PostgreSQL chose joins that took over 20 seconds.
    places = Place.objects.filter(from_game=1, round__in=list(earlier.values_list("pk", flat=True)))
    rounds: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, sitting, entrant in places.values_list("round_id", "sitting_id", "entrant_id"):
        rounds[number][sitting].append(player_of[entrant])
    had: defaultdict[int, float] = defaultdict(float)
    for tables in rounds.values():
        sizes = [len(people) for people in tables.values()]
        small = sum(size for size in sizes if size < max(sizes))
        for people in tables.values():
            for player in people:
                had[player] += (len(people) < max(sizes)) - small / sum(sizes)
    return {key: had[player_of[key]] for key in here}
