"""What a bot tournament says in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.arena.facts.run_effects import RunEffects, Verdicts
from league.arena.pages.bot_faces import bot_face
from league.base.facts.interval_rows import IntervalRow
from tables.models import Run
from tables.numbers import rounded

EARLY = 20
"""A margin in percentage points above which a lead is not yet told as a number."""


@dataclass(frozen=True)
class Comparison:
    """A comparison of two bots: the first one's lead, its certainty, and a verdict in words.

    `superiority` is between 0 and 1; `sure` is the same as text in percent. `of_one_bot` marks
    two versions of one member's bot.
    """

    one: str
    other: str
    gap: IntervalRow
    superiority: float
    sure: str
    words: str
    of_one_bot: bool


@dataclass(frozen=True)
class Summary:
    """Who won and how sure that is; `facts` are sentences on single bots, with their faces."""

    face: str
    title: str
    text: str
    facts: list[tuple[str, str]]


def summary(
    run: Run,
    comparisons: list[Comparison],
    effects: RunEffects,
    faults: list[Verdicts],
    firsts: Mapping[str, float],
) -> Summary:
    """Return who is first and how sure that is, and what stands out of single bots.

    `firsts` are the shares of first places that the page lists, in percent: the sentence has them
    unless they say otherwise than the strengths do.
    """
    best = next(pair.one for pair in comparisons if _leads(pair, comparisons))
    nearest = min(
        (pair for pair in comparisons if pair.one == best), key=lambda pair: pair.gap.mean
    )
    told = {"name": best, "other": nearest.other}
    over = run.finished_at is not None
    margin = (nearest.gap.high - nearest.gap.low) / 2
    if nearest.superiority > 0.975 and margin <= EARLY:
        title = _("%(name)s has won, for sure.") if over else _("%(name)s leads, for sure.")
    elif nearest.superiority > 0.9:
        title = _("%(name)s has won, probably.") if over else _("%(name)s leads, probably.")
    else:
        title = _("%(name)s is ahead, but it is not sure.")
    if margin > EARLY:
        text = _("It is too early to tell by how much: too few deals have been played.")
    elif firsts.get(best, 0) > firsts.get(nearest.other, 100):
        text = _("First in %(first)s%% of the games, %(other)s in %(second)s%%.")
        told["first"], told["second"] = (rounded(firsts[name], 0) for name in (best, nearest.other))
    else:
        text = _(
            "It beats %(gap)s percentage points more opponents than %(other)s,"
            " give or take %(margin)s."
        )
    told |= {"gap": rounded(nearest.gap.mean, 1), "margin": rounded(margin, 1)}
    return Summary(bot_face(best), title % told, text % told, _facts(effects, faults))


def _leads(pair: Comparison, comparisons: list[Comparison]) -> bool:
    """Return whether no other pair puts a bot before the first one of this pair."""
    return all(pair.one != other.other for other in comparisons)


def _facts(effects: RunEffects, faults: list[Verdicts]) -> list[tuple[str, str]]:
    found = []
    if effects.chopped:
        most, least = _ends(effects.chopped)
        text = _("%(most)s is chopped most: %(n)s times in 100 games; %(least)s only %(few)s.")
        told = {"most": most.name, "n": rounded(most.mean, 1), "least": least.name}
        found.append((most.name, text % (told | {"few": rounded(least.mean, 1)})))
    if effects.thinking:
        slow = max(effects.thinking, key=lambda row: row.mean)
        text = _("%(name)s thinks longest: %(ms)s ms a move, %(most)s ms at most.")
        told = {"name": slow.name, "ms": rounded(slow.mean, 1)}
        found.append((slow.name, text % (told | {"most": rounded(slow.longest, 0)})))
    failed = [row for row in faults if row.share]
    for row in sorted(failed, key=lambda row: -row.share)[:1]:
        text = _("%(name)s failed in %(share)s%% of its games.")
        found.append((row.name, text % {"name": row.name, "share": rounded(row.share, 1)}))
    return [(bot_face(name), text) for name, text in found]


def _ends(rows: list[IntervalRow]) -> tuple[IntervalRow, IntervalRow]:
    return max(rows, key=lambda row: row.mean), min(rows, key=lambda row: row.mean)
