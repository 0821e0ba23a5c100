"""The chances by step as lines: the expected place of every seat, all hands being known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tables.base.faces import Face

LEFT, RIGHT, TOP, BOTTOM = 22.0, 304.0, 14.0, 170.0


@dataclass(frozen=True)
class ChanceLine:
    """A seat's line; it ends at `y` beside its face."""

    name: str
    face: Face
    points: str
    y: float
    mine: bool


@dataclass(frozen=True)
class ChanceMark:
    """A mark on a line: of a mistake by its word, or of a turning point by its number."""

    x: float
    y: float
    kind: str
    number: int = 0


@dataclass(frozen=True)
class TrickBand:
    """A trick's part of the chart; every other one is shaded."""

    number: int
    x: float
    width: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True)
class ChanceRow:
    """A line of the table behind the chart: the expected places after a trick."""

    number: int
    places: list[float]


@dataclass(frozen=True)
class Chances:
    """The chart of a game; `now` is where the shown step stands."""

    lines: list[ChanceLine]
    levels: list[tuple[float, int]]
    bands: list[TrickBand]
    marks: list[ChanceMark]
    rows: list[ChanceRow]
    now: float


def chances(
    values: Sequence[Sequence[float]],
    names: Sequence[str],
    faces: Sequence[Face],
    tricks: Sequence[int],
    *,
    mine: int | None,
    step: int,
    words: Mapping[int, str],
    turns: Sequence[tuple[int, int]],
) -> Chances:
    """Return the chart of these values by step, in opponents beaten.

    `tricks` are the steps at which tricks began, `words` those of my decisions by step, `turns` the
    step and the seat of each turning point.
    """
    players, last = len(names), max(len(values) - 1, 1)

    def x(at: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * min(at, last) / last, 1)

    def y(value: float) -> float:
        return round(TOP + (BOTTOM - TOP) * (players - 1 - value) / (players - 1), 1)

    lines = [
        ChanceLine(
            name,
            faces[seat],
            " ".join(f"{x(at)},{y(row[seat])}" for at, row in enumerate(values)),
            y(
                players
                - 1
                - sorted((-values[-1][no], no) for no in range(players)).index(
                    (-values[-1][seat], seat)
                )
            ),
            seat == mine,
        )
        for seat, name in enumerate(names)
    ]
    ends = [*tricks[1:], last]
    marks = [
        ChanceMark(x(at), y(values[at][mine]), word)
        for at, word in words.items()
        if mine is not None and word in ("mistake", "blunder")
    ]
    marks += [
        ChanceMark(x(at + 1), y(values[at + 1][seat]), "turn", number)
        for number, (at, seat) in enumerate(turns, start=1)
    ]
    return Chances(
        sorted(lines, key=lambda line: line.mine),
        [(y(players - place), place) for place in range(1, players + 1)],
        [
            TrickBand(number, x(begin), round(x(end) - x(begin), 1))
            for number, (begin, end) in enumerate(zip(tricks, ends, strict=True), start=1)
        ],
        marks,
        [
            ChanceRow(number, [players - value for value in values[min(end, last)]])
            for number, end in enumerate([0, *ends])
        ],
        x(step),
    )


def turning_points(
    values: Sequence[Sequence[float]], mine: int | None, most: int = 3
) -> list[tuple[int, int, float, float]]:
    """Return the steps that changed most: step, seat, value before and after; the largest first.

    For a player it is the own line, for a stranger whose changed most.
    """
    seats = range(len(values[0])) if values and mine is None else [mine] if mine is not None else []
    found = [
        (abs(after[seat] - before[seat]), at, seat, before[seat], after[seat])
        for at, (before, after) in enumerate(pairwise(values))
        for seat in seats
    ]
    best = sorted(found, key=lambda one: (-one[0], one[1]))
    steps: dict[int, tuple[int, int, float, float]] = {}
    for _by, at, seat, before, after in best:
        steps.setdefault(at, (at, seat, before, after))
    return list(steps.values())[:most]
