"""The rounds already played, as the next draw needs them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low

from league.seating.ghosts import opponents
from league.seating.sizes import FULL, SeatedRound


@dataclass(frozen=True)
class Past:
    """The earlier rounds of the players present, who are numbered by index in `present`.

    `met[p][q]` counts meetings, `short[p]` rounds at tables smaller than the largest of the round,
    `chairs[p][size]` the uses of each chair at tables of that size. A player without a table in a
    round has afterwards at least the median number of short tables of its players.
    """

    present: list[int]
    rounds: list[SeatedRound]
    met: list[Counter[int]]
    short: list[int]
    chairs: list[dict[int, list[int]]]


def read_history(history: Sequence[SeatedRound], present: Iterable[int]) -> Past:
    """Return the past of the players present; tables keep the size they had with others."""
    keys = sorted(set(present))
    index = {key: number for number, key in enumerate(keys)}
    rounds = [[[index[p] for p in table if p in index] for table in tables] for tables in history]
    chairs: list[dict[int, list[int]]] = [{} for _ in keys]
    for tables in history:
        for table in tables:
            for chair, key in enumerate(table):
                if key in index:
                    row = chairs[index[key]].setdefault(len(table), [0] * len(table))
                    row[chair] += 1
    return Past(keys, rounds, opponents(rounds, len(keys)), _short_tables(history, keys), chairs)


def _short_tables(history: Sequence[SeatedRound], keys: Sequence[int]) -> list[int]:
    short: Counter[int] = Counter()
    for tables in history:
        seated = {key for table in tables for key in table}
        short.update(key for t in tables if len(t) < max(map(len, tables)) for key in t)
        middle = median_low([short[key] for key in seated] or [0])
        for key in set(keys) - seated:
            short[key] = max(short[key], middle)
    return [short[key] for key in keys]


def due_chairs(past: Past, player: int) -> int:
    """Return the player's least-used chairs at tables of four, as a mask of four bits."""
    row = past.chairs[player].get(FULL, [0] * FULL)
    least = min(row)
    return sum(1 << chair for chair, times in enumerate(row) if times == least)
