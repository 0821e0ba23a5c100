"""The door by which seasons and money learn the stages and the final places of a night.

Neither knows anything of stages: `league.nights` registers here, because the places of a cup are
those of its final and then of those eliminated, not those by all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from league.models import Event
from league.seasons.domain.standings import Share
from league.seasons.facts.standings import Standing, event_standings


@dataclass(frozen=True)
class BegunStage:
    """A stage of a night that has begun, with everyone's place in it by player.

    `kind` is `group`, `final`, or `table` of the round with that number in a knock-out.
    """

    kind: str
    round: int | None
    ranks: Mapping[int, int | None]


PlacesOf = Callable[[Event], Sequence[Standing]]
StagesOf = Callable[[Event], Sequence[BegunStage]]


def _no_stages(_event: Event) -> Sequence[BegunStage]:
    return ()


_places_of: PlacesOf = event_standings
_stages_of: StagesOf = _no_stages


def register(places_of: PlacesOf, stages_of: StagesOf) -> None:
    """Let the places and the stages of a night be asked for there from now on."""
    global _places_of, _stages_of
    _places_of, _stages_of = places_of, stages_of


def stages_of(event: Event) -> Sequence[BegunStage]:
    """Return the stages of the night that have begun, in their order; empty where it has none."""
    return _stages_of(event)


def places_of(event: Event) -> Sequence[Standing]:
    """Return everyone's place in the night, best first."""
    return _places_of(event)


def ranked(event: Event) -> list[Standing]:
    """Return those who played in the night and have a place, best first."""
    return [one for one in places_of(event) if one.row.games and one.row.rank]


def shares(event: Event) -> dict[int, Share]:
    """Return the places for which the event gives its season points, by player; none yet if open.

    People who share a place share its points, see `points_for_place`.
    """
    if event.is_open or event.called_off_at or event.rules_of_scoring.gives != "places":
        return {}
    found = {one.player.pk: one.row.rank or 0 for one in ranked(event)}
    sharing = Counter(found.values())
    return {player: Share(rank, sharing[rank]) for player, rank in found.items()}
