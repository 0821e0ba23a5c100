"""The page of a club's own sheets: chips of the columns, questions, and what may be undone."""

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.exchange.domain.looks import DoubtLook, NotebookLook, SheetLook
from league.exchange.domain.sheet_cells import LAST
from league.exchange.domain.sheet_columns import MEANINGS, MOST_PLACES
from league.exchange.facts.file_imports import FilePage
from league.models import Notebook, Season
from league.models.notebook import UNDO_DAYS

WORDS = {
    "date": gettext_lazy("date"),
    "night": gettext_lazy("night"),
    "round": gettext_lazy("round"),
    "table": gettext_lazy("table"),
    "game": gettext_lazy("game"),
    "person": gettext_lazy("a person"),
    "name": gettext_lazy("names"),
    "place": gettext_lazy("place"),
    "money": gettext_lazy("money"),
    "total": gettext_lazy("total"),
    "note": gettext_lazy("note"),
    "none": gettext_lazy("left out"),
}
_QUESTIONS = {
    "day": gettext_lazy("%(about)s: the day comes first, then the month?"),
    "one": gettext_lazy("%(about)s: one person?"),
    "marks": gettext_lazy("Names without marks: the same people?"),
    "note": gettext_lazy("“%(about)s”: is “%(note)s” a note, not part of the name?"),
    "ties": gettext_lazy("People with equal money: do they share a place?"),
    "grouped": gettext_lazy("Does “%(about)s” mean %(note)s?"),
    "unread": gettext_lazy("Not read: %(about)s. Go on without?"),
    "thousands": gettext_lazy("Does %(about)s mean thousands?"),
    "paid": gettext_lazy("Has the money of these nights been paid?"),
}


class Chip(NamedTuple):
    """A column's meaning, with the others that a tap may choose."""

    field: str
    head: str
    meaning: str
    tone: str
    choices: list[tuple[str, str]]
    is_doubtful: bool


class SheetPage(NamedTuple):
    look: SheetLook
    chips: list[Chip]
    rows: list[list[tuple[str, str]]]


class SheetQuestion(NamedTuple):
    field: str
    text: str
    facts: list[str]
    yes: bool


class Book(NamedTuple):
    """What was read, as the page shows it."""

    look: NotebookLook
    sheets: list[SheetPage]
    questions: list[SheetQuestion]
    differing: int


def book(page: FilePage | None) -> Book | None:
    """Return the sheets of a file that was read, or None."""
    look = page.look if page else None
    if not isinstance(look, NotebookLook):
        return None
    sheets = [_sheet(number, sheet) for number, sheet in enumerate(look.sheets)]
    differing = sum(theirs != ours for _name, theirs, ours in look.totals)
    return Book(look, sheets, [_question(doubt) for doubt in look.doubts], differing)


def made(season: Season) -> QuerySet[Notebook]:
    """Return the season's imports that can still be undone, with their counts."""
    since = timezone.now() - datetime.timedelta(UNDO_DAYS)
    counts = {
        "nights": Count("events", distinct=True),
        "people": Count("players", distinct=True),
    }
    return season.notebooks.filter(at__gt=since).annotate(**counts)


def _sheet(number: int, look: SheetLook) -> SheetPage:
    choices = _choices()
    chips = [
        Chip(
            f"column {number}:{at}",
            head,
            meaning,
            meaning.split(":")[0],
            choices,
            at in look.doubled or at in look.unknown,
        )
        for at, (head, meaning) in enumerate(zip(look.heads, look.meanings, strict=True))
    ]
    tones = [chip.tone for chip in chips]
    rows = [_padded(row, tones) for row in look.rows]
    return SheetPage(look, chips, rows)


def _padded(row: Sequence[str], tones: Sequence[str]) -> list[tuple[str, str]]:
    return [(row[at] if at < len(row) else "", tone) for at, tone in enumerate(tones)]


def _choices() -> list[tuple[str, str]]:
    ranked = [f"{kind}:{place}" for kind in ("rank", "money")
              for place in (*range(1, MOST_PLACES + 1), LAST)]  # fmt: skip
    return [(one, _meaning(one)) for one in (*MEANINGS, *ranked)]


def _meaning(meaning: str) -> str:
    kind, _colon, place = meaning.partition(":")
    if place == str(LAST):
        return _("last place") if kind == "rank" else _("money of last place")
    if kind == "rank":
        return _("place %(n)s") % {"n": place}
    return _("money %(n)s") % {"n": place} if place else str(WORDS[kind])


def _question(doubt: DoubtLook) -> SheetQuestion:
    parts = {"about": doubt.about, "note": doubt.facts[-1] if doubt.facts else ""}
    facts = doubt.facts if doubt.kind in ("one", "marks") else []
    return SheetQuestion(
        f"doubt {doubt.kind} {doubt.about}", str(_QUESTIONS[doubt.kind]) % parts, facts, doubt.yes
    )
