"""The quality of a schedule, measured on the finished tables only."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, TypeVar

from league.seating.bounds import lower_bound
from league.seating.neighbours import neighbour_repeats
from league.seating.sizes import FULL, SeatedRound, pairs
from league.seating.wishes import Wishes, ordered_pairs

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The measures that a round and a schedule have alike; `seconds` is not compared."""

    repeats: int
    bound: int
    max_meetings: int
    seat_spread: int
    apart_violations: int
    club_meetings: int
    neighbour_repeats: int
    method: str = "measured"
    seconds: float = field(default=0.0, compare=False)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Quality(Measured):
    """The measures of a schedule, lower is better; `bound` is a lower bound of `repeats`.

    A pair that meets c times counts c - 1 repeats. A short table is smaller than the largest of
    its round. `seat_spread` is the widest gap between a player's most and least used chair at
    tables of one size.
    """

    short_tables: dict[int, int]
    byes: dict[int, int]
    dealer_spread: int

    @property
    def short_spread(self) -> int:
        return gap(self.short_tables.values() or [0])

    def as_dict(self) -> dict[str, Any]:
        return {**super().as_dict(), "short_spread": self.short_spread}


def quality(
    rounds: Sequence[SeatedRound],
    *,
    apart: Iterable[Sequence[int]] = (),
    clubs: Sequence[int | None] | Mapping[int, int | None] = (),
    size: int = FULL,
    dealers: Sequence[Sequence[int]] | None = None,
    players: Iterable[int] | None = None,
    method: str = "measured",
    seconds: float = 0.0,
) -> Quality:
    """Return the quality of any rounds whose tables are in seat order.

    `players` are all players of the event, by default all who sit somewhere; one who is missing
    from a round has a bye. Without `dealers`, the first seat of each table is assumed to deal
    first.
    """
    wishes = make_wishes(apart, clubs)
    seated = Counter(player for tables in rounds for table in tables for player in table)
    everybody = sorted(seated.keys() | set(players or ()))
    met, short = meetings(rounds), short_seats(rounds)
    first_seats = (table[0] for tables in rounds for table in tables)
    dealt = (
        Counter(player for row in dealers for player in row) if dealers else Counter(first_seats)
    )
    return Quality(
        repeats=sum(count - 1 for count in met.values()),
        bound=_bound(rounds, everybody, [pair for pair in wishes.apart if not met[pair]], size),
        max_meetings=max(met.values(), default=0),
        seat_spread=seat_spread(rounds),
        short_tables={player: short[player] for player in everybody},
        byes={player: len(rounds) - seated[player] for player in everybody},
        apart_violations=sum(met[pair] for pair in wishes.apart),
        club_meetings=sum(met[pair] for pair in ordered_pairs(wishes.club_mates())),
        neighbour_repeats=neighbour_repeats(rounds),
        dealer_spread=gap([dealt[player] for player in everybody] or [0]),
        method=method,
        seconds=seconds,
    )


def make_wishes(
    apart: Iterable[Sequence[int]],
    clubs: Sequence[int | None] | Mapping[int, int | None],
    together: Iterable[Sequence[int]] = (),
) -> Wishes:
    """Return the wishes in one form; `clubs` is a list or a mapping, None means no club."""
    named = clubs.items() if isinstance(clubs, Mapping) else enumerate(clubs)
    return Wishes(
        ordered_pairs(apart),
        {player: club for player, club in named if club is not None},
        ordered_pairs(together),
    )


def meetings(rounds: Iterable[SeatedRound]) -> Counter[tuple[int, int]]:
    return Counter(
        (min(a, b), max(a, b))
        for tables in rounds
        for table in tables
        for a, b in combinations(table, 2)
    )


def short_seats(rounds: Iterable[SeatedRound]) -> Counter[int]:
    """Return each player's number of short tables, smaller than the largest of their round."""
    return Counter(
        player
        for tables in rounds
        for table in tables
        if len(table) < max(map(len, tables))
        for player in table
    )


def seat_spread(rounds: Iterable[SeatedRound], gone: Collection[int] = ()) -> int:
    """Return the widest gap between a chair's uses by one player, without those `gone`."""
    used: dict[tuple[int, int], list[int]] = {}
    for table in (table for tables in rounds for table in tables):
        for chair, player in enumerate(table):
            used.setdefault((player, len(table)), [0] * len(table))[chair] += 1
    return max((gap(row) for (player, _), row in used.items() if player not in gone), default=0)


def _bound(
    rounds: Sequence[SeatedRound],
    everybody: Sequence[int],
    apart: Collection[tuple[int, int]],
    size: int,
) -> int:
    attendance = {sum(map(len, tables)) for tables in rounds}
    if attendance == {len(everybody)}:
        return lower_bound(len(everybody), len(rounds), apart=apart, size=size)
    played = sum(pairs(len(table)) for tables in rounds for table in tables)
    return max(0, played - pairs(len(everybody)) + len(apart))


def gap(counts: Iterable[Number]) -> Number:
    """Return the largest value minus the smallest; `counts` must not be empty."""
    values = list(counts)
    return max(values) - min(values)
