"""The position of a table: all that a move or a page of the table needs.

It changes only with the table's row, so a process caches it and queries that row alone. A locked
row proves that the cached position is current. It contains hidden cards and never leaves the
process; pages show a board or a seat's view made from it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, cast

from django.db import transaction
from django.db.models import Q

from tables import hosts
from tables.base import announce, tokens, words
from tables.base.faces import Face, faces_at
from tables.base.fifo_cache import FifoCache
from tables.models import Game, Seat, Table
from tables.play.facts import standings
from tables.play.facts.replayed import ReplayedGame, as_dealt
from tables.refusals import Stale

MOST_CACHED = 500
TRIES = 10

Stamp = tuple[int, datetime.datetime | None, datetime.datetime | None]
"""A table's state identity, unique even if a database lost the newest states."""


@dataclass(frozen=True)
class Position:
    """A table at one version. It is shared: change only a copy from `twin`.

    `seats` are the occupied seats by number, `names` all past and present seat names by key,
    `first_seats` the key of the first seat that the same person held here, `faces` everyone's by
    name, the same at all tables of these friends. `game` was dealt last, `last` is the last
    finished game, and `commitment` is the newest one. `uncounted` are the numbers of games that do
    not count, and `absent` the keys of seats that the autopilot played for last. `replayed` belongs
    to the running game. A `late` position is a spectator's delayed view; nothing made from it may
    be cached as the present.
    """

    table: Table
    seats: dict[int, Seat]
    names: dict[int, str]
    first_seats: dict[int, int]
    game: Game | None
    last: Game | None
    commitment: str
    standings: list[standings.MatchRow]
    replayed: ReplayedGame | None
    faces: dict[str, Face]
    uncounted: frozenset[int]
    absent: frozenset[int]
    late: bool = False

    @property
    def stamp(self) -> Stamp:
        """Return the identity of this position among those of its table."""
        return stamp_of(self.table)

    def seat(self, pk: int) -> Seat | None:
        """Return the occupied seat with this key."""
        return next((seat for seat in self.seats.values() if seat.pk == pk), None)

    @property
    def host(self) -> Seat | None:
        """Return the person seated longest (`seats.host`)."""
        people = (seat for seat in self.seats.values() if not seat.is_bot)
        return min(people, key=lambda seat: (seat.seated_at, seat.pk), default=None)

    def find(self, *, user: Any = None, token: str = "") -> Seat | None:
        """Return the seat of this user, or of the holder of this secret."""
        if token:
            hashed = tokens.hash_of(token)
            for seat in self.seats.values():
                if seat.token_hash == hashed:
                    return seat
        if user:
            return next((seat for seat in self.seats.values() if seat.user_id == user.pk), None)
        return None

    def on(self) -> tuple[Game, ReplayedGame]:
        """Return the running game and its replayed; raise `Stale` between games."""
        if self.game is None or self.replayed is None:
            raise Stale
        return self.game, self.replayed

    def twin(self) -> Position:
        """Return a copy for a move: its seats, game and replayed may be changed."""
        return replace(
            self,
            seats={no: copy(seat) for no, seat in self.seats.items()},
            game=copy(self.game),
            replayed=self.replayed.twin() if self.replayed else None,
        )


_committed: FifoCache[str, Position] = FifoCache(MOST_CACHED)


def of(table: Table) -> Position:
    """Return the position of a table whose row was just read.

    Return a newer one if the table has changed since.
    """
    cached = _committed.get(table.key)
    if cached is not None and cached.stamp == stamp_of(table):
        return replace(cached, table=table)
    for _ in range(TRIES):
        found = _read(table, cached)
        table = rows().get(pk=table.pk)
        if stamp_of(table) == found.stamp:
            store(found)
            return found
    raise Stale


def stamp_of(table: Table) -> Stamp:
    return table.version, table.due_at, table.turn_at


def known(key: str, name: str) -> Position | None:
    """Return the position announced under this name, if this process has it."""
    cached = _committed.get(key)
    return cached if cached is not None and announce.name_of(cached.table) == name else None


