"""The tables that anyone may join or watch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Prefetch, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables import hosts
from tables.base import rulesets, tokens
from tables.base.faces import Face, faces_at
from tables.base.placings import ranks
from tables.models import Game, Seat, Table

MOST_SHOWN = 40


class Sitter(NamedTuple):
    """Someone who sits at a table."""

    name: str
    face: Face


@dataclass(frozen=True)
class LobbyTable:
    """A table in the lobby; `room` is the number of seats still to take."""

    key: str
    rules: str
    seconds: int
    sitters: list[Sitter]
    room: int
    bots: int
    playing: bool
    rated: bool
    watchers: int = 0

    @property
    def people(self) -> list[str]:
        return [sitter.name for sitter in self.sitters]

    @property
    def chairs(self) -> str:
        """One letter for each seat that can still be taken, for a template to count."""
        return "·" * (0 if self.playing else self.room)

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


def running(user: Any, device: str) -> Table | None:
    """Return the open table where this account or browser sits; None for neither."""
    if not (user.pk or device):
        return None
    who = Q(user_id=user.pk) if user.pk else Q(device=tokens.hash_of(device))
    seats = Seat.objects.filter(who, left_at=None, table__closed_at=None)
    found = seats.select_related("table__ruleset").order_by("-pk").first()
    return found.table if found else None


class LastGame(NamedTuple):
    """A finished game of the reader: the place, the money won, and who else played."""

    game: Game
    rank: int
    net: int | None
    others: list[str]


def last_games(user: Any, device: str) -> list[LastGame]:
    """Return the newest finished games of this account, or of the seats that this browser holds."""
    if not (user.pk or device):
        return []
    who = Q(user_id=user.pk) if user.pk else Q(device=tokens.hash_of(device))
    own = set(Seat.objects.filter(who).order_by("-pk").values_list("pk", flat=True)[:50])
    tables = Seat.objects.filter(pk__in=own).values("table")
    over = Game.objects.filter(table__in=tables, over_at__isnull=False).select_related("table")
    found = []
    games = [game for game in over.order_by("-over_at")[:10] if own & set(game.holders)][:3]
    names = dict(
        Seat.objects.filter(pk__in={pk for game in games for pk in game.holders}).values_list(
            "pk", "name"
        )
    )
    for game in games:
        outcome = game.outcome or {}
        seat = next(no for no, pk in enumerate(game.holders) if pk in own)
        net = outcome["net"][seat] if outcome["payments"] else None
        others = [names[pk] for no, pk in enumerate(game.holders) if no != seat]
        rank = ranks(outcome["placings"])[seat]
        found.append(LastGame(game, rank, net, others))
    return found


def tables_for_anyone(watchers: Mapping[str, int]) -> list[LobbyTable]:
    """Return the open tables with people: those that can be joined first, then the newest."""
    tables = (
        Table.objects.filter(for_anyone=True, closed_at=None, seats__left_at=None, seats__bot="")
        .distinct()
        .select_related("ruleset")
        .prefetch_related(Prefetch("seats", Seat.objects.order_by("pk"), to_attr="everybody"))
        .order_by("-opened_at")
    )
    some: list[Any] = list(tables[:MOST_SHOWN])
    users = {seat.user_id for table in some for seat in table.everybody if seat.user_id}
    chosen = hosts.host().faces_of(users)
    found = [_shown(table, watchers.get(table.key, 0), chosen) for table in some]
    return sorted(found, key=lambda table: (table.playing, not table.room))


def _shown(table: Any, watchers: int, chosen: Mapping[int | None, Face]) -> LobbyTable:
    everybody: list[Seat] = table.everybody
    names = {seat.user_id: seat.name for seat in everybody if seat.user_id in chosen}
    known = {name: chosen[user] for user, name in names.items()}
    face_of = faces_at([(seat.name, seat.bot) for seat in everybody], known)
    seats = sorted((one for one in everybody if one.left_at is None), key=lambda one: one.no)
    people = [Sitter(seat.name, face_of[seat.name]) for seat in seats if not seat.is_bot]
    return LobbyTable(
        key=table.key,
        rules=rulesets.of(table).name,
        seconds=table.move_seconds,
        sitters=people,
        room=table.players - len(people),
        bots=len(seats) - len(people),
        playing=table.status == Table.Status.PLAYING,
        rated=table.rated,
        watchers=watchers,
    )
