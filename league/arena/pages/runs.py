"""A bot tournament's page: its progress and its statistics."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _

from engine.sim import designs
from engine.statistics import Anytime, Estimate, Moments, anytime, holm, likelihood_of_superiority
from league.arena.facts import run_effects
from league.arena.pages import run_charts, run_summary, run_words
from league.arena.pages.bot_faces import bot_face
from league.arena.pages.run_summary import Comparison, Summary
from league.base.facts.interval_rows import IntervalRow, drawn
from league.base.page_parts import Button, Remark
from league.base.pages.address import address
from league.base.rights import Right
from league.models import Event
from league.seasons.facts.standings import Standing, canonical, entrants_of, event_standings
from tables.base import rulesets
from tables.bots.facts import member_bots
from tables.models import Run
from tables.numbers import rounded
from tables.runs import run_records, runs, verdicts

SHOWN_TROUBLES = 20


@dataclass(frozen=True)
class FirstRow:
    """A bot's share of first places in percent, with its interval; equal shares share a place."""

    place: int
    row: IntervalRow
    face: str


@dataclass(frozen=True)
class LuckBar:
    """The error of the first bot's share, as counted in one way; `width` is of the largest."""

    text: str
    margin: float
    width: int


@dataclass(frozen=True)
class RunStatistics:
    """A run's statistics; before two deals are finished only their number and the verdicts.

    `anytime` intervals stay valid however often a reader looks. `adjusted` are strengths without
    the luck of cards and seats, where a design leaves some in.
    """

    deals_done: int
    verdicts: list[run_effects.Verdicts]
    anytime: bool = True
    strengths: list[IntervalRow] = field(default_factory=list)
    adjusted: list[IntervalRow] = field(default_factory=list)
    money: list[IntervalRow] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    ratings: list[IntervalRow] = field(default_factory=list)
    firsts: list[FirstRow] = field(default_factory=list)
    even: float = 0.0
    luck: list[LuckBar] = field(default_factory=list)
    heat: list[run_charts.HeatRow] = field(default_factory=list)
    convergence: list[run_charts.Convergence] = field(default_factory=list)
    summary: Summary | None = None
    effects: run_effects.RunEffects | None = None

    @property
    def versions(self) -> list[Comparison]:
        return [pair for pair in self.comparisons if pair.of_one_bot]


@dataclass(frozen=True)
class RunPage:
    """A tournament's page: its progress and troubles, and what the reader may do.

    `records_at` and `extend_at` are addresses, empty for readers who may not go there. `players`
    has the keys of the bots' players by the names that the bots have in the run.
    """

    run: Run
    names: list[str]
    players: dict[str, int]
    progress: runs.RunProgress
    pace: runs.Pace
    games_of_deal: int
    design: str
    status: str
    notices: list[Remark]
    buttons: list[Button]
    cancel: Button | None
    news_at: str
    records_at: str
    extend_at: str
    standings: list[Standing]
    troubles: list[run_words.Trouble]
    faulty: list[run_effects.Note]
    cards: dict[str, Any] | None
    changed: list[str]

    @property
    def is_complete(self) -> bool:
        """Whether all games are played, and nothing else is to be told of them."""
        left = self.progress.games < self.progress.games_asked
        return not (left or self.news_at or self.notices or self.buttons or self.run.effect)


def run_page(event: Event, right: Right) -> RunPage:
    run = event.run
    assert run is not None
    progress = runs.progress(run)
    pace = runs.pace(run, left=progress.games_asked - progress.games)
    names = designs.entry_names([bot["name"] for bot in run.bots])
    games_of_deal = designs.games_of_deal(len(run.bots), run.design)
    change = address(event, "run_change")
    entrants = list(entrants_of([event]).order_by("pk"))
    organises = right >= Right.ORGANISE
    may_extend = organises and run.may_go_on
    may_cancel = organises and run.status in (Run.Status.RUNNING, Run.Status.PAUSED)
    troubles = runs.troubles(run)[:SHOWN_TROUBLES] if organises else ()
    return RunPage(
        run=run,
        names=names,
        players={
            name: canonical(entrant.player).pk
            for name, entrant in zip(names, entrants, strict=False)
        },
        progress=progress,
        pace=pace,
        games_of_deal=games_of_deal,
        design=run_words.design_sentence(run, games_of_deal),
        status=run_words.status_sentence(run, progress, pace, _duration(pace.seconds_left)),
        notices=run_words.notices(progress),
        buttons=run_words.buttons(run, progress, change, may_retry=may_extend) if organises else [],
        cancel=run_words.cancel_button(change) if may_cancel else None,
        news_at=address(event, "run_live") if event.is_open else "",
        records_at=address(event, "run_records") if right >= Right.BELONG else "",
        extend_at=change if may_extend else "",
        standings=event_standings(event, entrants=entrants),
        troubles=[run_words.trouble(unit) for unit in troubles],
        faulty=run_effects.notes(run, names) if organises else [],
        cards=_cards(run),
        changed=[] if run.outside else run_records.changed_bots(run),
    )


