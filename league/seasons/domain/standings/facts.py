"""The input of standings: plain values, keyed by integers or text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from league.base.domain.keys import Key, Pair
from league.seasons.domain.same_deals import Beaten

from .nights import Share


class TallyFact(NamedTuple):
    """How often an entrant took one placing in one event.

    `rank` is the first of the places shared by `tied` players at a table of `size`. `sitting` is
    required if the games of a sitting count as one: with `average` and `table_ranking`.
    """

    entrant: Key
    event: Key
    size: int
    rank: int
    tied: int
    games: int
    sitting: Key | None = None


class AdjustmentFact(NamedTuple):
    """Points given or (negative) taken in an event or a season, with the reason."""

    entrant: Key
    points: Fraction
    reason: str
    event: Key | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that only stakes, final places and some tie-breaks need (see `tie_breaks.needs`).

    `money`: (entrant, event) → net result in minor units. `ahead`: (a, b) → games at one table in
    which a finished before b. `met`: (a, b) → games of a and b at one table, in both orders.
    `places`: (entrant, event) → the final place, in nights that give points for it. `beaten`:
    (entrant, event) → the hands, in nights whose tables all play the same deals.
    """

    money: Mapping[Pair, int] = field(default_factory=dict)
    ahead: Mapping[Pair, int] = field(default_factory=dict)
    met: Mapping[Pair, int] = field(default_factory=dict)
    places: Mapping[Pair, Share] = field(default_factory=dict)
    beaten: Mapping[Pair, Beaten] = field(default_factory=dict)


def meetings(games: Iterable[Mapping[Key, int]]) -> tuple[dict[Pair, int], dict[Pair, int]]:
    """Return `ahead` and `met` of `Facts`, counted from games given as entrant → rank."""
    ahead: dict[Pair, int] = {}
    met: dict[Pair, int] = {}
    for ranks in games:
        for a, rank in ranks.items():
            for b, other in ranks.items():
                if a != b:
                    met[a, b] = met.get((a, b), 0) + 1
                    if rank < other:
                        ahead[a, b] = ahead.get((a, b), 0) + 1
    return ahead, met
