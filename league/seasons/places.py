"""The interface through which seasons and money read the stages and final places of a night.

`league.nights` registers its implementation, because a cup's places are those of its final and then
of those eliminated, not those by all games.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from league.models import Event, Player
from league.seasons.domain.standings import Share
from league.seasons.facts.standings import Standing, standings_of_events


@dataclass(frozen=True)
class BegunStage:
    """A stage of a night that has begun, with the ranks by player.

    `kind` is `group`, `final` or, in a knock-out, `table` of round `round`.
    """

    kind: str
    round: int | None
    ranks: Mapping[int, int | None]


PlacesOf = Callable[[Sequence[Event]], Mapping[int, Sequence[Standing]]]
StagesOf = Callable[[Event], Sequence[BegunStage]]


def _no_stages(_event: Event) -> Sequence[BegunStage]:
    return ()


_places_of: PlacesOf = standings_of_events
_stages_of: StagesOf = _no_stages


def register(places_of: PlacesOf, stages_of: StagesOf) -> None:
    """Register the functions that return the places of nights and the stages of one."""
    global _places_of, _stages_of
    _places_of, _stages_of = places_of, stages_of


def stages_of(event: Event) -> Sequence[BegunStage]:
    """Return the begun stages of the night in order; empty if it has none."""
    return _stages_of(event)


def places_of_events(events: Sequence[Event]) -> Mapping[int, Sequence[Standing]]:
    """Return everyone's place in each of these nights, best first, by night."""
    return _places_of(events)


def places_of(event: Event) -> Sequence[Standing]:
    """Return everyone's place in the night, best first."""
    return _places_of([event])[event.pk]


def ranked(event: Event) -> list[Standing]:
    """Return those who played in the night and have a rank, best first."""
    return [one for one in places_of(event) if one.row.games and one.row.rank]


def in_last_place(event: Event) -> list[Player]:
    """Return the people in last place, bots left out; several if they share it."""
    people = [one for one in ranked(event) if not one.player.bot]
    return [one.player for one in people if one.row.rank == people[-1].row.rank]


def shares(event: Event) -> dict[int, Share]:
    """Return the final places that give season points, by player; empty until the event is closed.

    Tied players share their points, see `points_for_place`.
    """
    if event.is_open or event.called_off_at or event.rules_of_scoring.gives != "places":
        return {}
    found = {one.player.pk: one.row.rank or 0 for one in ranked(event)}
    sharing = Counter(found.values())
    return {player: Share(rank, sharing[rank]) for player, rank in found.items()}
