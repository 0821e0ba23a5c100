"""The pictures of a player's page: the last places, a value over the nights, whom one beats."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from league.models import Event, StrengthPoint
from league.seasons.domain.streaks import StreakGame

WIDTH, LEFT = 320.0, 30.0
FORM_ROW, FORM_TOP = 20.0, 10.0
HEIGHT, TOP, BOTTOM, VALUES_LEFT, RIGHT = 170.0, 12.0, 26.0, 62.0, 16.0
LEVELS = 4
MIDDLE = 83.0
SMALLEST, LARGEST = 7.0, 14.0
CHOP_ROW, MOST_CHOPS, CHOP_BAR, CHOP_EDGE = 26.0, 8, 112.0, (140.0, 180.0)
ROWS_TRIED = (0, 24, -24, 48, -48, 70, -70, 12, -12, 36, -36, 60, -60)


@dataclass(frozen=True)
class Dot:
    """A game: its place as 1, 2, 3, "last" or "other", and where the dot stands."""

    x: float
    y: float
    rank: int
    place: str


@dataclass(frozen=True)
class Form:
    """The last games, the newest on the right."""

    dots: list[Dot]
    height: float


def form(games: Sequence[StreakGame]) -> Form:
    """Return the dots of these games, the first place on top."""
    rows = max((game.size for game in games), default=4)
    step = (WIDTH - LEFT) / max(len(games), 12)
    dots = [
        Dot(
            round(LEFT + (i + 0.5) * step, 1),
            FORM_TOP + (game.rank - 1 + (game.tied - 1) / 2) * FORM_ROW,
            game.rank,
            _place(game),
        )
        for i, game in enumerate(games)
    ]
    return Form(dots, FORM_TOP * 2 + (rows - 1) * FORM_ROW)


def _place(game: StreakGame) -> str:
    if game.is_last and not game.is_first:
        return "last"
    return str(game.rank) if game.rank <= 3 else "other"


@dataclass(frozen=True)
class Trend:
    """A value over nights: SVG points of its line and area, lines of round values, and the end."""

    line: str
    area: str
    levels: list[tuple[float, float]]
    nights: list[tuple[float, Event]]
    x: float
    y: float
    falls: bool


def trend(
    nights: Sequence[Event], values: Sequence[float], margins: Sequence[float] = ()
) -> Trend | None:
    """Return the line of the values; the area is the band of the margins, else reaches to zero."""
    if len(nights) < 2:
        return None
    halves = margins or [0.0] * len(values)
    ends = [(v - half, v + half) for v, half in zip(values, halves, strict=True)]
    low, high = min(a for a, _b in ends), max(b for _a, b in ends)
    if not margins:
        low, high = min(low, 0.0), max(high, 0.0)
    high = high if high > low else low + 1
    step = (WIDTH - VALUES_LEFT - RIGHT) / (len(nights) - 1)
    xs = [round(VALUES_LEFT + i * step, 1) for i in range(len(nights))]

    def at(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    line = [f"{x},{at(value)}" for x, value in zip(xs, values, strict=True)]
    if margins:
        above = [f"{x},{at(b)}" for x, (_a, b) in zip(xs, ends, strict=True)]
        below = [f"{x},{at(a)}" for x, (a, _b) in zip(xs, ends, strict=True)]
        area = [*above, *reversed(below)]
    else:
        area = [f"{xs[0]},{at(0)}", *line, f"{xs[-1]},{at(0)}"]
    levels = [(at(value), value) for value in _round_values(low, high)]
    dated = [0, len(nights) // 2, len(nights) - 1] if len(nights) > 4 else [0, -1]
    return Trend(
        " ".join(line),
        " ".join(area),
        levels,
        [(xs[i], nights[i]) for i in dated],
        xs[-1],
        at(values[-1]),
        values[-1] < 0,
    )


def rating_trend(curve: Sequence[StrengthPoint]) -> Trend | None:
    """Return the line of the ratings that have enough games to be shown, with their band."""
    points = [point for point in curve if not point.is_early]
    return trend(
        [point.event for point in points],
        [point.mu for point in points],
        [point.margin for point in points],
    )


def _round_values(low: float, high: float) -> list[float]:
    """Return up to five round values from low to high."""
    rough = (high - low) / LEVELS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
    return [round(i * step, 6) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


Met = TypeVar("Met")


@dataclass(frozen=True)
class MetFace(Generic[Met]):
    """An opponent's face: where it stands and how large it is."""

    opponent: Met
    x: float
    y: float
    radius: float


def meetings(met: Sequence[tuple[Met, int, int]]) -> list[MetFace[Met]]:
    """Return the faces of opponents, each given with the games and the percentage finished ahead.

    Whom one beats stands on the right; whom one meets often is large.
    """
    placed: list[MetFace[Met]] = []
    for opponent, games, share in sorted(met, key=lambda one: one[2]):
        radius = min(SMALLEST + games / 4, LARGEST)
        x = radius + 2 + (WIDTH - 2 * radius - 4) * share / 100
        tries = [MIDDLE + by for by in ROWS_TRIED]
        free = (y for y in tries if all(_apart(x, y, radius, other) for other in placed))
        placed.append(MetFace(opponent, round(x, 1), next(free, tries[0]), radius))
    return placed


def _apart(x: float, y: float, radius: float, other: MetFace[Met]) -> bool:
    return math.hypot(x - other.x, y - other.y) > radius + other.radius + 2


@dataclass(frozen=True)
class ChopBar(Generic[Met]):
    """An opponent's row: how long the bars are of chops suffered, `lost`, and made, `won`."""

    opponent: Met
    y: float
    lost: float
    won: float

    @property
    def text_y(self) -> float:
        return self.y + 4

    @property
    def lost_x(self) -> float:
        return CHOP_EDGE[0] - self.lost - 6

    @property
    def won_x(self) -> float:
        return CHOP_EDGE[1] + self.won + 6


def chops(met: Sequence[tuple[Met, int, int]]) -> list[ChopBar[Met]]:
    """Return the bars of opponents, each given with the chops made and suffered; the most first."""
    counted = sorted((one for one in met if one[1] + one[2]), key=lambda one: -one[1] - one[2])
    unit = CHOP_BAR / max((max(one[1:]) for one in counted), default=1)
    return [
        ChopBar(opponent, (at + 0.5) * CHOP_ROW, round(lost * unit, 1), round(won * unit, 1))
        for at, (opponent, won, lost) in enumerate(counted[:MOST_CHOPS])
    ]
