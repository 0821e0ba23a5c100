"""The value of a placing: exact points by place and table size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from engine.rules.texts import mark as _

from .errors import FieldError
from .exact import read_exact

SMALLEST, FULL, LARGEST_TABLE = 2, 4, 8
SIZES = range(SMALLEST, LARGEST_TABLE + 1)

Points = tuple[Fraction, ...]
MOST_PLACES = 100
BY_FINAL_PLACE: Points = tuple(map(Fraction, (10, 8, 6, 5, 4, 3, 2, 1)))


@dataclass(frozen=True, slots=True)
class PointsTable:
    """The points for every place, by table size.

    `row` has the points at a table of four, first place first. Other sizes are interpolated from
    it, unless `other_rows` has a row of that length. With `stake` the money result counts instead
    of the placing, and there is no row.
    """

    key: str
    row: Points = ()
    other_rows: tuple[Points, ...] = ()
    stake: bool = False

    def __post_init__(self) -> None:
        if self.stake:
            return
        _check_row(self.row, FULL, "points_table.row")
        lengths = [len(row) for row in self.other_rows]
        for length, row in zip(lengths, self.other_rows, strict=True):
            if length not in SIZES or length == FULL or lengths.count(length) > 1:
                raise FieldError("points_table.rows", _("must have one row for each table size."))
            _check_row(row, length, f"points_table.rows.{length}")

    def for_size(self, size: int) -> Points:
        """Return the points by place at a table of `size`, 2 to 8 seats, first place first."""
        return _row_for(self, size)

    def to_json(self) -> Any:
        """Return the key of a ready-made table, or an object with the rows as exact text."""
        if READY.get(self.key) == self:
            return self.key
        rows = {str(len(row)): [str(p) for p in row] for row in self.other_rows}
        return {"key": self.key, "row": [str(p) for p in self.row], "rows": rows}

    @classmethod
    def from_json(cls, value: Any) -> PointsTable:
        """Return the table of a ready-made key or of `{"row": [...], "rows": {"3": [...]}}`.

        Raises `FieldError` for an unknown key, a row of the wrong length, and points that rise from
        one place to the next.
        """
        if isinstance(value, str):
            return _ready(value)
        if not isinstance(value, Mapping):
            raise FieldError(
                "points_table",
                _("must be the name of a ready-made points table, or a row of points."),
            )
        for name in value:
            if name not in ("key", "row", "rows"):
                raise FieldError(f"points_table.{name}", _("is not a field of a points table."))
        key = value.get("key", "custom")
        is_name = isinstance(key, str) and 0 < len(key) <= 40 and key.isprintable()
        if not is_name or key in READY:
            raise FieldError(
                "points_table.key", _("must be a name of its own, up to 40 characters.")
            )
        row = _read_row(value.get("row", ()), "points_table.row")
        return cls(key, row, _read_rows(value.get("rows", {})))


def points_for(table: PointsTable, size: int, rank: int, tied: int = 1) -> Fraction:
    """Return the points of place `rank` at a table of `size` seats, shared by `tied` players.

    `rank` is the first of the shared places; tied players get their mean. Raises `ValueError` for a
    place that such a table cannot have and for a stake table.
    """
    return _points_for(table, size, rank, tied)


@lru_cache(maxsize=4096)
def _points_for(table: PointsTable, size: int, rank: int, tied: int) -> Fraction:
    if size not in SIZES:
        raise ValueError(f"a table has {SMALLEST} to {LARGEST_TABLE} seats, not {size}")
    if rank < 1 or tied < 1 or rank + tied - 1 > size:
        raise ValueError(f"place {rank} shared by {tied} does not fit a table of {size}")
    covered = table.for_size(size)[rank - 1 : rank - 1 + tied]
    return sum(covered, Fraction(0)) / tied


@lru_cache(maxsize=256)
def _row_for(table: PointsTable, size: int) -> Points:
    if table.stake:
        raise ValueError("a stake table counts money, not placings")
    for row in (table.row, *table.other_rows):
        if len(row) == size:
            return row
    return tuple(_between(table.row, Fraction(i * (FULL - 1), size - 1)) for i in range(size))


def _between(row: Points, at: Fraction) -> Fraction:
    """Return the row's value at a fractional place, interpolated linearly."""
    below = int(at)
    if below == len(row) - 1:
        return row[below]
    return row[below] + (at - below) * (row[below + 1] - row[below])


