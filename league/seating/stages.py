"""Events in stages: groups of equal strength, and the cut of players who advance."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from league.seating.sizes import FULL, SeatingError

Levels = Sequence[Sequence[int]]
"""The players of a table or group from best to last, tied players together."""

Spot = tuple[int, int]

NOTHING = Fraction(0)


@dataclass(frozen=True)
class Cut:
    """The players who advance, best first, and the groups that only a lot divided."""

    through: list[int]
    by_lot: list[list[int]]


MOVES = 400
"""The number of swaps tried to keep team-mates apart."""


def group_sizes(players: int, groups: int, seats_all: Callable[[int], bool]) -> list[int]:
    """Return group sizes as even as `seats_all` allows: whether tables seat that many at once.

    Of two groups at tables of four, ten players make six and four, not twice five. A size at which
    someone sits out is left only where no move between two groups avoids it.
    """
    each, more = divmod(players, groups)
    sizes = [each + 1] * more + [each] * (groups - more)
    while bad := {size for size in sizes if not seats_all(size)}:
        moves = [
            ((b not in bad, moved, b), a, b, moved)
            for a, b in set(permutations(sizes, 2))
            for moved in range(1, b)
            if a in bad and seats_all(a + moved) and seats_all(b - moved)
        ]
        if not moves:
            break
        _cost, a, b, moved = min(moves)
        sizes.remove(a)
        sizes.remove(b)
        sizes += [a + moved, b - moved]
    return sorted(sizes, reverse=True)


def snake_groups(
    order: Sequence[int],
    sizes: Sequence[int],
    *,
    teams: Mapping[int, int | None] | None = None,
    seed: int = 0,
) -> list[list[int]]:
    """Return groups of these sizes and of equal strength from players listed strongest first.

    Players are dealt out to and fro, each lap to the groups that are not full. Team-mates of
    `teams` are put into different groups if swaps within a lap can do it.
    """
    if sum(sizes) != len(order) or not all(sizes):
        raise SeatingError(f"{len(order)} players cannot make groups of {sizes}.")
    drawn: list[list[int]] = [[] for _ in sizes]
    following = iter(order)
    for lap in range(max(sizes)):
        for group in sorted(range(len(sizes)), reverse=lap % 2 == 1):
            if len(drawn[group]) < sizes[group]:
                drawn[group].append(next(following))
    return _with_mates_apart(drawn, teams, seed) if teams else drawn


def _with_mates_apart(
    drawn: list[list[int]], teams: Mapping[int, int | None], seed: int
) -> list[list[int]]:
    """Swap players of one lap until no group has two of a team, or the moves are used up.

    A swap without gain is made too, because the next one may then help.
    """
    rng = random.Random(f"apart:{seed}")
    best, least = drawn, len(_meeting(drawn, teams))
    now = [list(group) for group in drawn]
    for _move in range(MOVES):
        meeting = _meeting(now, teams)
        if len(meeting) < least:
            best, least = [list(group) for group in now], len(meeting)
        if not meeting:
            break
        here, lap = rng.choice(meeting)
        swaps = [there for there in range(len(now)) if there != here and lap < len(now[there])]
        if not swaps:
            continue
        worth = {there: _gain(now[here], now[there], lap, teams) for there in swaps}
        most = max(worth.values())
        if most >= 0:
            there = rng.choice([each for each in swaps if worth[each] == most])
            _swap(now[here], now[there], lap)
    return best


def _meeting(drawn: Sequence[Sequence[int]], teams: Mapping[int, int | None]) -> list[Spot]:
    """Return the spots (group, lap) of players who have a team-mate in their group."""
    found = []
    for number, group in enumerate(drawn):
        of = [teams.get(player) for player in group]
        times = Counter(of)
        found += [
            (number, lap) for lap, team in enumerate(of) if team is not None and times[team] > 1
        ]
    return found


def _gain(here: list[int], there: list[int], lap: int, teams: Mapping[int, int | None]) -> int:
    """Return by how many a swap reduces the players with a team-mate in their group."""
    swapped = [list(here), list(there)]
    _swap(swapped[0], swapped[1], lap)
    return len(_meeting([here, there], teams)) - len(_meeting(swapped, teams))


def _swap(here: list[int], there: list[int], lap: int) -> None:
    here[lap], there[lap] = there[lap], here[lap]


def advance(
    results: Sequence[Levels],
    *,
    seed: int,
    each: int = 2,
    total: int | None = None,
    points: Mapping[int, Fraction] | None = None,
) -> Cut:
    """Return the players who advance: the first `each` of every table, winners before seconds.

    With `total`, the best of the rest by (place, points) fill up to it; if `total` is smaller than
    `each` gives, the same order decides the eliminated. A lot drawn from the seed orders tied
    players. Raises SeatingError if there are not enough players.
    """
    gained = points or {}
    lots = _lots(results, seed)
    orders = [
        [p for level in levels for p in sorted(level, key=lots.__getitem__)] for levels in results
    ]
    placed = sorted(
        (place, -gained.get(player, NOTHING), lots[player], player)
        for order in orders
        for place, player in enumerate(order)
    )
    wanted = sum(place < each for place, *_ in placed) if total is None else total
    if each < 1 or not 1 <= wanted <= len(placed):
        raise SeatingError(f"{len(placed)} players played; {wanted} of them cannot go on.")
    through = [player for *_, player in placed[:wanted]]
    level = [list(group) for levels in results for group in levels]
    if wanted < len(placed):  # Players of other tables may tie with the last who advances.
        border = placed[wanted - 1][:2]
        level.append([player for *key, player in placed if tuple(key[:2]) == border])
    return Cut(through, _split(level, set(through)))


def full_tables(advancing: int, size: int = FULL) -> int:
    """Return the number of players that fills all tables, `advancing` rounded up."""
    return -(-advancing // size) * size


def _lots(results: Sequence[Levels], seed: int) -> dict[int, int]:
    """Return each player's lot, which depends on the players and the seed, not on the places."""
    players = sorted(player for levels in results for level in levels for player in level)
    drawn = random.Random(f"cut:{seed}").sample(range(len(players)), len(players))
    return dict(zip(players, drawn, strict=True))


def _split(groups: list[list[int]], through: set[int]) -> list[list[int]]:
    """Return, each once, the tied groups of which only a part advances."""
    found: list[list[int]] = []
    for group in groups:
        if set(group) & through and set(group) - through and sorted(group) not in found:
            found.append(sorted(group))
    return found
