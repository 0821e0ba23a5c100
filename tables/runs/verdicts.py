"""Statistics of a run's finished units: sums for intervals, and the sequential test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.cache import cache

from engine.sim import designs
from engine.sim.effects import MOST_POINTS
from engine.statistics import Moments, Ratio, SequentialTest, Verdict
from engine.statistics.ratings import order_of
from tables.models import Run, Unit

SUMS = ("scores", "money", "firsts", "positions", "chops", "chopped", "instant", "leads",
        "luck", "luck_firsts")  # fmt: skip
"""Quantities summed over deals as moments; luck beside the scores and the first places."""
SUMMED = ("effects", "imagined")
"""What of a tally is kept as sums alone."""
KEPT_SECONDS = 3600
APART = 1.2
"""The curve over deals has a point whenever the number of deals has grown by this factor."""


def moments_of(tally: Mapping[str, Any], bots: int) -> dict[str, Any]:
    """Return the sums over a unit's deals of scores, money and all effects, as JSON."""
    return {
        "scores": Moments.of(tally["deal_scores"], bots).to_json(),
        "money": Moments.of(tally["deal_net"], bots).to_json(),
        **tally.get("effects", {}),
        **_places_of(tally.get("deal_orders", ()), bots),
        **_luck_of(tally, bots),
    }


def _luck_of(tally: Mapping[str, Any], bots: int) -> dict[str, Any]:
    """Return the sums of scores and first places, each beside the luck of its seat.

    That is what the imagined game in the bot's own seat gave more than those in all seats, times
    their number.
    """
    found: dict[str, list[list[int]]] = {"luck": [], "luck_firsts": []}
    for played, imagined in zip(tally["deal_orders"], tally.get("imagined", ()), strict=False):
        counted = [_counted(text, bots) for text in (played, *imagined.split())]
        for what, [real, own, *others] in zip(found, zip(*counted, strict=True), strict=True):
            sums = map(sum, zip(own, *others, strict=True))
            luck = [len(imagined.split()) * one - all_ for one, all_ in zip(own, sums, strict=True)]
            found[what].append([*real, *luck])
    return {what: Moments.of(rows, 2 * bots).to_json() for what, rows in found.items() if rows}


def _counted(text: str, bots: int) -> tuple[list[int], list[int]]:
    """Return each bot's score and first places in a game of this order."""
    scores, firsts, left = [0] * bots, [0] * bots, bots
    for group in order_of(text):
        for bot in group:
            firsts[bot] = int(left == bots)
            scores[bot] = 2 * (left - len(group)) + len(group) - 1
        left -= len(group)
    return scores, firsts


def _places_of(deals: Iterable[str], bots: int) -> dict[str, Any]:
    """Return the sums of first places, and how often each bot came before each other one.

    A row of `ahead` counts 2 for each time before the other and 1 for each tie.
    """
    firsts, ahead = [], [[0] * bots for _ in range(bots)]
    for deal in deals:
        row = [0] * bots
        for text in deal.split():
            order = order_of(text)
            for bot in order[0]:
                row[bot] += 1
            behind = [bot for group in order for bot in group]
            for group in order:
                behind = behind[len(group) :]
                for one in group:
                    for other in behind:
                        ahead[one][other] += 2
                    for other in group:
                        ahead[one][other] += one != other
        firsts.append(row)
    return {"firsts": Moments.of(firsts, bots).to_json(), "ahead": ahead}


def faults_of(tally: Mapping[str, Any]) -> int:
    """Return the number of a unit's games with a fault, counted once per bot."""
    return sum(games for _, _, games in tally.get("effects", {}).get("faults", ()))


