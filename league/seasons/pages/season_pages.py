"""The tabs of a season's pages, and sentences of its standings."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.page_parts import Tab
from league.models import Adjustment, Season
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import Line


def tabs(
    season: Season, here: str, *, may_see_money: bool = False, may_organise: bool = False
) -> list[Tab]:
    """Return the season's tabs for this visitor; `here` is the current page."""
    pages = {
        "season": _("Standings"),
        "season_pictures": _("Race"),
        "season_ratings": _("Ratings"),
    }
    if may_see_money:
        pages["season_money"] = _("Money")
    return [
        Tab(text, reverse(f"league:{name}", args=[season.club.slug, season.pk]), name == here)
        for name, text in pages.items()
    ]


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
