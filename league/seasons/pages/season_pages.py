"""A season's menu and rows, and sentences of its standings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.base import texts
from league.base.facts.interval_rows import Plot, drawn
from league.base.page_parts import MenuRow
from league.base.pages.address import of_season
from league.models import Adjustment, Season, Strength
from league.seasons.domain.scoring import POINTS_NAMES, PointsTable, Scoring
from league.seasons.domain.standings import Line
from league.seasons.facts import ratings
from league.seasons.facts.season_cache import CachedRows

STRONGEST = 7
"""The ratings that a season's plot compares."""

_MINE = gettext_lazy("You're in place %(rank)s, %(gap)s behind %(other)s.")
_LEVEL = gettext_lazy("You're in place %(rank)s, level with %(other)s.")
_LEADER = gettext_lazy("You lead, %(gap)s ahead of %(other)s.")
_LEADS = gettext_lazy("%(first)s leads, %(gap)s ahead of %(other)s.")
_LEAD = gettext_lazy("%(first)s and %(other)s lead, level.")


def menu(season: Season, *, may_organise: bool) -> list[MenuRow]:
    """Return the rare acts and pages of a season for this visitor."""
    to = partial(of_season, season)
    is_open = season.status == Season.Status.OPEN
    found = [
        MenuRow("chart", _("Recap"), to("season_recap")),
        MenuRow("list", _("Full table"), f"{to('season')}?full=1", _("all columns, Excel, CSV")),
        MenuRow("people", _("Teams"), to("rosters")),
        MenuRow("edit", _("Penalties and bonuses"), to("adjustments")),
    ]
    if not may_organise:
        return found
    running = [
        MenuRow("calendar", _("Recipes"), to("schedules")),
        MenuRow("download", _("Bring your notebook"), to("import_results")),
    ]
    reopen, close = (
        ("open", "undo", _("Reopen the season")),
        ("closed", "check", _("Close the season")),
    )
    status, icon, words = close if is_open else reopen
    return [
        *([MenuRow("plus", _("New night"), to("event_create"))] if is_open else []),
        *found,
        MenuRow("scale", _("Scoring"), to("season_settings")),
        *(running if is_open else []),
        MenuRow(
            *(icon, words, to("season_status")),
            posts=True, hidden=(("status", status),), ends=is_open,
        ),
    ]  # fmt: skip


def others(season: Season, *, may_see_money: bool) -> list[MenuRow]:
    """Return the other pages of a season, below its standings and its plot."""
    to = partial(of_season, season)
    money = MenuRow("money", _("Money of the season"), to("season_money"))
    return [
        *([money] if may_see_money else []),
        MenuRow(
            "people", _("Head-to-head"), to("season_pictures"), _("the race, awards, pictures")
        ),
        MenuRow("list", _("Nights and tournaments"), f"{to('season')}?events=1"),
    ]


def headline(rows: CachedRows, own: Sequence[int]) -> str:
    """Return how the visitor's first ranked player stands, else who leads.

    Empty below two ranked players, and where points do not put the one before the other.
    """
    leaders = [one for one in rows.first_who_played(2) if one.row.rank]
    if len(leaders) < 2:
        return ""
    first, other = leaders
    mine = next((one for key in own if (one := rows.of(key)) and one.row.rank), None)
    if mine and mine.player != first.player:
        behind, other, words = mine, first, (_MINE, _LEVEL)
    else:
        behind, words = other, (_LEADER, _LEVEL) if mine else (_LEADS, _LEAD)
    gap = first.row.points - behind.row.points
    if gap < 0:
        return ""
    names = {
        "first": first.player.name,
        "other": other.player.name,
        "rank": mine.row.rank if mine else 1,
        "gap": texts.points_told(gap),
    }
    return str(words[not gap]) % names


def strongest(season: Season, own: Sequence[int]) -> list[tuple[Strength, Plot | None]]:
    """Return the best ratings of the season and those of `own`, with intervals on one scale.

    Those of too few games come last, without a plot.
    """
    rated = ratings.of_season(season)
    found = list(rated.filter(Q(pk__in=rated.values("pk")[:STRONGEST]) | Q(player__in=own)))
    sure = [one for one in found if not one.is_early]
    ends = [(one.mu, one.mu - one.margin, one.mu + one.margin) for one in sure]
    rows = drawn([""] * len(ends), ends, ends[0][0]) if ends else []
    return list(zip_longest(found, (row.plot for row in rows)))


def points_table_words(table: PointsTable) -> str:
    """Return what people call the table: its name, or the points at a table of four."""
    if table.key in POINTS_NAMES:
        return _(POINTS_NAMES[table.key])
    return " – ".join(map(texts.points, table.row))


def which_nights(scoring: Scoring) -> str:
    """Return which nights of the season count, in a sentence or two."""
    sentences = []
    if (best := scoring.best_of) is not None:
        text = ngettext("Best night counts.", "Best %(n)s nights count.", best)
        sentences.append(text % {"n": best})
    if (worst := scoring.drop_worst) > 0:
        text = ngettext("Worst night dropped.", "Worst %(n)s nights dropped.", worst)
        sentences.append(text % {"n": worst})
    return " ".join(sentences) or _("All nights count.")


def line_words(line: Line) -> str:
    """Return what a line of a player's sum gives points for."""
    if line.placing is not None:
        place = {"rank": line.placing.rank, "size": line.placing.size}
        at_table = _("place %(rank)s at a table of %(size)s")
        text = (_("final place %(rank)s") if line.what == "place" else at_table) % place
        if line.placing.tied > 1:
            text += " " + _("shared by %(tied)s") % {"tied": line.placing.tied}
        return text
    words = {
        "stake": _("money result, in stakes"),
        "beaten": _("percent of the others with the same hand, over all deals"),
        "participation": _("attendance"),
        "head_count": _("players present"),
    }
    return words.get(line.what) or Adjustment.words(line.reason)
