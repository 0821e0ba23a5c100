"""What a run's finished units say: sums for intervals, the sequential test, ratings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from engine import designs
from engine.statistics import Estimate, Moments, SequentialTest, rate
from engine.statistics.ratings import Order
from tables.models import Run, Unit

MOST_GROUPS = 2000
"""So many groups of deals are drawn from at most: of longer runs neighbours go together."""


def moments_of(tally: Mapping[str, Any], bots: int) -> dict[str, Any]:
    """The sums over a unit's deals, of scores and of money, as JSON."""
    return {
        "scores": Moments.of(tally["deal_scores"], bots).to_json(),
        "money": Moments.of(tally["deal_net"], bots).to_json(),
    }


def totals(run: Run) -> dict[str, Moments]:
    """The sums over all finished units, by `scores` and `money`."""
    total = {what: Moments.of([], len(run.bots)) for what in ("scores", "money")}
    done: Any = run.units.filter(state=Unit.State.DONE, moments__isnull=False)
    for moments in done.values_list("moments", flat=True):
        for what in total:
            total[what] += Moments.from_json(moments[what])
    return total


def score_unit(run: Run) -> int:
    """What a deal's score is divided by to give the share of opponents beaten."""
    opponents = designs.table_size(len(run.bots), run.design) - 1
    return 2 * opponents * designs.chairs_of_deal(len(run.bots), run.design)


def decide(run: Run) -> dict[str, Any] | None:
    """The verdict of the run's sequential test as JSON, None while there is none.

    Only the units before the first that is not finished are looked at, in their order: so no
    worker, however fast or often killed, changes the verdict.
    """
    if run.effect is None:
        return None
    seen: list[int] = []
    verdict = SequentialTest(run.effect).decide(_growing(run, seen))
    if verdict is None:
        return None
    ratio = max(-1e9, min(1e9, verdict.ratio)) if math.isinf(verdict.ratio) else verdict.ratio
    return {
        "better": verdict.better,
        "deals": verdict.deals,
        "ratio": round(ratio, 4),
        "unit": seen[-1],
    }


def _growing(run: Run, seen: list[int]) -> Iterator[Estimate]:
    """The difference of the two bots after each unit of the contiguous beginning."""
    total = Moments.of([], len(run.bots))
    units = run.units.order_by("index").values_list("index", "state", "moments")
    for index, state, moments in units.iterator(chunk_size=200):
        if state != Unit.State.DONE or moments is None:
            return
        seen.append(index)
        total += Moments.from_json(moments["scores"])
        yield total.difference(0, 1, score_unit(run))


def rate_run(run: Run) -> list[dict[str, float]] | None:
    """Ratings of the run's bots with bootstrap intervals, as JSON; None before any game."""
    groups = list(_groups(run))
    if not groups:
        return None
    size = math.ceil(len(groups) / MOST_GROUPS)
    joined = [sum(groups[at : at + size], Counter()) for at in range(0, len(groups), size)]
    found = rate(joined, len(run.bots), run.seed)
    return [
        {"rating": round(r.rating, 1), "low": round(r.low, 1), "high": round(r.high, 1)}
        for r in found
    ]


def _groups(run: Run) -> Iterator[Counter[Order]]:
    """How often each order came up, deal by deal."""
    done = run.units.filter(state=Unit.State.DONE).order_by("index")
    for tally in done.values_list("tally", flat=True).iterator(chunk_size=50):
        assert tally is not None
        for games in tally.get("deal_orders", ()):
            yield Counter(_order(text) for text in games.split())


def _order(text: str) -> Order:
    """The order that `engine.simulation` wrote as text: `"03(12)"`."""
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
