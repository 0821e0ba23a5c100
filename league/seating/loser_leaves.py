"""The format "Last one out": tables with a queue for the losers' seats.

The loser of a game goes to the end of the queue, and its head takes the seat. With the default
settings the queue is first in, first out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from league.seating.sizes import FULL, SeatingError

Pair = tuple[int, int]


@dataclass(frozen=True)
class Floor:
    """An immutable state of a queue night: the tables in seat order and the queue, head first.

    `cap` is the number of games in a row after which a player leaves too. The next player is the
    one of the first `look` in the queue who has met the staying players least; nobody is passed
    over more than `patience` times. A table opens for at least `least` players and seats at most
    `full`.
    """

    tables: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...] = ()
    cap: int | None = None
    look: int = 1
    patience: int = 2
    least: int = 3
    full: int = FULL
    in_a_row: Counter[int] = field(default_factory=Counter)
    passed_over: Counter[int] = field(default_factory=Counter)
    games: Counter[int] = field(default_factory=Counter)
    met: Counter[Pair] = field(default_factory=Counter)


def open_floor(
    players: Sequence[int],
    tables: int,
    *,
    cap: int | None = None,
    look: int = 1,
    patience: int = 2,
    least: int = 3,
    full: int = FULL,
) -> Floor:
    """Return a floor with the first players at as many tables as they fill, and the rest waiting.

    As many players as possible play at tables of at least `least`: six at two tables of three,
    five at a table of four with one waiting. Fewer than `least` share one table.

    Open play starts without players: tables form as people `arrive`. Raises SeatingError if there
    is no table, a setting is too small, or a player is named twice.
    """
    if tables < 1:
        raise SeatingError("The loser-leaves format needs at least 1 table.")
    if look < 1 or (cap is not None and cap < 1) or patience < 0 or least < 2:
        raise SeatingError(
            "The cap and the look-ahead are at least 1, the patience at least 0, a table at least"
            " 2."
        )
    if len(set(players)) != len(players):
        raise SeatingError("Every player can be named only once.")
    used = min(tables, -(-len(players) // full), max(1, len(players) // least))
    used = used if len(players) > 1 else 0
    seated = players[: used * full]
    groups = tuple(tuple(seated[table::used]) for table in range(used))
    empty: tuple[tuple[int, ...], ...] = ((),) * (tables - used)
    return Floor(groups + empty, tuple(players[used * full :]), cap, look, patience, least, full)


def record_game(floor: Floor, table: int, loser: int | None) -> Floor:
    """Return the floor after a game at the table: the loser and the capped players leave.

    The loser leaves first, then the players who have reached the cap, and only while others wait.
    Nobody gets back the seat just given up. With None as the loser, nobody leaves for losing.
    """
    seats = floor.tables[table]
    if loser is not None and loser not in seats:
        raise SeatingError(f"Player {loser} does not sit at table {table + 1}.")
    floor = replace(
        floor,
        in_a_row=floor.in_a_row + Counter(seats),
        games=floor.games + Counter(seats),
        met=floor.met + Counter(_pair(a, b) for a, b in combinations(seats, 2)),
    )
    tired = [p for p in seats if floor.cap is not None and floor.in_a_row[p] >= floor.cap]
    tired.sort(key=lambda player: -floor.in_a_row[player])
    leaving = [p for p in (loser, *tired) if p is not None]
    leaving = list(dict.fromkeys(leaving))[: len(floor.waiting)]
    for player in leaving:
        floor = _replace(floor, table, player, staying=set(seats) - set(leaving))
    return replace(floor, waiting=floor.waiting + tuple(leaving))


def arrive(floor: Floor, player: int) -> Floor:
    """Return the floor with a newcomer in an empty chair, or at the end of the queue."""
    if player in floor.waiting or any(player in seats for seats in floor.tables):
        raise SeatingError(f"Player {player} is here already.")
    for table, seats in enumerate(floor.tables):
        if 0 < len(seats) < floor.full and not floor.waiting:
            return _with_table(floor, table, (*seats, player))
    return _open_tables(replace(floor, waiting=(*floor.waiting, player)))


def fill(floor: Floor) -> Floor:
    """Return the floor with the queue seated in empty chairs of open tables, then at new tables."""
    for table in range(len(floor.tables)):
        while 0 < len(floor.tables[table]) < floor.full and floor.waiting:
            following = _next(floor, floor.tables[table])
            floor = _seat(floor, table, (*floor.tables[table], following), following)
    while (opened := _open_tables(floor)) != floor:
        floor = opened
    return floor


def leave(floor: Floor, player: int) -> Floor:
    """Return the floor without a player who leaves; the queue fills the seat."""
    if player in floor.waiting:
        return replace(floor, waiting=tuple(p for p in floor.waiting if p != player))
    for table, seats in enumerate(floor.tables):
        if player in seats and floor.waiting:
            return _replace(floor, table, player, staying=set(seats) - {player})
        if player in seats:
            rested = replace(floor, in_a_row=_without(floor.in_a_row, player))
            return _with_table(rested, table, tuple(p for p in seats if p != player))
    raise SeatingError(f"Player {player} is not here.")


def _replace(floor: Floor, table: int, player: int, *, staying: Iterable[int]) -> Floor:
    """Return the floor with the next waiting player in the player's seat.

    The replaced player is then neither at a table nor in the queue.
    """
    following = _next(floor, staying)
    seats = tuple(following if p == player else p for p in floor.tables[table])
    seated = _seat(floor, table, seats, following)
    return replace(seated, in_a_row=_without(floor.in_a_row, player))


def _seat(floor: Floor, table: int, seats: tuple[int, ...], following: int) -> Floor:
    """Return the floor with these seats at the table, `following` taken out of the queue."""
    ahead = floor.waiting[: floor.waiting.index(following)]
    return replace(
        _with_table(floor, table, seats),
        waiting=tuple(p for p in floor.waiting if p != following),
        passed_over=_without(floor.passed_over + Counter(ahead), following),
    )


def _next(floor: Floor, staying: Iterable[int]) -> int:
    candidates = floor.waiting[: floor.look]
    overdue = [p for p in candidates if floor.passed_over[p] >= floor.patience]
    stay = list(staying)
    return min(
        overdue[:1] or candidates, key=lambda p: sum(floor.met[_pair(p, other)] for other in stay)
    )


def _open_tables(floor: Floor) -> Floor:
    """Return the floor with one empty table opened if `full` players wait."""
    for table, seats in enumerate(floor.tables):
        if not seats and len(floor.waiting) >= floor.full:
            opened = _with_table(floor, table, floor.waiting[: floor.full])
            return replace(opened, waiting=floor.waiting[floor.full :])
    return floor


def _with_table(floor: Floor, table: int, seats: tuple[int, ...]) -> Floor:
    return replace(floor, tables=(*floor.tables[:table], seats, *floor.tables[table + 1 :]))


def _pair(a: int, b: int) -> Pair:
    return (min(a, b), max(a, b))


def _without(counts: Counter[int], player: int) -> Counter[int]:
    return Counter({other: count for other, count in counts.items() if other != player})
