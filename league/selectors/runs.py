"""A bot tournament's page: how far it is, and what may be believed of its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from engine import designs
from engine.statistics import Estimate, Moments, likelihood_of_superiority
from league.models import Event
from league.selectors import run_effects
from league.selectors.run_rows import Strength, drawn
from league.selectors.standings import event_standings
from tables.models import Run
from tables.services import run_records, runs, verdicts

SHOWN_TROUBLES = 20


@dataclass(frozen=True)
class Comparison:
    """Two bots: by how much the first is ahead, how sure that is, and what to call it.

    `superiority` is between 0 and 1, `sure` the same in percent as it is shown.
    """

    one: str
    other: str
    gap: Strength
    superiority: float
    sure: str
    words: str


def run_page(event: Event) -> dict[str, Any]:
    """The run, how far and how fast it is, what went wrong, standings and statistics so far."""
    run = event.run
    assert run is not None
    progress = runs.progress(run)
    pace = runs.pace(run, left=progress.games_asked - progress.games)
    names = designs.entry_names([bot["name"] for bot in run.bots])
    return {
        "run": run,
        "progress": progress,
        "pace": pace,
        "left": _duration(pace.seconds_left),
        "games_of_deal": designs.games_of_deal(len(run.bots), run.design),
        "standings": event_standings(event),
        "troubles": list(runs.troubles(run)[:SHOWN_TROUBLES]),
        "names": names,
        "faulty": run_effects.notes(run, names),
        "changed": [] if run.outside else run_records.changed_bots(run),
        "may_extend": run.status != Run.Status.CANCELLED and run.verdict is None,
    } | statistics(run, names)


def statistics(run: Run, names: list[str]) -> dict[str, Any]:
    """Strengths, money, comparisons, ratings and effects; empty before two deals are finished."""
    totals = verdicts.totals(run)
    scores, money = (totals.of(what, len(names)) for what in ("scores", "money"))
    if scores.deals < 2:
        return {"deals_done": scores.deals, "verdicts": run_effects.verdicts_on(run, names, totals)}
    unit = verdicts.score_unit(run)
    chairs = designs.chairs_of_deal(len(run.bots), run.design)
    return {
        "deals_done": scores.deals,
        "strengths": _strengths(names, [scores.mean(i, unit / 100) for i in range(len(names))]),
        "money": _rows(names, [money.mean(i, chairs) for i in range(len(names))], 0.0)
        if any(money.products[i][i] for i in range(len(names)))
        else [],
        "comparisons": _comparisons(names, scores, unit),
        "ratings": _ratings(run, names),
    } | run_effects.effects(run, names, totals)


def _strengths(names: Iterable[str], means: list[Estimate]) -> list[Strength]:
    """The rows in percent, best first; no interval goes beyond 0 or 100."""
    ends = [(one.mean, max(0.0, one.low), min(100.0, one.high)) for one in means]
    return sorted(drawn(names, ends, 50.0), key=lambda row: -row.mean)


def _rows(names: Iterable[str], means: list[Estimate], reference: float) -> list[Strength]:
    """The rows, best first, drawn on one scale that holds them all and the reference."""
    ends = [(one.mean, one.low, one.high) for one in means]
    return sorted(drawn(names, ends, reference), key=lambda row: -row.mean)


def _comparisons(names: list[str], scores: Moments, unit: float) -> list[Comparison]:
    """Each two bots, the stronger first."""
    order = sorted(range(len(names)), key=lambda i: -scores.sums[i])
    pairs = list(combinations(order, 2))
    gaps = [scores.difference(a, b, unit / 100) for a, b in pairs]
    rows = drawn([""] * len(gaps), [(gap.mean, gap.low, gap.high) for gap in gaps], 0.0)
    return [
        _comparison(names[a], names[b], gap, row)
        for (a, b), gap, row in zip(pairs, gaps, rows, strict=True)
    ]


def _comparison(one: str, other: str, gap: Estimate, row: Strength) -> Comparison:
    superiority = likelihood_of_superiority(gap)
    return Comparison(one, other, row, superiority, _percent(superiority), _in_words(gap))


def _percent(sure: float) -> str:
    """A likelihood in percent; nothing is ever quite certain."""
    shown = number_format(min(round(100 * sure, 1), 99.9), 1)
    return f"> {shown}" if sure > 0.9995 else shown


def _in_words(gap: Estimate) -> str:
    sure = likelihood_of_superiority(gap)
    if gap.mean == gap.error == 0:
        return _("even in every single deal: they play alike")
    if sure > 0.999:
        return _("stronger, almost certainly")
    if sure > 0.975:
        return _("stronger, very probably")
    if sure > 0.9:
        return _("perhaps stronger: more deals would tell")
    return _("cannot be told apart yet")


def _ratings(run: Run, names: list[str]) -> list[Strength]:
    """The ratings that were fitted when the run ended."""
    if not run.ratings:
        return []
    found = [(r["rating"], r["low"], r["high"]) for r in run.ratings]
    return sorted(drawn(names, found, 0.0), key=lambda row: -row.mean)


def _duration(seconds: float | None) -> str:
    """About how long, in words; empty where it is not known."""
    if seconds is None:
        return ""
    if seconds < 90:
        return _("%(n)s s") % {"n": round(seconds)}
    if seconds < 5400:
        return _("%(n)s min") % {"n": round(seconds / 60)}
    return _("%(n)s h") % {"n": round(seconds / 3600)}
