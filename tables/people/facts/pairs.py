"""Pairs of players who do better in games together than their other games predict.

It shows players who help a partner: one of the two comes first more often than they do with others.
It is a hint for a person to look into, and proves nothing.
"""

import datetime
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from django.utils import timezone

from tables.models import RatedPlace

FEWEST = 20
"""Minimum number of games together for a pair to be tested."""
FALSE_ALARMS = 0.01
"""Probability that a list about honest players contains a pair by chance."""
ROUNDS = 12
SINCE = datetime.timedelta(days=90)
MOST_PLACES = 12_000


class PlacedAccount(NamedTuple):
    """A player's place in a game; `who` is the account's key, None for a bot."""

    who: int | None
    name: str
    rank: int


@dataclass(frozen=True)
class StandingPair:
    """A pair that met in `games` games; one of the two came first in `firsts` of them.

    `expected` is the number of firsts that their other games predict, and `meetings` the number of
    games together that chance predicts.
    """

    names: tuple[str, str]
    games: int
    meetings: float
    firsts: int
    expected: float


def rated_pairs() -> list[StandingPair]:
    """Return the conspicuous pairs at rated tables, where players do not choose their opponents."""
    places = RatedPlace.objects.filter(rated__rated_at__gte=timezone.now() - SINCE)
    games: defaultdict[int, list[PlacedAccount]] = defaultdict(list)
    rows = places.order_by("-pk").values_list("rated_id", "user_id", "name", "rank")
    for rated, who, name, rank in rows[:MOST_PLACES]:
        games[rated].append(PlacedAccount(who, name, rank))
    return pairs(list(games.values()), meet_by_chance=True)


def pairs(games: Sequence[Sequence[PlacedAccount]], *, meet_by_chance: bool) -> list[StandingPair]:
    """Return the conspicuous pairs, the most conspicuous first.

    With `meet_by_chance`, include only pairs that meet more often than chance predicts.
    """
    together: defaultdict[tuple[int, int], list[Sequence[PlacedAccount]]] = defaultdict(list)
    for game in games:
        people = sorted(place.who for place in game if place.who is not None)
        for one, two in itertools.combinations(people, 2):
            together[one, two].append(game)
    tested = {pair: met for pair, met in together.items() if len(met) >= FEWEST}
    if not tested:
        return []
    threshold = NormalDist().inv_cdf(1 - FALSE_ALARMS / len(tested))
    strengths, counts, found = _strengths(games), _Counts(games), []
    for pair, met in tested.items():
        if _surprise(pair, met, games, strengths)[0] < threshold / 2:
            continue  # Its own games inflate both strengths, but not by that much.
        shared = set(map(id, met))
        apart = [game for game in games if id(game) not in shared]
        surprise, expected, firsts = _surprise(pair, met, apart, _strengths(apart))
        chance = counts.meetings(*pair)
        meets = len(met) > chance + 3 * math.sqrt(chance)
        if surprise > threshold and (meets or not meet_by_chance):
            names = (counts.names[pair[0]], counts.names[pair[1]])
            found.append((surprise, StandingPair(names, len(met), chance, firsts, expected)))
    return [pair for _, pair in sorted(found, key=lambda one: -one[0])]


Strengths = dict[int | None, float]


def _strengths(games: Sequence[Sequence[PlacedAccount]]) -> Strengths:
    """Return everyone's strength; its share of the table's total is the chance to come first.

    The method is Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), with a prior
    of one first place at an average table for everyone.
    """
    found: Strengths = defaultdict(lambda: 1.0)
    firsts = Counter(place.who for game in games for place in game if place.rank == 1)
    for _ in range(ROUNDS):
        exposed: Counter[int | None] = Counter()
        for game in games:
            share = 1 / sum(found[place.who] for place in game)
            for place in game:
                exposed[place.who] += share  # type: ignore[assignment]
        found |= {who: (firsts[who] + 1) / (share + 1) for who, share in exposed.items()}
    return found


def _surprise(
    pair: tuple[int, int],
    met: Sequence[Sequence[PlacedAccount]],
    others: Sequence[Sequence[PlacedAccount]],
    strengths: Strengths,
) -> tuple[float, float, int]:
    """Return a pair's surplus of firsts in standard deviations, its expected firsts and its firsts.

    The deviation includes the uncertainty of their strengths, which come from the `others`.
    """
    expected = spread = 0.0
    slopes = dict.fromkeys(pair, 0.0)
    for game in met:
        whole = sum(strengths[place.who] for place in game)
        chance = sum(strengths[who] for who in pair) / whole
        expected += chance
        spread += chance * (1 - chance)
        for who in pair:
            slopes[who] += strengths[who] / whole * (1 - chance)
    for who in pair:
        known = 1.0
        for game in others:
            if any(place.who == who for place in game):
                share = strengths[who] / sum(strengths[place.who] for place in game)
                known += share * (1 - share)
        spread += slopes[who] ** 2 / known
    firsts = sum(place.rank == 1 and place.who in pair for game in met for place in game)
    return (firsts - expected) / math.sqrt(spread), expected, firsts


class _Counts:
    """Each account's number of games, and the sum of the people it met in them."""

    def __init__(self, games: Sequence[Sequence[PlacedAccount]]) -> None:
        self.names: dict[int, str] = {}
        self._games: Counter[int] = Counter()
        self._company: Counter[int] = Counter()
        for game in games:
            people = [place for place in game if place.who is not None]
            for place in people:
                assert place.who is not None
                self.names.setdefault(place.who, place.name)
                self._games[place.who] += 1
                self._company[place.who] += len(people) - 1

    def meetings(self, one: int, two: int) -> float:
        """Return the expected number of meetings of two players under random seating."""
        others = self._games.total() - self._games[one]
        return min(self._games[one], self._company[one] * self._games[two] / max(1, others))
