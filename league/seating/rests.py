"""Who sits out a round that has fewer seats than players."""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from statistics import median_high


def who_rests(
    rounds: Sequence[tuple[Collection[int], Collection[int]]],
    people: Collection[int],
    count: int,
    rng: random.Random,
) -> set[int]:
    """Return the `count` players who sit out the next round.

    `rounds` holds the players at the tables and those sitting out of each earlier round. Missing a
    round after one's first is a rest too, and latecomers begin with the median number of rests.
    Nobody rests twice running while another can, then the fewest rests count, then the lot.
    """
    had: Counter[int] = Counter()
    known: set[int] = set()
    out: set[int] = set()
    for seated, resting in rounds:
        here = {*seated, *resting}
        out = {*resting, *(known - here)}
        had.update(out)
        known |= here
        middle = median_high([had[player] for player in here] or [0])
        for player in set(people) - known:
            had[player] = middle
    order = sorted(sorted(people), key=lambda player: (player in out, had[player], rng.random()))
    return set(order[: max(0, count)])
