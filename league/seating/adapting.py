"""The plan of a night after people came or left: kept where it can be, then searched from there."""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from league.seating.anneal import HOT, PairWeights, anneal, cost_of
from league.seating.planner import MILD
from league.seating.quality import meetings, short_seats
from league.seating.sizes import SeatedRound

# Temperature, and the weight of a meeting relative to even short tables.
# Exchanges for each player, and at most in one search: a draw takes at most a second and a half.
EACH, MOST = 12_000, 200_000
# What a repeat costs beside its number: a pair's third meeting is a repeat as the second was.
ONCE = 3
# One repeat less now is worth so many in the rounds ahead: they may never be played.
WORTH = 10
SEARCHES = ((MILD, 9), (HOT, 3), (MILD, 9))


def restrict(tables: SeatedRound, present: Sequence[int]) -> SeatedRound:
    """Return a round of those of its players who are present, numbered in the given order."""
    index = {key: number for number, key in enumerate(present)}
    kept = ([index[p] for p in table if p in index] for table in tables)
    return [table for table in kept if table]


def adapt(
    planned: Sequence[SeatedRound],
    sizes: Sequence[int],
    weights: PairWeights,
    rng: random.Random,
) -> list[SeatedRound]:
    """Return the planned rounds with everyone seated, at tables of these sizes, largest first.

    `weights` is the cost of one more meeting by pair. A table too many gives up its players, a
    table too large the one who costs most there; each free player sits where that costs least.
    """
    met = [Counter(dict(enumerate(row))) for row in weights]
    adapted = []
    for tables in planned:
        kept = [list(table) for table in sorted(tables, key=len, reverse=True)][: len(sizes)]
        kept += [[] for _ in range(len(sizes) - len(kept))]
        for table, size in zip(kept, sizes, strict=True):
            while len(table) > size:
                table.remove(max(table, key=lambda p: (_cost(met, p, table), rng.random())))
        seated = {player for table in kept for player in table}
        free = [player for player in range(len(weights)) if player not in seated]
        for player in rng.sample(free, len(free)):
            open_tables = [t for t, size in zip(kept, sizes, strict=True) if len(t) < size]
            min(open_tables, key=lambda t: (_cost(met, player, t), rng.random())).append(player)
        adapted.append(kept)
        for table in kept:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
    return adapted


def search_ahead(
    kept: Sequence[SeatedRound],
    chance: Sequence[SeatedRound],
    weights: PairWeights,
    short: Sequence[int],
    rng: random.Random,
) -> list[SeatedRound]:
    """Return the best of several searches, mild ones from `kept` and hot ones from `chance`.

    Rounds with few repeat meetings come first: the later ones may never be played.
    """
    least, found = min(short), list(kept)
    iterations = min(EACH * len(short), MOST)
    shortage = [2 * (times - least) for times in short]
    for hot, meeting in SEARCHES:
        start = chance if hot == HOT else found
        other = anneal(
            start, weights, rng, iterations=iterations, shortage=shortage, hot=hot,
            meeting=meeting, repairs=hot == MILD,
        )  # fmt: skip
        found = min(
            found, other, key=lambda each: (faults(each, weights), cost_of(each, weights, shortage))
        )
        if not faults(found, weights):
            break
    return sorted(found, key=lambda tables: _price(tables, weights))


def search_alone(
    tables: SeatedRound,
    later: Sequence[SeatedRound],
    weights: PairWeights,
    short: Sequence[int],
    rng: random.Random,
) -> SeatedRound:
    """Return a round with fewer repeat meetings of its own, if there is one.

    Where people come and go, the rounds ahead are hardly a reason to accept a repeat now.
    """
    alike = [[weight + ONCE if weight > 0 else weight for weight in row] for row in weights]
    least, best = min(short), tables
    alone = min(EACH * len(short), MOST) // 5
    shortage = [2 * (times - least) for times in short]
    chance = iter(rng.sample(range(len(short)), len(short)))
    drawn = [[next(chance) for _ in table] for table in tables]
    for start, hot in ((tables, MILD), (drawn, HOT)):
        if not faults([best], weights):
            break
        (other,) = anneal(
            [start], alike, rng, iterations=alone, shortage=shortage, hot=hot, repairs=True
        )
        best = min(
            best, other, key=lambda each: (faults([each], alike), cost_of([each], alike, shortage))
        )
    now, then = (
        faults([tables, *rounds], weights) - faults([best, *rounds], weights)
        for rounds in ([], later)
    )
    return best if -then <= WORTH * now else tables


def share_places(
    rounds: Sequence[SeatedRound], shorted: Sequence[float], staying: Collection[int]
) -> list[SeatedRound]:
    """Return a plan with the players renamed: who had most small tables before takes the fewest.

    Those `staying`, who have wishes, keep their places. Renaming repeats no meeting.
    """
    short = short_seats(rounds)
    movable = [player for player in range(len(shorted)) if player not in staying]
    places = sorted(movable, key=lambda place: short[place])
    takes = dict(zip(places, sorted(movable, key=lambda p: -shorted[p]), strict=True))
    if not any(shorted):
        takes = {}
    return [[[takes.get(p, p) for p in table] for table in tables] for tables in rounds]


def cheapest_first(rounds: Sequence[SeatedRound]) -> list[SeatedRound]:
    """Return the rounds so that each next one repeats the fewest meetings of those before it."""
    left, ordered, met = list(rounds), [], Counter[tuple[int, int]]()
    while left:
        tables = min(left, key=lambda each: sum(met[pair] for pair in meetings([each])))
        left.remove(tables)
        ordered.append(tables)
        met += meetings([tables])
    return ordered


def _cost(met: Sequence[Counter[int]], player: int, table: Sequence[int]) -> int:
    return sum(met[player][other] for other in table if other != player)


def _price(tables: SeatedRound, weights: PairWeights) -> int:
    return sum(weights[a][b] for table in tables for a, b in combinations(table, 2))


def faults(rounds: Sequence[SeatedRound], weights: PairWeights) -> int:
    """Return the repeat meetings of these rounds and before them, with the wishes' weights."""
    again = sum(n - 1 for (a, b), n in meetings(rounds).items() if weights[a][b] >= 0)
    wished = sum(weight for row in weights for weight in row if weight < 0) // 2
    return again + sum(_price(tables, weights) - wished for tables in rounds)
