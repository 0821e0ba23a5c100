"""Charts of a bot tournament's page: who comes before whom, and how the shares settle."""

import math
from dataclasses import dataclass

from django.utils.formats import number_format

from engine.statistics import Moments
from league.arena.pages.bot_faces import bot_face
from tables.base.faces import Face, faces
from tables.numbers import rounded

WIDE, NARROW = (560, 230, 118), (332, 220, 28)
"""Width, height and the room for labels of the chart on a laptop and on a phone."""
LEFT, TOP, BOTTOM = 30.0, 8.0, 22.0
APART = 18.0
"""The least distance between two labels."""


@dataclass(frozen=True)
class HeatCell:
    """How often the row's bot comes before the column's: percent and the class of its colour."""

    percent: int
    tone: str


@dataclass(frozen=True)
class HeatRow:
    name: str
    face: str
    cells: list[HeatCell | None]


def heat_rows(names: list[str], order: list[int], ahead: list[list[int]]) -> list[HeatRow]:
    """Return the rows of all pairs in this order; none if no two bots met."""
    if not any(map(any, ahead)):
        return []
    return [
        HeatRow(
            names[one],
            bot_face(names[one]),
            [None if one == other else _cell(ahead, one, other) for other in order],
        )
        for one in order
    ]


def _cell(ahead: list[list[int]], one: int, other: int) -> HeatCell:
    met = ahead[one][other] + ahead[other][one]
    percent = 100 * ahead[one][other] / met if met else 50.0
    depth = min(4, int(abs(percent - 50) / 7))
    return HeatCell(round(percent), f"{'more' if percent > 50 else 'less'}-{depth}")


@dataclass(frozen=True)
class Curve:
    """A bot's share of firsts over deals: the line, the band around it, and its label."""

    name: str
    face: Face
    points: str
    band: str
    label_y: float


@dataclass(frozen=True)
class Convergence:
    """All curves; the axes are (place, text), `even` is the place of the dashed line.

    The plot ends at `right`; a chart for a phone has no names beside its faces.
    """

    width: int
    height: int
    right: int
    curves: list[Curve]
    across: list[tuple[float, str]]
    up: list[tuple[float, str]]
    even: float
    says: str


def convergence(
    names: list[str], points: list[Moments], unit: float, even: float
) -> list[Convergence]:
    """Return the curves of the percentages of firsts, wide and narrow; none for few points."""
    shapes = (WIDE, NARROW) if len(points) >= 3 else ()
    return [_chart(names, points, unit, even, *shape) for shape in shapes]


def _chart(
    names: list[str],
    points: list[Moments],
    unit: float,
    even: float,
    width: int,
    height: int,
    labels: int,
) -> Convergence:
    means = [[point.mean(bot, unit) for point in points] for bot in range(len(names))]
    most = min(100.0, max(one.mean + min(one.margin, 12) for row in means for one in row))
    first, last = math.log(points[0].deals), math.log(points[-1].deals)

    def x(deals: int) -> float:
        wide = width - LEFT - labels
        return round(LEFT + wide * (math.log(deals) - first) / ((last - first) or 1), 1)

    def y(share: float) -> float:
        share = min(max(share, 0.0), most)
        return round(TOP + (height - TOP - BOTTOM) * (most - share) / (most or 1), 1)

    curves, taken = [], -APART
    for bot in sorted(range(len(names)), key=lambda bot: -means[bot][-1].mean):
        taken = max(y(means[bot][-1].mean), taken + APART)
        row = list(zip((x(point.deals) for point in points), means[bot], strict=True))
        above = [f"{at},{y(one.mean + one.margin)}" for at, one in row]
        below = [f"{at},{y(one.mean - one.margin)}" for at, one in reversed(row)]
        line = " ".join(f"{at},{y(one.mean)}" for at, one in row)
        [face] = faces([names[bot]])
        curves.append(Curve(names[bot], face, line, " ".join([*above, *below]), taken))
    ends = (f"{names[bot]}: {rounded(row[-1].mean, 1)}%" for bot, row in enumerate(means))
    deals = sorted({points[0].deals, *_round_deals(points), points[-1].deals})
    steps = range(0, int(most) + 1, 10 if most > 25 else 5)
    across = [(x(one), number_format(one, force_grouping=True)) for one in deals]
    return Convergence(
        width, height, width - labels, curves, across,
        [(y(step), str(step)) for step in steps], y(even), ", ".join(ends),
    )  # fmt: skip


def _round_deals(points: list[Moments]) -> list[int]:
    """Return the tens, hundreds and so on well between the ends of the axis."""
    low, high = points[0].deals * 2, points[-1].deals / 2
    return [10**power for power in range(1, 7) if low <= 10**power <= high]