def _cards(run: Run) -> dict[str, Any] | None:
    """Return the JSON with which a browser deals the run's cards again; None before its end."""
    if run.revealed_seed is None:
        return None
    ruleset, players = rulesets.thaw(run.ruleset), designs.table_size(len(run.bots), run.design)
    decks = ruleset.decks_for(players)
    used = 52 * decks if ruleset.deal_all else ruleset.cards_for(players) * players
    return {
        "run": str(run.pk),
        "seed": run.revealed_seed,
        "commitment": run.commitment,
        "players": players,
        "decks": decks,
        "used": used,
    }


def statistics(run: Run, names: list[str]) -> RunStatistics:
    """Return strengths, money, comparisons, ratings and effects."""
    totals = verdicts.totals(run)
    scores, money = (totals.of(what, len(names)) for what in ("scores", "money"))
    faults = run_effects.verdicts_on(run, names, totals)
    if scores.deals < 2:
        return RunStatistics(scores.deals, faults)
    unit, entries = verdicts.score_unit(run), range(len(names))
    chairs = designs.chairs_of_deal(len(run.bots), run.design)
    held = anytime if run.is_looked_at else _as_planned
    won = [held(money.mean(i, chairs)) for i in entries]
    is_paid = any(money.products[i][i] for i in entries)
    is_measured = is_paid and all(math.isfinite(one.margin) for one in won)
    beaten = [held(scores.mean(i, unit / 100)) for i in entries]
    effects = run_effects.effects(run, names, totals)
    comparisons = _comparisons(
        names, scores, unit, held, member_bots.bases([bot["name"] for bot in run.bots])
    )
    firsts = _firsts(run, names, totals)
    shares = {bot.row.name: bot.row.mean for bot in firsts.get("firsts", ())}
    return RunStatistics(
        deals_done=scores.deals,
        verdicts=faults,
        anytime=run.is_looked_at,
        **firsts,
        summary=run_summary.summary(run, comparisons, effects, faults, shares),
        strengths=_best_first(
            names, [(one.mean, max(0.0, one.low), min(100.0, one.high)) for one in beaten], 50.0
        ),
        adjusted=_adjusted(names, totals, unit, held),
        money=_best_first(names, [(one.mean, one.low, one.high) for one in won])
        if is_measured
        else [],
        comparisons=comparisons,
        ratings=_ratings(run, names),
        effects=effects,
    )


def _adjusted(
    names: list[str], totals: verdicts.Totals, unit: int, held: Callable[[Estimate], Estimate]
) -> list[IntervalRow]:
    luck, bots = totals.moments.get("luck"), len(names)
    if luck is None or luck.deals < totals.moments["scores"].deals:
        return []
    means = [held(luck.adjusted(bot, bots + bot, unit / 100)) for bot in range(bots)]
    ends = [(one.mean, max(0.0, one.low), min(100.0, one.high)) for one in means]
    return _best_first(names, ends, 50.0)


