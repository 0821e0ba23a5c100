"""Events in stages: groups and a final, and tables whose best advance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from league.domain.seating.sizes import FULL, SeatingError


def snake_groups(order: Sequence[int], groups: int) -> list[list[int]]:
    """Return so many groups of equal strength from players listed strongest first.

    Players are dealt out to and fro, so that group sizes differ by one at most.
    """
    if not 1 <= groups <= len(order):
        raise SeatingError(f"{len(order)} players cannot make {groups} groups.")
    drawn: list[list[int]] = [[] for _ in range(groups)]
    for number, player in enumerate(order):
        lap, place = divmod(number, groups)
        drawn[place if lap % 2 == 0 else groups - 1 - place].append(player)
    return drawn


def advance(
    results: Sequence[Sequence[int]],
    *,
    each: int = 2,
    total: int | None = None,
    points: Mapping[int, int] | None = None,
) -> list[int]:
    """Return who goes on: the first `each` of every table, all winners before all seconds.

    `results` lists the players of each table, best first. With `total` the best of the rest by
    (place, points, earlier table) fill up to it; when it is smaller than what `each` gives, the
    same order decides who stays behind. Raises SeatingError when there are not enough players.
    """
    gained = points or {}
    placed = [
        (place, -gained.get(player, 0), table, player)
        for table, order in enumerate(results)
        for place, player in enumerate(order)
    ]
    ranked = [player for *_, player in sorted(placed)]
    wanted = sum(place < each for place, *_ in placed) if total is None else total
    if each < 1 or not 1 <= wanted <= len(ranked):
        raise SeatingError(f"{len(ranked)} players played; {wanted} of them cannot go on.")
    return ranked[:wanted]


def full_tables(advancing: int) -> int:
    """Return the next number of players that fills tables of four, to reach with best losers."""
    return -(-advancing // FULL) * FULL
