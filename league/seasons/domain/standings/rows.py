"""One entrant's row of the standings, with the terms of every number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from league.base.domain.keys import Key
from league.seasons.domain.scoring import Scoring

from .facts import AdjustmentFact
from .nights import Finish, Line, NightPart


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """An entrant's place in the standings.

    `rank` starts at 1; tied entrants share a rank (`shared`), and entrants with too few games have
    None. `separated_by` is the tie-break key that puts the row below the previous one, None for the
    first row and for a row tied with the previous one. `values` holds the compared tie-break
    values. `points` is the exact sum of the lines of `explain`.

    The other numbers cover all games played, in counted nights or not: `games`, `counts` (number by
    rank, of games or with `table_ranking` of tables), `lasts`, `average_place` (the mean for shared
    places), `beaten` (mean share of opponents beaten, 0 to 1), `money` in minor units.
    """

    entrant: Key
    rank: int | None = None
    shared: bool = False
    points: Fraction
    nights: tuple[NightPart, ...]
    adjustments: tuple[AdjustmentFact, ...]
    money: int = 0
    separated_by: str | None = None
    values: Mapping[str, Fraction] = field(default_factory=dict)

    # Computed once per row, because every tie-break reads them.
    games: int
    counts: Mapping[int, int]
    lasts: int
    average_place: Fraction | None
    beaten: Fraction | None

    @property
    def firsts(self) -> int:
        return self.counts.get(1, 0)

    @property
    def seconds(self) -> int:
        return self.counts.get(2, 0)

    @property
    def explain(self) -> list[Line]:
        """The lines whose totals sum exactly to `points`, in the order of the nights."""
        lines: list[Line] = []
        for night in self.nights:
            zero, games = Fraction(0), night.games
            dropped = Line("dropped", zero, night.points, zero, night.event, games=games)
            lines += night.lines if night.counted else [dropped]
        return lines + [
            Line("adjustment", Fraction(1), a.points, a.points, a.event, reason=a.reason)
            for a in self.adjustments
        ]


def make_row(
    entrant: Key,
    nights: Sequence[NightPart],
    adjustments: Sequence[AdjustmentFact],
    scoring: Scoring,
    nights_held: int,
) -> StandingsRow:
    """Return the entrant's row without its rank.

    `nights_held` is the number of events played.
    """
    chosen = _choose(nights, most_nights(scoring, nights_held))
    points = [night.points for night in chosen if night.counted]
    points += [adjustment.points for adjustment in adjustments]
    times = _times(nights)
    return StandingsRow(
        entrant=entrant,
        points=points[0] if len(points) == 1 else sum(points, Fraction(0)),
        nights=chosen,
        adjustments=tuple(adjustments),
        money=sum(night.money for night in nights),
        games=sum(night.games for night in nights),
        counts=_counts(times),
        lasts=sum(n for place, n in times.items() if place.rank + place.tied - 1 == place.size),
        average_place=_average_place(times),
        beaten=_average_beaten(times),
    )


def most_nights(scoring: Scoring, held: int) -> int:
    """Return how many of a player's nights count once `held` nights are played."""
    most = max(1, held - scoring.drop_worst)
    return most if scoring.best_of is None else min(most, scoring.best_of)


def _choose(nights: Sequence[NightPart], most: int) -> tuple[NightPart, ...]:
    """Return the nights with the best `most` marked as counted; of equal ones the earlier count."""
    if len(nights) <= most:
        return tuple(nights)
    best = set(sorted(range(len(nights)), key=lambda i: -nights[i].points)[:most])
    return tuple(
        night if i in best else replace(night, counted=False) for i, night in enumerate(nights)
    )


def _times(nights: Sequence[NightPart]) -> dict[Finish, int]:
    times: dict[Finish, int] = {}
    for night in nights:
        for counted in night.played:
            times[counted.placing] = times.get(counted.placing, 0) + counted.times
    return times


def _counts(times: Mapping[Finish, int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for placing in sorted(times):
        counts[placing.rank] = counts.get(placing.rank, 0) + times[placing]
    return dict(sorted(counts.items()))


def _average_place(times: Mapping[Finish, int]) -> Fraction | None:
    """Return the mean place; a shared place counts as the mean of the places it covers."""
    doubled = sum((2 * p.rank + p.tied - 1) * n for p, n in times.items())
    total = sum(times.values())
    return Fraction(doubled, 2 * total) if total else None


def _average_beaten(times: Mapping[Finish, int]) -> Fraction | None:
    """Return the mean share of the opponents at a table who finished behind; ties count half."""
    doubled: dict[int, int] = {}
    for placing, n in times.items():
        behind = 2 * placing.size - 2 * placing.rank - placing.tied + 1
        doubled[placing.size] = doubled.get(placing.size, 0) + behind * n
    total = sum(times.values())
    if not total:
        return None
    parts = [Fraction(behind, 2 * (size - 1) * total) for size, behind in doubled.items()]
    return parts[0] if len(parts) == 1 else sum(parts, Fraction(0))


def with_rank(
    row: StandingsRow, rank: int | None, shared: bool = False, *, first: bool = False
) -> StandingsRow:
    """Return the row with its rank; of tied rows only the `first` keeps its `separated_by`."""
    separated_by = row.separated_by if first else None
    return replace(row, rank=rank, shared=shared, separated_by=separated_by)