def _check_row(row: Points, length: int, field: str) -> None:
    if len(row) != length:
        raise FieldError(
            field,
            _("needs %(length)s values, one for each place; it has %(got)s."),
            length=length,
            got=len(row),
        )
    for place, (better, worse) in enumerate(pairwise(row), start=1):
        if worse > better:
            raise FieldError(
                field,
                _("place %(lower)s may not get more than place %(upper)s."),
                lower=place + 1,
                upper=place,
            )
    if row[0] == row[-1]:
        raise FieldError(field, _("must give first place more than last place."))


def _read_row(value: Any, field: str) -> Points:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise FieldError(field, _("must be a list of points, first place first."))
    return tuple(read_exact(p, f"{field}.{i}") for i, p in enumerate(value[:100], start=1))


def _read_rows(value: Any) -> tuple[Points, ...]:
    if not isinstance(value, Mapping):
        raise FieldError("points_table.rows", _("must hold a list of points for each table size."))
    rows = []
    for size in sorted(value, key=str):
        field = f"points_table.rows.{size}"
        if str(size) not in {str(s) for s in SIZES if s != FULL}:
            raise FieldError(field, _("is not a table size (2, 3, 5, 6, 7 or 8)."))
        row = _read_row(value[size], field)
        _check_row(row, int(size), field)
        rows.append(row)
    return tuple(rows)


def _ready(key: str) -> PointsTable:
    if key not in READY:
        raise FieldError(
            "points_table",
            _("“%(key)s” is not a points table. Choose one of: %(keys)s."),
            key=key[:40],
            keys=", ".join(READY),
        )
    return READY[key]


def read_place_points(value: Any) -> Points:
    """Return the points for a night's final places, first place first; raises `FieldError`."""
    field = "place_points"
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise FieldError(field, _("must be a list of points, first place first."))
    row = tuple(read_exact(p, field) for p in value[: MOST_PLACES + 1])
    if not row or len(row) > MOST_PLACES:
        raise FieldError(field, _("needs 1 to %(most)s values."), most=MOST_PLACES)
    if row[0] <= 0 or row[-1] < 0:
        raise FieldError(field, _("must be more than 0 for first place, and never below 0."))
    for place, (better, worse) in enumerate(pairwise(row), start=1):
        if worse > better:
            raise FieldError(
                field,
                _("place %(lower)s may not get more than place %(upper)s."),
                lower=place + 1,
                upper=place,
            )
    return row


def points_for_place(row: Points, rank: int, tied: int = 1) -> Fraction:
    """Return the points of a night's final place `rank`, shared by `tied` players.

    Tied players get the mean of the places they cover; a place beyond the row gives 0.
    """
    return sum(row[rank - 1 : rank - 1 + tied], Fraction(0)) / tied


def _table(key: str, *row: int | str) -> PointsTable:
    return PointsTable(key, tuple(Fraction(p) for p in row))


def _winner_only(size: int) -> Points:
    return (Fraction(1), *[Fraction(0)] * (size - 1))


STANDARD = _table("3-2-1-0", 3, 2, 1, 0)
# The share of opponents beaten, in percent: linear, so it is interpolated for every size.
PERCENTAGE = _table("percentage", 100, "200/3", "100/3", 0)
# Interpolation would pay second place at a table of five, so every size has its own row.
WINNER_TAKES_ALL = PointsTable(
    "winner_takes_all",
    _winner_only(FULL),
    tuple(_winner_only(size) for size in SIZES if size != FULL),
)
STAKE_RESULT = PointsTable("stake_result", stake=True)

READY: Mapping[str, PointsTable] = {
    table.key: table
    for table in (
        STANDARD,
        _table("4-3-2-1", 4, 3, 2, 1),
        _table("10-5-minus", 10, 5, -5, -10),
        _table("2-1-minus", 2, 1, -1, -2),
        WINNER_TAKES_ALL,
        STAKE_RESULT,
        PERCENTAGE,
    )
}

POINTS_NAMES: Mapping[str, str] = {
    "3-2-1-0": _("3 – 2 – 1 – 0"),
    "4-3-2-1": _("4 – 3 – 2 – 1"),
    "10-5-minus": _("10 / 5 / −5 / −10"),
    "2-1-minus": _("2 / 1 / −1 / −2"),
    "winner_takes_all": _("Winner takes all: 1 – 0 – 0 – 0"),
    "stake_result": _("Money result, in stakes"),
    "percentage": _("Percent of opponents beaten"),
}
"""What people call the ready-made tables, in the order in which they are offered."""
