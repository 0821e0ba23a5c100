"""Counting by hand, so that tests do not trust the code they test."""

from collections import Counter
from itertools import combinations

# Issue "Seating": rounds without a repeated meeting that every number of players must get.
PROMISED = {
    16: 5, 20: 5, 24: 7, 28: 9, 32: 10, 36: 11, 40: 13, 44: 14, 48: 15, 52: 17, 56: 18, 60: 19,
    64: 21, 68: 20, 72: 23, 76: 25, 80: 26, 84: 27, 88: 29, 92: 27, 96: 31, 100: 33,
}  # fmt: skip


def meetings(rounds):
    """Return how often each pair shares a table."""
    return Counter(
        frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)
    )


def repeats(rounds):
    return sum(count - 1 for count in meetings(rounds).values())


def everybody_once(rounds, players):
    """Return whether each round seats exactly the players 0 to N - 1."""
    return all(sorted(p for t in tables for p in t) == list(range(players)) for tables in rounds)


def seat_counts(rounds, player, size):
    """Return how often the player had each chair at tables of this size."""
    counts = [0] * size
    for table in (t for tables in rounds for t in tables if len(t) == size and player in t):
        counts[table.index(player)] += 1
    return counts


def widest_seat_gap(rounds, players):
    rows = [seat_counts(rounds, p, size) for p in range(players) for size in (2, 3, 4)]
    return max(max(row) - min(row) for row in rows)
