"""Plackett-Luce ratings of frozen bots, fitted to all games of one run, or of several, at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine.statistics import Rating, rate
from engine.statistics.ratings import Order
from tables.models import Run, Unit

MOST_GROUPS = 2000
"""So many groups of deals are drawn from at most: of more deals neighbours go together."""

Entry = tuple[str, Any]
"""A bot's name and its version: a bot of another version is another bot."""


class RatedBot(NamedTuple):
    """A bot of a pool with its rating in Elo points, and from how many of its games."""

    name: str
    version: Any
    rating: Rating
    games: int


def rate_run(run: Run) -> list[dict[str, float]] | None:
    """Ratings of the run's entries with bootstrap intervals, as JSON; None before any game."""
    groups = list(_groups([run]))
    if not groups:
        return None
    return [as_json(r) for r in rate([orders for _run, orders in groups], len(run.bots), run.seed)]


def as_json(rating: Rating) -> dict[str, float]:
    """The rating with its interval, in tenths."""
    return {
        "rating": round(rating.rating, 1),
        "low": round(rating.low, 1),
        "high": round(rating.high, 1),
    }


def rate_pools(runs: Iterable[Run]) -> list[list[RatedBot]]:
    """The bots of several runs, the strongest first, in pools that never met each other.

    Ratings of one pool are around its average of 0; those of different pools cannot be compared.
    """
    return [_rate_pool(pool) for pool in _pools(runs)]


def entries_of(run: Run) -> list[Entry]:
    """The bots of a run; one that is entered twice is there twice."""
    return [(bot["name"], bot["version"]) for bot in run.bots]


def _rate_pool(runs: Sequence[Run]) -> list[RatedBot]:
    entries = list(dict.fromkeys(entry for run in runs for entry in entries_of(run)))
    number = {entry: n for n, entry in enumerate(entries)}
    own = {run.pk: [number[entry] for entry in entries_of(run)] for run in runs}
    groups: list[Counter[Order]] = []
    played: Counter[int] = Counter()
    for run, orders in _groups(runs):
        renamed: Counter[Order] = Counter()
        for order, games in orders.items():
            places = tuple(tuple(own[run.pk][bot] for bot in group) for group in order)
            renamed[places] += games
            for entry in {entry for group in places for entry in group}:
                played[entry] += games
        groups.append(renamed)
    if not groups:
        return []
    rated = rate(groups, len(entries), "|".join(run.seed for run in runs))
    found = [RatedBot(*entries[n], rating, played[n]) for n, rating in enumerate(rated)]
    return sorted((bot for bot in found if bot.games), key=lambda bot: -bot.rating.rating)


def _pools(runs: Iterable[Run]) -> list[list[Run]]:
    """The runs in groups without a bot in common, each in the order in which the runs came."""
    pools: list[tuple[set[Entry], list[Run]]] = []
    for run in runs:
        bots, together = set(entries_of(run)), [run]
        apart = []
        for known, earlier in pools:
            if known & bots:
                bots, together = bots | known, [*earlier, *together]
            else:
                apart.append((known, earlier))
        pools = [*apart, (bots, together)]
    return [together for _bots, together in pools]


def _groups(runs: Iterable[Run]) -> Iterator[tuple[Run, dict[Order, int]]]:
    """How often each order came up in each group of neighbouring deals."""
    deals = [(run, _deals(run)) for run in runs]
    size = max(1, math.ceil(sum(len(texts) for _run, texts in deals) / MOST_GROUPS))
    for run, texts in deals:
        for at in range(0, len(texts), size):
            counted = Counter(" ".join(texts[at : at + size]).split())
            yield run, {_order(text): games for text, games in counted.items()}


def _deals(run: Run) -> list[str]:
    """The orders of the games of each deal that was played, as `engine.simulation` wrote them."""
    done: Any = run.units.filter(state=Unit.State.DONE).order_by("index")
    orders = done.values_list("tally__deal_orders", flat=True)
    return [text for texts in orders.iterator(chunk_size=50) for text in texts or ()]


@lru_cache(maxsize=10_000)
def _order(text: str) -> Order:
    """The order that such a text says: `"03(12)"`."""
    groups: list[tuple[int, ...]] = []
    shared: list[int] | None = None
    for letter in text:
        if letter == "(":
            shared = []
        elif letter == ")":
            groups.append(tuple(shared or ()))
            shared = None
        elif shared is not None:
            shared.append(int(letter))
        else:
            groups.append((int(letter),))
    return tuple(groups)
