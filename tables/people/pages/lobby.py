"""The tables that anyone may join or watch."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.base import rulesets
from tables.models import Seat, Table

MOST_SHOWN = 40


@dataclass(frozen=True)
class LobbyTable:
    """A table in the lobby; `people` are names, and `room` is the number of seats still to take."""

    key: str
    rules: str
    seconds: int
    people: list[str]
    room: int
    bots: int
    playing: bool
    rated: bool
    watchers: int = 0

    @property
    def details(self) -> str:
        per_move = ngettext("%(n)s second per move", "%(n)s seconds per move", self.seconds)
        found = [self.rules, per_move % {"n": self.seconds}]
        if self.bots:
            found.append(ngettext("%(n)s bot", "%(n)s bots", self.bots) % {"n": self.bots})
        if self.rated:
            found.append(_("rated"))
        if self.watchers:
            watching = ngettext("%(n)s watching", "%(n)s watching", self.watchers)
            found.append(watching % {"n": self.watchers})
        return " · ".join(found)

    @property
    def state(self) -> str:
        if self.playing:
            return _("playing")
        return _("has a free seat") if self.room else _("full")


def tables_for_anyone(watchers: Mapping[str, int]) -> list[LobbyTable]:
    """Return the open tables with people: those that can be joined first, then the newest."""
    sitting = Prefetch("seats", Seat.objects.filter(left_at=None).order_by("no"), to_attr="sitting")
    tables = (
        Table.objects.filter(for_anyone=True, closed_at=None, seats__left_at=None, seats__bot="")
        .distinct()
        .select_related("ruleset")
        .prefetch_related(sitting)
        .order_by("-opened_at")
    )
    found = [_shown(table, watchers.get(table.key, 0)) for table in tables[:MOST_SHOWN]]
    return sorted(found, key=lambda table: (table.playing, not table.room))


def _shown(table: Table, watchers: int) -> LobbyTable:
    seats: list[Seat] = table.sitting  # type: ignore[attr-defined]
    people = [seat.name for seat in seats if not seat.is_bot]
    return LobbyTable(
        key=table.key,
        rules=rulesets.of(table).name,
        seconds=table.move_seconds,
        people=people,
        room=table.players - len(people),
        bots=len(seats) - len(people),
        playing=table.status == Table.Status.PLAYING,
        rated=table.rated,
        watchers=watchers,
    )