@dataclass
class Totals:
    """The sums over finished units, among them all units before `until`.

    `points` are the sums of first places after ever more deals. `thinking` holds for each bot the
    decisions, total and longest microseconds, and a histogram in steps of a quarter of a doubling.
    """

    moments: dict[str, Moments]
    hands: list[Ratio]
    faults: Counter[tuple[int, str]]
    thinking: list[tuple[int, int, int, Counter[int]]]
    ahead: list[list[int]]
    until: int = 0
    points: list[Moments] = field(default_factory=list)

    @classmethod
    def nothing(cls, bots: int) -> Totals:
        thinking: list[tuple[int, int, int, Counter[int]]] = [
            (0, 0, 0, Counter()) for _ in range(bots)
        ]
        ahead = [[0] * bots for _ in range(bots)]
        return cls({}, [Ratio()] * (MOST_POINTS + 1), Counter(), thinking, ahead)

    @classmethod
    def from_json(cls, value: Mapping[str, Any], bots: int) -> Totals:
        """Return the totals stored by `to_json`."""
        found = cls.nothing(bots)
        found.add(value["sums"])
        found.until = value["until"]
        found.points = [Moments.from_json(point) for point in value["points"]]
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the totals as JSON, with the sums in a unit's format."""
        sums: dict[str, Any] = {what: one.to_json() for what, one in self.moments.items()}
        sums["hands"] = self.hands
        sums["faults"] = [[bot, kind, games] for (bot, kind), games in self.faults.items()]
        sums["thinking"] = [
            [count, total, most, list(buckets.items())]
            for count, total, most, buckets in self.thinking
        ]
        sums["ahead"] = self.ahead
        points = [point.to_json() for point in self.points]
        return {"sums": sums, "until": self.until, "points": points}

    def add(self, moments: Mapping[str, Any]) -> None:
        """Add the sums of one unit; units played before effects were counted lack them."""
        for what in SUMS:
            if what in moments:
                one = Moments.from_json(moments[what])
                known = self.moments.get(what)
                self.moments[what] = one if known is None else known + one
        if "hands" in moments:
            both = zip(self.hands, moments["hands"], strict=True)
            self.hands = [one + Ratio(*other) for one, other in both]
        for mine, more in zip(self.ahead, moments.get("ahead", ()), strict=False):
            mine[:] = [a + b for a, b in zip(mine, more, strict=True)]
        for bot, kind, games in moments.get("faults", ()):
            self.faults[bot, kind] += games
        for bot, (count, total, longest, buckets) in enumerate(moments.get("thinking", ())):
            counts, sums, most, known_buckets = self.thinking[bot]
            known_buckets.update(dict(buckets))
            self.thinking[bot] = (count + counts, total + sums, max(longest, most), known_buckets)

    def note_point(self) -> None:
        """Add a point to the curve of first places if enough deals were added since the last."""
        firsts = self.moments.get("firsts")
        if firsts and firsts.deals >= (self.points[-1].deals * APART if self.points else 2):
            self.points.append(firsts)

    def of(self, what: str, entries: int) -> Moments:
        """Return the moments of one quantity, or those of no deals if none was counted."""
        return self.moments.get(what) or Moments.of([], entries)


def totals(run: Run) -> Totals:
    """Return the sums over all finished units.

    A finished unit changes only if some are `redone`, or skipped by a verdict. So the sums over the
    leading finished units are cached, and only the rest is added each time.
    """
    key = f"run-totals-{run.pk}-{run.redone}-{run.verdict is not None}"
    cached, bots = cache.get(key), len(run.bots)
    total = Totals.from_json(cached, bots) if cached else Totals.nothing(bots)
    begin = total.until
    done: Any = run.units.filter(
        state=Unit.State.DONE, moments__isnull=False, index__gte=total.until
    )
    later = []
    for index, moments in done.order_by("index").values_list("index", "moments").iterator():
        if index == total.until:
            total.add(moments)
            total.until += 1
            total.note_point()
        else:
            later.append(moments)
    if total.until > begin:
        cache.set(key, total.to_json(), KEPT_SECONDS)
    for moments in later:
        total.add(moments)
    return total


def score_unit(run: Run) -> int:
    """Return the divisor that turns a deal's score into the share of opponents beaten."""
    opponents = designs.table_size(len(run.bots), run.design) - 1
    return 2 * opponents * designs.chairs_of_deal(len(run.bots), run.design)


def decide(run: Run) -> dict[str, Any] | None:
    """Return the verdict of the run's sequential test as JSON, or `None` without one.

    Only the units before the first unfinished one count, in order, so that the speed or loss of
    workers cannot change the verdict.
    """
    if run.effect is None:
        return None
    key = f"run-test-{run.pk}-{run.redone}"
    # Units before `begin` gave no verdict; `cached` is their sum.
    cached, begin = cache.get(key) or (None, 0)
    total = Moments.from_json(cached) if cached else Moments.of([], len(run.bots))
    test, unit_of_score = SequentialTest(run.effect), score_unit(run)
    units = run.units.filter(index__gte=begin).order_by("index")
    rows = units.values_list("index", "state", "moments__scores")
    for index, state, scores in rows.iterator(chunk_size=200):
        if state != Unit.State.DONE or scores is None:
            break
        total += Moments.from_json(scores)
        verdict = test.decide([total.difference(0, 1, unit_of_score)])
        if verdict is not None:
            return _as_json(verdict, index)
        begin = index + 1
    cache.set(key, (total.to_json(), begin), KEPT_SECONDS)
    return None


def _as_json(verdict: Verdict, unit: int) -> dict[str, Any]:
    ratio = max(-1e9, min(1e9, verdict.ratio))  # JSON has no infinity.
    return {
        "better": verdict.better,
        "deals": verdict.deals,
        "ratio": round(ratio, 4),
        "unit": unit,
    }
