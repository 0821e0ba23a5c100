"""Lower bounds on repeat meetings, by counting."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from league.seating.sizes import FULL, byes, even_pairs, pairs, table_sizes

# Twenty players cannot play six rounds without a repeat meeting. Counting does not show it, only
# exhaustive search (social golfer problem 5-4-6, OEIS A107431).
PROVED = {(20, 4): (6, 1)}
STEPS = 200_000


def lower_bound(
    players: int,
    rounds: int,
    *,
    apart: Collection[tuple[int, int]] = (),
    size: int = FULL,
) -> int:
    """Return a lower bound on the repeat meetings of every schedule of this shape.

    A pair that meets c times counts c - 1; pairs in `apart` are assumed never to meet. The bound
    is the largest of four: all pairs together, each player's opponents, two rounds against each
    other (a table shares a pair with any round that has fewer tables than it has players), and
    `PROVED`.
    """
    sizes = table_sizes(players, size=size)
    if not sizes or rounds < 1:
        return 0
    forbidden = {frozenset(pair) for pair in apart}
    bins = len(sizes) + byes(players, size)
    per_round = sum(map(pairs, sizes))
    shared = sum(even_pairs(size, bins) for size in sizes)
    distinct = min(pairs(players) - len(forbidden), per_round + (rounds - 1) * (per_round - shared))
    known_rounds, known_repeats = PROVED.get((players, size), (rounds + 1, 0))
    return max(
        rounds * sum(map(pairs, sizes)) - distinct,
        _by_player(players, rounds, sizes, forbidden),
        known_repeats if rounds >= known_rounds else 0,
        0,
    )


def round_bound(
    unmet: Sequence[int], sizes: Sequence[int], earlier: Iterable[Sequence[Collection[int]]] = ()
) -> int:
    """Return a lower bound on the repeat meetings of one more round.

    `unmet` holds each present player's number of opponents not met yet. `earlier` holds the rounds
    already played, restricted to the players present.
    """
    needs = sorted((size - 1 for size in sizes for _ in range(size)), reverse=True)
    pairing = zip(needs, sorted(unmet, reverse=True), strict=False)
    lacking = sum(max(0, need - free) for need, free in pairing)
    bins = len(sizes) + len(unmet) - sum(sizes)
    overlaps = (sum(even_pairs(len(table), bins) for table in tables) for tables in earlier)
    return max([-(-lacking // 2), *overlaps]) if sizes else 0


def has_fewer(
    met: Sequence[Collection[int]], sizes: Sequence[int], repeats: int, steps: int = STEPS
) -> bool | None:
    """Return whether a round of these tables repeats fewer meetings; None if unknown in `steps`.

    `met[p]` are the players whom p has met. Tables are filled one by one, each from the lowest
    player left, as long as the repeats stay below.
    """
    left = [steps]

    def fill(free: Sequence[int], sizes: Sequence[int], allowed: int) -> bool:
        if not sizes:
            return True
        head, *others = free
        for size in sorted(set(sizes), reverse=True):
            rest = list(sizes)
            rest.remove(size)
            for mates in combinations(others, size - 1):
                left[0] -= 1
                if left[0] < 0:
                    return False
                cost = sum(b in met[a] for a, b in combinations((head, *mates), 2))
                if cost <= allowed:
                    after = [player for player in others if player not in mates]
                    if fill(after, rest, allowed - cost):
                        return True
        return False

    found = fill(range(len(met)), sizes, repeats - 1)
    return None if not found and left[0] < 0 else found


def _by_player(
    players: int, rounds: int, sizes: Sequence[int], forbidden: Collection[frozenset[int]]
) -> int:
    if sum(sizes) < players:
        return 0
    avoided = Counter(player for pair in forbidden for player in pair)
    meetings = rounds * (min(sizes) - 1)
    lacking = (meetings - (players - 1 - avoided[player]) for player in range(players))
    return -(-sum(max(0, missing) for missing in lacking) // 2)
