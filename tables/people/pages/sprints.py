"""Half-hour tournaments (sprints) as their pages show them."""

import datetime
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.base import rulesets
from tables.models import Sprint, SprintEntry
from tables.people.acts import sprints

MOST_SHOWN = 100


@dataclass(frozen=True)
class SprintRow:
    """A line of the standings; tied players share a place."""

    place: int
    entry: SprintEntry
    is_me: bool


@dataclass(frozen=True)
class SprintPage:
    """A sprint's page: `stage` is `soon`, `on` or `over`, and `mine` the reader's entry, if any."""

    sprint: Sprint
    rules: str
    stage: str
    rows: list[SprintRow]
    mine: SprintEntry | None

    @property
    def takes_part(self) -> bool:
        return self.mine is not None and not self.mine.left

    @property
    def podium(self) -> list[SprintRow]:
        scored = [row for row in self.rows if row.entry.points]
        return scored[:3] if self.stage == "over" else []

    @property
    def says(self) -> str:
        if self.stage == "over":
            return _("The tournament is over. Games still in progress count.")
        if self.stage == "soon":
            return _("Starts in %(time)s.") % {"time": minutes_until(self.sprint.starts_at)}
        left = _("%(time)s left.") % {"time": minutes_until(self.sprint.ends_at)}
        if self.takes_part and self.mine and not self.mine.table:
            return _("Your table will be ready in a moment. Stay on this page.") + " " + left
        return left


@dataclass(frozen=True)
class ComingSprint:
    """A sprint in a list of current and coming ones."""

    key: str
    title: str
    details: str
    on: bool
    when: str


def minutes_until(when: datetime.datetime) -> str:
    """Return the whole minutes until then in words; Django has no Vietnamese for its own."""
    minutes = max(1, round((when - timezone.now()).total_seconds() / 60))
    return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}


def stage_of(sprint: Sprint) -> str:
    now = timezone.now()
    return "soon" if now < sprint.starts_at else "on" if now < sprint.ends_at else "over"


def page(sprint: Sprint, mine: SprintEntry | None) -> SprintPage:
    """Return a sprint's page for the reader with the entry `mine`."""
    entries = sprint.entries.order_by("-points", "-firsts", "games", "pk")[:MOST_SHOWN]
    rows: list[SprintRow] = []
    for at, entry in enumerate(entries, start=1):
        last = rows[-1] if rows else None
        equal = last and (last.entry.points, last.entry.firsts) == (entry.points, entry.firsts)
        place = last.place if last and equal else at
        rows.append(SprintRow(place, entry, mine is not None and entry.pk == mine.pk))
    return SprintPage(sprint, rulesets.thaw(sprint.ruleset).name, stage_of(sprint), rows, mine)


def coming(home: str = "") -> list[ComingSprint]:
    """Return the sprints in progress or starting soon of a home page; "" for the server's own."""
    now = timezone.now()
    found = Sprint.objects.filter(home=home, ends_at__gt=now, starts_at__lt=now + sprints.AHEAD)
    people = Count("entries", filter=Q(entries__left=False))
    rows = found.select_related("ruleset").annotate(people=people).order_by("starts_at", "pk")
    return [_coming(row, row.starts_at <= now) for row in rows[:10]]


def _coming(sprint: Any, on: bool) -> ComingSprint:
    people = _("bots sit with you")
    if sprint.people:
        people = ngettext("%(n)s player", "%(n)s players", sprint.people) % {"n": sprint.people}
    when = minutes_until(sprint.ends_at if on else sprint.starts_at)
    at = timezone.localtime(sprint.ends_at if on else sprint.starts_at).strftime("%H:%M")
    title = _("Tournament until %(time)s") if on else _("Tournament at %(time)s")
    return ComingSprint(
        key=sprint.key,
        title=sprint.home_name or title % {"time": at},
        details=" · ".join([rulesets.thaw(sprint.ruleset).name, people]),
        on=on,
        when=(_("%(time)s left") if on else _("in %(time)s")) % {"time": when},
    )
