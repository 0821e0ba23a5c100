"""Schedules for numbers of players that do not fill all tables: add ghosts, then remove them."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from league.seating.quality import short_seats
from league.seating.sizes import SeatedRound
from league.seating.wishes import APART_WEIGHT

SAMPLES = 200
SWAPS = 1000
ROUNDS_OF_SWAPS = 200
SHORTEST = 4


def remove_ghosts(
    schedule: Sequence[SeatedRound], rounds: int, ghosts: int, rng: random.Random
) -> list[SeatedRound] | None:
    """Return `rounds` of the rounds without `ghosts` of the players, None if sampling fails.

    Ghosts never meet each other, so every table loses at most one player. The sampled choice that
    spreads the short tables most evenly wins. The remaining players are renumbered from 0.
    """
    chosen = [schedule[i] for i in sorted(rng.sample(range(len(schedule)), rounds))]
    if not ghosts:
        return [[list(table) for table in tables] for tables in chosen]
    players = sum(map(len, chosen[0]))
    met = opponents(chosen, players)
    samples = (_strangers(met, ghosts, rng) for _ in range(SAMPLES))
    candidates = [sample for sample in samples if sample]
    if not candidates:
        return None
    gone = min(candidates, key=lambda sample: _unevenness(met, sample))
    number = {player: i for i, player in enumerate(p for p in range(players) if p not in gone)}
    left = ([[number[p] for p in table if p in number] for table in tables] for tables in chosen)
    return [sorted(tables, key=len, reverse=True) for tables in left]


def opponents(schedule: Iterable[SeatedRound], players: int) -> list[Counter[int]]:
    """Return each player's number of meetings with each other player."""
    met: list[Counter[int]] = [Counter() for _ in range(players)]
    for tables in schedule:
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
    return met


def even_out_short_tables(schedule: list[SeatedRound], rng: random.Random) -> None:
    """Exchange players within rounds until short tables are spread evenly, give or take one.

    Exchanges that would repeat a meeting are not made, so some schedules stay uneven.
    """
    players = sum(map(len, schedule[0]))
    full = max(map(len, schedule[0]))
    counted = short_seats(schedule)
    short = [counted[player] for player in range(players)]
    met = opponents(schedule, players)
    for _ in range(SWAPS):
        if max(short) - min(short) < 2:
            return
        for _ in range(ROUNDS_OF_SWAPS):
            _try_exchange(schedule[int(rng.random() * len(schedule))], full, short, met, rng)


def share_short_tables(
    schedule: list[SeatedRound], avoided: Mapping[int, Mapping[int, int]]
) -> bool:
    """Exchange players within rounds until no two differ by more than one short table.

    Return whether that changed anything.

    Each exchange takes a player with the most short tables and, of those with the fewest, the one
    with whom it repeats the fewest meetings. `avoided` is the cost of one meeting by player and
    player; rather than seat a pair together that is kept apart, the short tables stay uneven.
    """
    players = sum(map(len, schedule[0]))
    counted = short_seats(schedule)
    short = [counted[player] for player in range(players)]
    met, changed = opponents(schedule, players), False
    while max(short) - min(short) > 1:
        first, least = short.index(max(short)), min(short)
        cost, number, p, a, b, q = min(
            (_worse(met, avoided, tables[a], p, tables[b], q), number, p, a, b, q)
            for number, tables in enumerate(schedule)
            for a in range(len(tables))
            if len(tables[a]) < max(map(len, tables))
            for p in tables[a]
            if (short[p] == short[first] if avoided else p == first)
            for b in range(len(tables))
            if len(tables[b]) > len(tables[a])
            for q in tables[b]
            if short[q] == least
        )
        if cost >= APART_WEIGHT // 2:
            break
        changed = True
        one, other = schedule[number][a], schedule[number][b]
        _move(met, p, one, other, q)
        _move(met, q, other, one, p)
        one[one.index(p)], other[other.index(q)] = q, p
        short[p] -= 1
        short[q] += 1
    return changed


def _worse(
    met: Sequence[Counter[int]],
    avoided: Mapping[int, Mapping[int, int]],
    one: list[int],
    p: int,
    other: list[int],
    q: int,
) -> int:
    """Return what it costs in repeats and wishes that p and q exchange their tables."""
    near_p, near_q = avoided.get(p, {}), avoided.get(q, {})
    left = sum(
        (met[q][x] > 0) - (met[p][x] > 1) + near_q.get(x, 0) - near_p.get(x, 0)
        for x in one
        if x != p
    )
    return left + sum(
        (met[p][y] > 0) - (met[q][y] > 1) + near_p.get(y, 0) - near_q.get(y, 0)
        for y in other
        if y != q
    )


def _move(
    met: Sequence[Counter[int]], player: int, old: list[int], new: list[int], gone: int
) -> None:
    for mate in old:
        if mate != player:
            _count(met, player, mate, -1)
    for mate in new:
        if mate != gone:
            _count(met, player, mate, 1)


def _try_exchange(
    tables: SeatedRound,
    full: int,
    short: list[int],
    met: Sequence[Counter[int]],
    rng: random.Random,
) -> None:
    """Exchange two random players if that evens out and repeats no meeting."""
    a, b = (
        tables[-1 - int(rng.random() * min(SHORTEST, len(tables)))],
        tables[int(rng.random() * len(tables))],
    )
    i, j = int(rng.random() * len(a)), int(rng.random() * len(b))
    p, q = a[i], b[j]
    relief = (len(a) < full) - (len(b) < full)
    if a is b or relief * (short[p] - short[q] - relief) < 0:
        return
    row_p, row_q = met[p], met[q]
    if any(row_q[x] for x in a if x != p) or any(row_p[y] for y in b if y != q):
        return
    _move(met, p, a, b, q)
    _move(met, q, b, a, p)
    a[i], b[j] = q, p
    short[p] -= relief
    short[q] += relief


def _count(met: Sequence[Counter[int]], one: int, other: int, change: int) -> None:
    met[one][other] += change
    met[other][one] += change


def _strangers(met: Sequence[Counter[int]], count: int, rng: random.Random) -> list[int]:
    """Return `count` players of whom no two have met, [] if the random attempt gets stuck."""
    chosen: list[int] = []
    free = list(range(len(met)))
    while free and len(chosen) < count:
        chosen.append(rng.choice(free))
        free = [p for p in free if p != chosen[-1] and not met[p][chosen[-1]]]
    return chosen if len(chosen) == count else []


def _unevenness(met: Sequence[Counter[int]], ghosts: Sequence[int]) -> int:
    short: Counter[int] = Counter()
    for ghost in ghosts:
        short.update(met[ghost])
    return sum(count * count for count in short.values())