def _firsts(run: Run, names: list[str], totals: verdicts.Totals) -> dict[str, Any]:
    """Return the shares of first places and their charts; nothing for runs that lack the sums."""
    firsts = totals.moments.get("firsts")
    if firsts is None or firsts.deals < totals.moments["scores"].deals:
        return {}
    unit = designs.chairs_of_deal(len(names), run.design) / 100
    even = 100 / designs.table_size(len(names), run.design)
    means = [firsts.mean(bot, unit) for bot in range(len(names))]
    ends = [(one.mean, max(0.0, one.low), min(100.0, one.high)) for one in means]
    order = sorted(range(len(names)), key=lambda bot: -means[bot].mean)
    rows = drawn(names, ends, even)
    shares = [means[bot].mean for bot in order]
    best, games = means[order[0]], firsts.deals * 100 * unit
    share = best.mean / 100
    counted = 196 * math.sqrt(max(share * (1 - share), 0.0) / games)
    bars = [(_("Counting games"), counted)]
    if run.design != "single":
        bars.append((_("Duplicate: all seats"), best.margin))
    elif luck := totals.moments.get("luck_firsts"):
        without = luck.adjusted(order[0], len(names) + order[0], unit)
        bars.append((_("Cards and seat taken out"), without.margin))
    most = max(margin for _text, margin in bars) or 1.0
    curve = [*totals.points, firsts] if totals.points[-1:] != [firsts] else totals.points
    return {
        "firsts": [
            FirstRow(1 + shares.index(means[bot].mean), rows[bot], bot_face(names[bot]))
            for bot in order
        ],
        "even": even,
        "luck": [LuckBar(text, one, round(100 * one / most)) for text, one in bars]
        if math.isfinite(best.margin)
        else [],
        "heat": run_charts.heat_rows(names, order, totals.ahead),
        "convergence": run_charts.convergence(names, curve, unit, even),
    }


def _best_first(
    names: Iterable[str], ends: list[tuple[float, float, float]], reference: float = 0.0
) -> list[IntervalRow]:
    """Return a row for each (mean, low, high), best first, on one scale with the reference."""
    return sorted(drawn(names, ends, reference), key=lambda row: -row.mean)


def _as_planned(estimate: Estimate) -> Estimate:
    """Return the estimate unchanged: the number of deals was fixed beforehand."""
    return estimate


def _comparisons(
    names: list[str],
    scores: Moments,
    unit: float,
    held: Callable[[Estimate], Estimate],
    bases: dict[str, str],
) -> list[Comparison]:
    """Return a comparison of each pair, the stronger first; versions of one bot lead the list.

    All bots played the same deals, so each difference is a paired one.
    """
    order = sorted(range(len(names)), key=lambda i: -scores.sums[i])
    pairs = list(combinations(order, 2))
    gaps = [held(scores.difference(a, b, unit / 100)) for a, b in pairs]
    ends = [(gap.mean, max(-100.0, gap.low), min(100.0, gap.high)) for gap in gaps]
    rows = drawn([""] * len(gaps), ends, 0.0)
    # Holm's correction, so that all pairs hold jointly.
    doubts = holm([2 * min(likely, 1 - likely) for likely in map(_likely, gaps)])
    sure = [1 - doubt / 2 for doubt in doubts]
    found = [
        Comparison(
            names[a], names[b], row, likely, _percent(likely), _in_words(gap, likely),
            of_one_bot=names[a] in bases and bases[names[a]] == bases.get(names[b]),
        )
        for (a, b), gap, row, likely in zip(pairs, gaps, rows, sure, strict=True)
    ]  # fmt: skip
    return sorted(found, key=lambda pair: not pair.of_one_bot)


def _likely(gap: Estimate) -> float:
    """Return the likelihood that the first bot is stronger, between 0 and 1."""
    if not isinstance(gap, Anytime):
        return likelihood_of_superiority(gap)
    return 1 - gap.doubt / 2 if gap.mean > 0 else gap.doubt / 2


def _percent(sure: float) -> str:
    """Return a likelihood in percent, at most 99.9."""
    percent = rounded(min(100 * sure, 99.9), 1)
    return f"> {percent}" if sure > 0.9995 else percent


def _in_words(gap: Estimate, sure: float) -> str:
    if gap.mean == gap.error == 0:
        return _("equal on every deal: they play alike")
    if sure > 0.999:
        return _("stronger, almost certainly")
    if sure > 0.975:
        return _("stronger, very probably")
    if sure > 0.9:
        return _("perhaps stronger; more deals would tell")
    return _("too close to call")


def _ratings(run: Run, names: list[str]) -> list[IntervalRow]:
    """Return the ratings that were fitted when the run ended."""
    if not run.ratings:
        return []
    rated = [(name, r) for name, r in zip(names, run.ratings, strict=True) if r]
    ends = [(r["rating"], r["low"], r["high"]) for _name, r in rated]
    return _best_first([name for name, _r in rated], ends)


def _duration(seconds: float | None) -> str:
    """Return the rounded duration in words, empty for None."""
    if seconds is None:
        return ""
    if seconds < 90:
        return _("%(n)s s") % {"n": round(seconds)}
    if seconds < 5400:
        return _("%(n)s min") % {"n": round(seconds / 60)}
    return _("%(n)s h") % {"n": round(seconds / 3600)}
