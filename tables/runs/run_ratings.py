"""Plackett-Luce ratings of frozen bots, fitted to all games of one or several runs at once."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.sim import designs
from engine.statistics import EloRating, rate
from engine.statistics.ratings import Order, order_of
from tables.models import Run, Unit
from tables.runs import verdicts

MOST_GROUPS = 2000
"""Most groups of deals for the bootstrap; beyond it, neighbouring deals share a group."""

BotVersion = tuple[str, Any]
"""A bot's name and version; another version is another bot."""


class PoolBot(NamedTuple):
    """A bot of a pool, with its rating in Elo points and number of games."""

    name: str
    version: Any
    rating: EloRating
    games: int


class Unrated(NamedTuple):
    """A version at fault in too many of its games; `faults` is their share."""

    name: str
    version: Any
    games: int
    faults: float


def rate_run(run: Run) -> list[dict[str, float] | None] | None:
    """Return the entries' ratings with bootstrap intervals as JSON; `None` before any game.

    An entry at fault in too many games has `None`, and the others are rated without it.
    """
    groups = list(_groups([run]))
    if not groups:
        return None
    entries, gone = entries_of(run), _versions(unrated([run]))
    stayed = [entry for entry, bot in enumerate(entries) if bot not in gone]
    places = {entry: number for number, entry in enumerate(stayed)}
    number = [places.get(entry) for entry in range(len(entries))]
    orders = [renamed(found, number) for _run, found in groups]
    rated = rate(orders, len(stayed), run.seed) if len(stayed) > 1 else []
    ratings = dict(zip(stayed, map(as_json, rated), strict=False))
    return [ratings.get(entry) for entry in range(len(entries))]


def unrated(runs: Iterable[Run]) -> list[Unrated]:
    """Return the versions at fault in a larger share of their games than their runs allow."""
    games: Counter[BotVersion] = Counter()
    faults: Counter[BotVersion] = Counter()
    allowed: dict[BotVersion, float] = {}
    for run in runs:
        totals, entries = verdicts.totals(run), entries_of(run)
        chairs = designs.chairs_of_deal(len(entries), run.design)
        played = totals.of("scores", len(entries)).deals * chairs
        for entry in entries:
            games[entry] += played
            allowed[entry] = allowed.get(entry, 0.0) + run.most_faults * played
        for (bot, _kind), count in totals.faults.items():
            faults[entries[bot]] += count
    return [
        Unrated(*entry, games[entry], count / games[entry])
        for entry, count in sorted(faults.items())
        if count > allowed[entry]
    ]


def _versions(bots: Iterable[Unrated]) -> set[BotVersion]:
    return {(bot.name, bot.version) for bot in bots}


def as_json(rating: EloRating) -> dict[str, float]:
    """Return the rating and its interval as JSON, to one decimal."""
    return {
        "rating": round(rating.rating, 1),
        "low": round(rating.low, 1),
        "high": round(rating.high, 1),
    }


def rate_pools(runs: Iterable[Run]) -> list[list[PoolBot]]:
    """Return the rated bots of several runs, best first, in pools that never met each other.

    Each pool's ratings average 0; ratings of different pools cannot be compared. Versions that are
    `unrated` are left out with all their games.
    """
    found = list(runs)
    gone = _versions(unrated(found))
    return [_rate_pool(pool, gone) for pool in _pools(found, gone)]


def entries_of(run: Run) -> list[BotVersion]:
    """Return the run's entries; a bot entered twice appears twice."""
    return [(bot["name"], bot["version"]) for bot in run.bots]


def _rate_pool(runs: Sequence[Run], gone: set[BotVersion]) -> list[PoolBot]:
    met = dict.fromkeys(entry for run in runs for entry in entries_of(run))
    entries = [entry for entry in met if entry not in gone]
    number = {entry: n for n, entry in enumerate(entries)}
    own = {run.pk: [number.get(entry) for entry in entries_of(run)] for run in runs}
    groups: list[Counter[Order]] = []
    played: Counter[int] = Counter()
    for run, orders in _groups(runs):
        named = renamed(orders, own[run.pk])
        for order, games in named.items():
            for entry in {entry for group in order for entry in group}:
                played[entry] += games
        groups.append(named)
    if not played:
        return []
    rated = rate(groups, len(entries), "|".join(run.seed for run in runs))
    found = [PoolBot(*entries[n], rating, played[n]) for n, rating in enumerate(rated)]
    return sorted((bot for bot in found if bot.games), key=lambda bot: -bot.rating.rating)


def renamed(orders: Mapping[Order, int], number: Sequence[int | None]) -> Counter[Order]:
    """Return the orders with entries renumbered; entries without a number are dropped."""
    found: Counter[Order] = Counter()
    for order, games in orders.items():
        groups = [[number[entry] for entry in group] for group in order]
        known = [tuple(entry for entry in group if entry is not None) for group in groups]
        left = tuple(group for group in known if group)
        if sum(map(len, left)) > 1:
            found[left] += games
    return found


def _pools(runs: Iterable[Run], gone: set[BotVersion]) -> list[list[Run]]:
    """Return the runs grouped so that no two groups share a bot, each in input order.

    Bots in `gone` connect no runs, and a run of such bots alone is dropped.
    """
    pools: list[tuple[set[BotVersion], list[Run]]] = []
    for run in runs:
        bots, together = set(entries_of(run)) - gone, [run]
        if not bots:
            continue
        apart = []
        for known, earlier in pools:
            if known & bots:
                bots, together = bots | known, [*earlier, *together]
            else:
                apart.append((known, earlier))
        pools = [*apart, (bots, together)]
    return [together for _bots, together in pools]


def _groups(runs: Iterable[Run]) -> Iterator[tuple[Run, dict[Order, int]]]:
    """Yield each run with the counts of its orders, per group of neighbouring deals."""
    deals = [(run, _deals(run)) for run in runs]
    size = max(1, math.ceil(sum(len(texts) for _run, texts in deals) / MOST_GROUPS))
    for run, texts in deals:
        for at in range(0, len(texts), size):
            counted = Counter(" ".join(texts[at : at + size]).split())
            yield run, {order_of(text): games for text, games in counted.items()}


def _deals(run: Run) -> list[str]:
    """Return the game orders of each played deal, as written by `engine.sim.simulation`."""
    done: Any = run.units.filter(state=Unit.State.DONE).order_by("index")
    orders = done.values_list("tally__deal_orders", flat=True)
    return [text for texts in orders.iterator(chunk_size=50) for text in texts or ()]