def latest(key: str) -> Position | None:
    """Return the cached position of the table with this key, which may be outdated."""
    return _committed.get(key)


def replay_of(game: Game) -> ReplayedGame:
    """Return the game after all its actions, as a copy that the caller may change."""
    cached, table = _committed.get(game.table.key), game.table
    replayed = None
    if cached is not None and cached.game == game and cached.table.version <= table.version:
        replayed = cached.replayed and cached.replayed.twin()
    replayed = replayed or as_dealt(game)
    later = game.actions.filter(seq__gt=replayed.seq).order_by("seq")
    return replayed.follow(later.values_list("body", flat=True))


def rows() -> Any:
    """Return the tables joined with their terms, as a queryset for one table."""
    return Table.objects.select_related("arrangement__shared", "first")


def store(position: Position) -> None:
    """Cache a position when it is committed.

    Not during the instant-win window: answers do not change the table's row.
    """
    game = position.game
    if game is not None and game.window_until and not game.window_closed:
        return
    transaction.on_commit(lambda: _committed.put(position.table.key, position))


def first_seats(everybody: Iterable[Seat], *, friends: bool) -> dict[int, int]:
    """Return for each seat the first one of the same person, or of a bot with the same name.

    That is the same account or, among friends, the same guest's name; strangers are often named
    alike, and so are those whose names were removed.
    """
    first: dict[Any, int] = {}
    found = {}
    for seat in everybody:
        person: Any = ("user", seat.user_id)
        if seat.user_id is None:
            known = (friends and seat.name != words.GONE) or seat.is_bot
            person = (seat.is_bot, words.shape(seat.name)) if known else ("seat", seat.pk)
        found[seat.pk] = first.setdefault(person, seat.pk)
    return found


def _faces(table: Table, everybody: Sequence[Seat]) -> dict[str, Face]:
    """Return everyone's face by name, with those of earlier tables of these friends."""
    came = [(seat.name, seat.bot) for seat in everybody]
    if table.first_id:
        of_friends = Q(table=table.first_id) | Q(table__first=table.first_id)
        before = Seat.objects.filter(of_friends, table__lt=table.pk).order_by("pk")
        came = [*before.values_list("name", "bot"), *came]
    return faces_at(came, hosts.host().faces(table, everybody))


def _read(table: Table, before: Position | None) -> Position:
    everybody = list(table.seats.select_related("user__bot_account").order_by("pk"))
    names = {seat.pk: seat.name for seat in everybody}
    first = first_seats(everybody, friends=not table.for_anyone)
    newest = list(table.games.order_by("-no")[:3])
    for game in newest:
        game.table = table
    dealt = [game for game in newest if game.dealt_at]
    last = next((game for game in dealt if game.over_at), None)
    on = table.status == Table.Status.PLAYING and dealt and not dealt[0].over_at
    uncounted = hosts.host().uncounted(table) if last and table.terms else frozenset()
    same = before is not None and (before.names, before.uncounted) == (names, uncounted)
    moved = on and table.moved_version == table.version  # What else changed may be a face.
    if before is not None and same and before.last == last:
        ranked = before.standings
    else:
        counted = table.games.filter(over_at__isnull=False).exclude(no__in=uncounted)
        over = counted.order_by("no").values_list("holders", "outcome")
        ranked = standings.standings(names, cast(Any, over), first) if last else []
    return Position(
        table=table,
        seats={seat.no: seat for seat in everybody if seat.left_at is None},
        names=names,
        first_seats=first,
        game=dealt[0] if dealt else None,
        last=last,
        commitment=newest[0].commitment if newest else "",
        standings=ranked,
        replayed=replay_of(dealt[0]) if on else None,
        faces=before.faces if before and same and moved else _faces(table, everybody),
        uncounted=uncounted,
        absent=frozenset(seat.pk for seat in everybody if seat.autopilot),
    )
