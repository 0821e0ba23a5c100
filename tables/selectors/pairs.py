"""Pairs whose places in games together are better than their other games lead one to expect.

A partner who helps the other one shows in this: one of the two comes first more often than both
do with others. It is a figure for people to look into, and proves nothing.
"""

from __future__ import annotations

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
"""A pair with fewer games together is not looked at."""
FALSE_ALARMS = 0.01
"""In so many of the looks at honest players one pair stands in the list by chance."""
ROUNDS = 12
SINCE = datetime.timedelta(days=90)
MOST_PLACES = 12_000


class PlacedAccount(NamedTuple):
    """Someone's place in a game: `who` is an account, a bot has none."""

    who: int | None
    name: str
    rank: int


@dataclass(frozen=True)
class StandingPair:
    """Two who met in `games`, of which one of them won `firsts`.

    By their other games `expected` firsts were to be expected, and `meetings` by chance.
    """

    names: tuple[str, str]
    games: int
    meetings: float
    firsts: int
    expected: float


def rated_pairs() -> list[StandingPair]:
    """Return the pairs at rated tables, where people do not choose with whom they sit."""
    places = RatedPlace.objects.filter(rated__rated_at__gte=timezone.now() - SINCE)
    games: defaultdict[int, list[PlacedAccount]] = defaultdict(list)
    rows = places.order_by("-pk").values_list("rated_id", "user_id", "name", "rank")
    for rated, who, name, rank in rows[:MOST_PLACES]:
        games[rated].append(PlacedAccount(who, name, rank))
    return pairs(list(games.values()), meet_by_chance=True)


def pairs(games: Sequence[Sequence[PlacedAccount]], *, meet_by_chance: bool) -> list[StandingPair]:
    """Return the pairs that stand out, those first that do most.

    Where people `meet_by_chance`, only those who meet more often than chance has it.
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
            continue  # Its own games make both look stronger, but not by so much.
        shared = set(map(id, met))
        apart = [game for game in games if id(game) not in shared]
        surprise, expected, firsts = _surprise(pair, met, apart, _strengths(apart))
        chance = counts.meetings(*pair)
        meets = len(met) > chance + 3 * math.sqrt(chance)
        if surprise > threshold and (meets or not meet_by_chance):
            names = (counts.names[pair[0]], counts.names[pair[1]])
            found.append((surprise, StandingPair(names, len(met), chance, firsts, expected)))
    return [shown for _, shown in sorted(found, key=lambda one: -one[0])]


Strengths = dict[int | None, float]


def _strengths(games: Sequence[Sequence[PlacedAccount]]) -> Strengths:
    """Return how strong everyone is, so that one's share of a table's is the chance to come first.

    Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), with one more first place
    at an average table for everyone.
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
    """Return by how many standard deviations a pair's firsts are too many, and both numbers.

    The doubt about their strengths, which follow from the `others`, is a part of it.
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
    """How many games everyone played, and beside how many people."""

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
        """Return how often the two meet if all who play are put together by chance."""
        others = self._games.total() - self._games[one]
        return min(self._games[one], self._company[one] * self._games[two] / max(1, others))
