"""The pace of a round: when each table entered its games, as bars over time."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Player
from league.nights.pages.night_tables import NightTable

LEFT, WIDTH, ROW, TABLES = 28.0, 470.0, 26.0, 12
STEPS = (5, 10, 15, 30, 60, 120)
MOST_TICKS, LONGEST = 6, datetime.timedelta(hours=12)


@dataclass(frozen=True)
class PaceBar:
    """A game at a table, from the one before to its entry; "open" or "late" runs on till now."""

    x: float
    width: float
    tone: str
    winner: Player | None = None

    @property
    def end(self) -> float:
        return self.x + self.width


@dataclass(frozen=True)
class PaceRow:
    """A table's bars, and the height of their middle."""

    table: NightTable
    y: float
    bars: list[PaceBar]


@dataclass(frozen=True)
class RoundPace:
    """The bars of the tables in order, with ticks of time and the moment it was drawn."""

    rows: list[PaceRow]
    ticks: list[tuple[float, datetime.datetime]]
    now_x: float
    now: datetime.datetime
    height: float

    @property
    def base(self) -> float:
        """Where the times stand."""
        return self.height + 16

    @property
    def right(self) -> float:
        """Where the time of now ends."""
        return self.now_x + 20


def pace_of(
    tables: Sequence[NightTable], began: datetime.datetime | None, now: datetime.datetime
) -> RoundPace | None:
    """Return the plot; None before the round's first game, after its last one, or for one table."""
    entered = [at for table in tables for at in table.times]
    if len(tables) < 2 or not entered or all(table.is_done for table in tables):
        return None
    start = min([*entered, began or now])
    if not datetime.timedelta(minutes=1) <= now - start <= LONGEST:
        return None
    scale = WIDTH / (now - start).total_seconds()

    def at(time: datetime.datetime) -> float:
        return round(LEFT + (time - start).total_seconds() * scale, 1)

    rows: list[PaceRow] = []
    for table in sorted(tables, key=lambda table: table.table_no)[:TABLES]:
        winners = [*table.winners, *[None] * (len(table.times) - len(table.winners))]
        bars, x = [], LEFT
        for time, winner in zip(table.times, winners, strict=False):
            bars.append(PaceBar(x, round(at(time) - x, 1), "done", winner))
            x = at(time)
        if not table.is_done:
            tone = "late" if table.is_late else "open"
            bars.append(PaceBar(x, round(LEFT + WIDTH - x, 1), tone))
        rows.append(PaceRow(table, ROW * (len(rows) + 0.5), bars))
    minutes = (now - start).total_seconds() / 60
    step = next((step for step in STEPS if minutes / step <= MOST_TICKS), STEPS[-1])
    marks = [start + datetime.timedelta(minutes=n) for n in range(0, int(minutes * 0.9) + 1, step)]
    return RoundPace(rows, [(at(mark), mark) for mark in marks], LEFT + WIDTH, now, ROW * len(rows))
