"""The format "Last one out": tables with a queue for the losers' seats.

The loser of a game goes to the end of the queue, and its head takes the seat. With the default
settings the queue is first in, first out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from league.seating.sizes import FULL, SeatingError
from league.seating.wishes import Pair

PATIENCE = 2


@dataclass(frozen=True)
class QueueNight:
    """An immutable state of a queue night: the tables in seat order and the queue, head first.

    `cap` is the number of games in a row after which a player leaves too. The next player is the
    one of the first `look` in the queue who has met the staying players least; nobody is passed
    over more than `PATIENCE` times. `wishes` are prices of a meeting: a player to keep apart from
    one who stays waits for another seat, and one wanted there may pass up to `PATIENCE` others. A
    table opens for at least `least` players and seats at most `full`.
    """

    tables: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...] = ()
    cap: int | None = None
    look: int = 1
    least: int = 3
    full: int = FULL
    in_a_row: Counter[int] = field(default_factory=Counter)
    passed_over: Counter[int] = field(default_factory=Counter)
    met: Counter[Pair] = field(default_factory=Counter)
    wishes: Mapping[Pair, int] = field(default_factory=dict)


def open_tables(
    players: Sequence[int],
    tables: int,
    *,
    cap: int | None = None,
    look: int = 1,
    least: int = 3,
    full: int = FULL,
) -> QueueNight:
    """Return a night with the first players at as many tables as they fill, and the rest waiting.

    As many players as possible play at tables of at least `least`: six at two tables of three,
    five at a table of four with one waiting. Fewer than `least` share one table.

    Raises SeatingError if there is no table, a setting is too small, or a player is named twice.
    """
    if tables < 1:
        raise SeatingError("The loser-leaves format needs at least 1 table.")
    if look < 1 or (cap is not None and cap < 1) or least < 2:
        raise SeatingError("The cap and the look-ahead are at least 1, a table at least 2.")
    if len(set(players)) != len(players):
        raise SeatingError("Every player can be named only once.")
    used = min(tables, -(-len(players) // full), max(1, len(players) // least))
    used = used if len(players) > 1 else 0
    seated = players[: used * full]
    groups = tuple(tuple(seated[table::used]) for table in range(used))
    empty: tuple[tuple[int, ...], ...] = ((),) * (tables - used)
    return QueueNight(groups + empty, tuple(players[used * full :]), cap, look, least, full)


def record_game(night: QueueNight, table: int, loser: int | None) -> QueueNight:
    """Return the night after a game at the table: the loser and the capped players leave.

    The loser leaves first, then the players who have reached the cap, and only while others wait.
    Nobody gets back the seat just given up. With None as the loser, nobody leaves for losing.
    """
    seats = night.tables[table]
    if loser is not None and loser not in seats:
        raise SeatingError(f"Player {loser} does not sit at table {table + 1}.")
    night = replace(
        night,
        in_a_row=night.in_a_row + Counter(seats),
        met=night.met + Counter(_pair(a, b) for a, b in combinations(seats, 2)),
    )
    tired = [p for p in seats if night.cap is not None and night.in_a_row[p] >= night.cap]
    tired.sort(key=lambda player: -night.in_a_row[player])
    leaving = [p for p in (loser, *tired) if p is not None]
    leaving = list(dict.fromkeys(leaving))[: len(night.waiting)]
    for player in leaving:
        night = _replace(night, table, player, staying=set(seats) - set(leaving))
    return replace(night, waiting=night.waiting + tuple(leaving))


def fill(night: QueueNight) -> QueueNight:
    """Return the night with the queue seated in empty chairs of open tables, then at new tables."""
    for table in range(len(night.tables)):
        while 0 < len(night.tables[table]) < night.full and night.waiting:
            following = _next(night, night.tables[table])
            night = _seat(night, table, (*night.tables[table], following), following)
    while (opened := _open_table(night)) != night:
        night = opened
    return night


def leave(night: QueueNight, player: int) -> QueueNight:
    """Return the night without a player who leaves; the queue fills the seat."""
    if player in night.waiting:
        return replace(night, waiting=tuple(p for p in night.waiting if p != player))
    for table, seats in enumerate(night.tables):
        if player in seats and night.waiting:
            return _replace(night, table, player, staying=set(seats) - {player})
        if player in seats:
            rested = replace(night, in_a_row=_without(night.in_a_row, player))
            return _with_table(rested, table, tuple(p for p in seats if p != player))
    raise SeatingError(f"Player {player} is not here.")


def _replace(night: QueueNight, table: int, player: int, *, staying: Iterable[int]) -> QueueNight:
    """Return the night with the next waiting player in the player's seat.

    The replaced player is then neither at a table nor in the queue.
    """
    following = _next(night, staying)
    seats = tuple(following if p == player else p for p in night.tables[table])
    seated = _seat(night, table, seats, following)
    return replace(seated, in_a_row=_without(night.in_a_row, player))


def _seat(night: QueueNight, table: int, seats: tuple[int, ...], following: int) -> QueueNight:
    """Return the night with these seats at the table, `following` taken out of the queue."""
    ahead = night.waiting[: night.waiting.index(following)]
    return replace(
        _with_table(night, table, seats),
        waiting=tuple(p for p in night.waiting if p != following),
        passed_over=_without(night.passed_over + Counter(ahead), following),
    )


def _next(night: QueueNight, staying: Iterable[int]) -> int:
    stay = list(staying)
    price = {p: sum(night.wishes.get(_pair(p, other), 0) for other in stay) for p in night.waiting}
    least = min(max(0, price[p]) for p in night.waiting)
    fitting = [p for p in night.waiting if price[p] <= least]
    candidates = fitting[: night.look]
    overdue = [p for p in candidates if night.passed_over[p] >= PATIENCE]
    candidates += [p for p in fitting[night.look : PATIENCE + 1] if price[p] < 0]
    return min(
        overdue[:1] or candidates,
        key=lambda p: (price[p], sum(night.met[_pair(p, other)] for other in stay)),
    )


def _open_table(night: QueueNight) -> QueueNight:
    """Return the night with one empty table opened if `full` players wait."""
    for table, seats in enumerate(night.tables):
        if not seats and len(night.waiting) >= night.full:
            opened = _with_table(night, table, night.waiting[: night.full])
            return replace(opened, waiting=night.waiting[night.full :])
    return night


def _with_table(night: QueueNight, table: int, seats: tuple[int, ...]) -> QueueNight:
    return replace(night, tables=(*night.tables[:table], seats, *night.tables[table + 1 :]))


def _pair(a: int, b: int) -> Pair:
    return (min(a, b), max(a, b))


def _without(counts: Counter[int], player: int) -> Counter[int]:
    return Counter({other: count for other, count in counts.items() if other != player})
