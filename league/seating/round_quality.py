"""The quality of one more round, given the rounds before it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.seating.bounds import has_fewer, round_bound
from league.seating.neighbours import relations
from league.seating.quality import (
    Measured,
    gap,
    make_wishes,
    meetings,
    seat_spread,
    short_seats,
)
from league.seating.sizes import SeatedRound
from league.seating.wishes import ordered_pairs


@dataclass(frozen=True, kw_only=True)
class RoundQuality(Measured):
    """The measures of one round, lower is better; `bound` is a lower bound of `repeats`.

    `repeats` counts this round's pairs that met before, `max_meetings` the meetings of its most
    familiar pair, this one included, `neighbour_repeats` the pairs that again sit side by side in
    the same order. `seat_spread` is the widest gap between the chairs of a seated player,
    `short_spread` the gap in short tables between players, both after this round. `score_range`
    is the mean gap between the best and the worst score at a table, None without scores.
    """

    short_spread: int
    byes: list[int]
    together_missed: int
    score_range: float | None


def round_quality(
    history: Sequence[SeatedRound],
    tables: SeatedRound,
    *,
    present: Iterable[int] = (),
    scores: Mapping[int, float] | None = None,
    apart: Iterable[Sequence[int]] = (),
    united: Iterable[Sequence[int]] = (),
    clubs: Mapping[int, int | None] | None = None,
    method: str = "measured",
    seconds: float = 0.0,
) -> RoundQuality:
    """Return the quality of any round after these earlier ones.

    Comparing the values before and after a manual change gives its cost. `present` are all players
    present, by default those at the tables; one without a chair has a bye. `united` are pairs that
    asked for one table.
    """
    wishes = make_wishes(apart, clubs or {}, united)
    seated = {player for table in tables for player in table}
    everybody = sorted(seated | set(present))
    met, now = meetings(history), meetings([tables])
    whole = [*history, tables]
    gone = {p for earlier in whole for table in earlier for p in table} - seated
    short = short_seats(whole)
    known = Counter(r for earlier in history for table in earlier for r in relations(table))
    repeats = sum(met[pair] > 0 for pair in now)
    bound = max(
        _bound(history, tables, everybody),
        sum(met[pair] > 0 for pair in wishes.together & now.keys()),
    )
    return RoundQuality(
        repeats=repeats,
        bound=repeats if bound < repeats and _is_least(met, tables, repeats) else bound,
        max_meetings=max((met[pair] + 1 for pair in now), default=0),
        seat_spread=seat_spread(whole, gone),
        short_spread=gap([short[player] for player in everybody] or [0]),
        byes=[player for player in everybody if player not in seated],
        apart_violations=sum(now[pair] for pair in wishes.apart),
        together_missed=sum(not now[pair] for pair in wishes.together),
        club_meetings=sum(now[pair] for pair in ordered_pairs(wishes.club_mates())),
        neighbour_repeats=sum(
            relation[2] != "across" and known[relation] > 0
            for table in tables
            for relation in relations(table)
        ),
        score_range=_score_range(tables, scores),
        method=method,
        seconds=seconds,
    )


def _bound(history: Sequence[SeatedRound], tables: SeatedRound, everybody: Sequence[int]) -> int:
    here = set(everybody)
    met: dict[int, set[int]] = {player: {player} for player in everybody}
    earlier = [[[p for p in table if p in here] for table in played] for played in history]
    for table in (table for played in earlier for table in played):
        for player in table:
            met[player].update(table)
    unmet = [len(here) - len(met[player]) for player in everybody]
    return round_bound(unmet, [len(table) for table in tables], earlier)


def _is_least(met: Counter[tuple[int, int]], tables: SeatedRound, repeats: int) -> bool:
    """Return whether no round of those seated is known to repeat less, by trying small ones."""
    keys = sorted(player for table in tables for player in table)
    known = [{other for other, b in enumerate(keys) if met[min(a, b), max(a, b)]} for a in keys]
    return has_fewer(known, [len(table) for table in tables], repeats) is False


def _score_range(tables: SeatedRound, scores: Mapping[int, float] | None) -> float | None:
    if not scores or not tables:
        return None
    ranges = [gap([scores.get(player, 0) for player in table]) for table in tables]
    return round(sum(ranges) / len(ranges), 3)
