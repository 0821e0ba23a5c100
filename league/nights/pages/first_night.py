"""The names of a first night, read as they are typed or pasted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import seating
from league.base import texts
from league.base.domain import names
from league.nights.acts.tonight import LEAST, ONE_TABLE
from league.nights.pages import plan_words
from league.seating.sizes import FULL
from tables.base.faces import Face, face_of


@dataclass(frozen=True)
class NameChip:
    """A name as it was read; `wrong` if it cannot be taken as it is."""

    name: str
    face: Face
    wrong: bool = False


@dataclass(frozen=True)
class FirstNames:
    """The names of a first night.

    `asked` are the lines that are probably no names, `taken` those that are names all the same.
    """

    chips: list[NameChip]
    problems: list[str]
    asked: list[str]
    taken: list[str]

    @property
    def names(self) -> list[str]:
        """The names that may be drawn."""
        return [chip.name for chip in self.chips if not chip.wrong]

    @property
    def is_ready(self) -> bool:
        """Whether the names can be drawn without a question."""
        return not self.problems and not self.asked and len(self.names) >= LEAST

    @property
    def total(self) -> str:
        """How many people play at how many tables."""
        n = len(self.names)
        if n < LEAST:
            return _("At least three people.")
        people = ngettext("%(n)s person", "%(n)s people", n) % {"n": n}
        count = len(self._sizes)
        return f"{people}, {ngettext('%(n)s table', '%(n)s tables', count) % {'n': count}}"

    @property
    def sizes(self) -> str:
        """The tables by their size."""
        if len(self.names) < LEAST:
            return _("One name per line, or separated by commas.")
        if len(self._sizes) == 1:
            return _("Last place gives up the seat.") if len(self.names) > FULL else ""
        return plan_words.tables(self._sizes)

    @property
    def _sizes(self) -> list[int]:
        n = len(self.names)
        return [n] if n <= ONE_TABLE else seating.table_sizes(n)


def first_names(
    text: str, asked: Collection[str] = (), plays: Collection[str] = (), *, waits: bool = False
) -> FirstNames:
    """Return the names of a text; of the lines `asked` about, only those in `plays` are names.

    `waits` asks about the other lines again, as long as nothing is drawn.
    """
    listed = names.parse_name_list(text)
    wrong = [problem for problem in listed.problems if not problem.is_warning]
    doubtful = [name for name in listed.names if name in {*listed.doubtful, *asked}]
    taken = [name for name in doubtful if name in plays]
    found = [name for name in listed.names if name not in doubtful or name in taken]
    read = [(name, False) for name in found] + [(problem.text, True) for problem in wrong]
    return FirstNames(
        chips=[NameChip(name, face_of(n + 1), bad) for n, (name, bad) in enumerate(read)],
        problems=[_told(problem) for problem in wrong[:5]],
        asked=[name for name in doubtful if name not in (taken if waits else asked)],
        taken=taken,
    )


def _told(problem: names.ListProblem) -> str:
    """Return how to fix a line."""
    if problem.kind != "duplicate":
        return texts.at_line(problem)
    return _("Two people are called “%(text)s”. Add a letter to one: “%(text)s B”.") % dict(
        problem.params
    )
