from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.seasons.domain.scoring import (
    READY,
    STAKE_RESULT,
    STANDARD,
    WINNER_TAKES_ALL,
    FieldError,
    PointsTable,
    points_for,
    points_for_place,
)

PLACING_TABLES = [table for table in READY.values() if not table.stake]


def sheet(key: str, size: int) -> list[str]:
    return [str(points_for(READY[key], size, rank)) for rank in range(1, size + 1)]


def test_a_table_of_four_is_worth_the_row():
    assert sheet("3-2-1-0", 4) == ["3", "2", "1", "0"]
    assert sheet("4-3-2-1", 4) == ["4", "3", "2", "1"]
    assert sheet("10-5-minus", 4) == ["10", "5", "-5", "-10"]
    assert sheet("2-1-minus", 4) == ["2", "1", "-1", "-2"]
    assert sheet("winner_takes_all", 4) == ["1", "0", "0", "0"]
    assert sheet("percentage", 4) == ["100", "200/3", "100/3", "0"]


def test_small_tables_lie_between_first_and_last():
    assert sheet("3-2-1-0", 3) == ["3", "3/2", "0"]
    assert sheet("3-2-1-0", 2) == ["3", "0"]
    assert sheet("4-3-2-1", 3) == ["4", "5/2", "1"]
    assert sheet("2-1-minus", 3) == ["2", "0", "-2"]
    assert sheet("10-5-minus", 2) == ["10", "-10"]
    assert sheet("percentage", 3) == ["100", "50", "0"]


def test_large_tables_spread_the_row_over_more_places():
    assert sheet("3-2-1-0", 7) == ["3", "5/2", "2", "3/2", "1", "1/2", "0"]
    assert sheet("percentage", 5) == ["100", "75", "50", "25", "0"]


def test_interpolation_keeps_the_shape_of_a_crooked_row():
    table = PointsTable.from_json({"row": [6, 3, 1, 0]})
    assert [points_for(table, 7, rank) for rank in range(1, 8)] == [
        6, Fraction(9, 2), 3, 2, 1, Fraction(1, 2), 0,
    ]  # fmt: skip


def test_only_the_winner_gets_anything_when_the_winner_takes_all():
    assert [sheet("winner_takes_all", size).count("0") for size in range(2, 9)] == [
        1, 2, 3, 4, 5, 6, 7,
    ]  # fmt: skip


def test_a_row_of_its_own_replaces_the_interpolation():
    table = PointsTable.from_json({"row": ["5", "3", "1", "0"], "rows": {"3": ["4", "2", "0"]}})
    assert [points_for(table, 3, rank) for rank in (1, 2, 3)] == [4, 2, 0]
    assert [points_for(table, 2, rank) for rank in (1, 2)] == [5, 0]


def test_shared_places_get_the_mean_of_the_places_they_cover():
    assert points_for(STANDARD, 4, 1, tied=2) == Fraction(5, 2)
    assert points_for(STANDARD, 4, 2, tied=3) == 1
    assert points_for(READY["4-3-2-1"], 4, 2, tied=2) == Fraction(5, 2)
    assert points_for(WINNER_TAKES_ALL, 4, 1, tied=3) == Fraction(1, 3)


@st.composite
def finishes(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """A table's size and its placings as (rank, tied), however many share them."""
    size = draw(st.integers(2, 8))
    placings, rank = [], 1
    while rank <= size:
        tied = draw(st.integers(1, size - rank + 1))
        placings += [(rank, tied)] * tied
        rank += tied
    return size, placings


@given(st.sampled_from(PLACING_TABLES), finishes())
def test_a_table_always_gives_out_the_same_points(table, finish):
    size, placings = finish
    unshared = sum(points_for(table, size, rank) for rank in range(1, size + 1))
    assert sum(points_for(table, size, *placing) for placing in placings) == unshared


@given(st.sampled_from(PLACING_TABLES), st.integers(2, 8))
def test_first_and_last_are_worth_the_same_at_every_size(table, size):
    assert points_for(table, size, 1) == table.row[0]
    assert points_for(table, size, size) == table.row[-1]


@pytest.mark.parametrize(
    ("size", "rank", "tied"),
    [(1, 1, 1), (9, 1, 1), (4, 0, 1), (4, 5, 1), (4, 3, 3), (4, 1, 0), (4, -1, 1)],
)
def test_an_impossible_placing_is_refused(size, rank, tied):
    with pytest.raises(ValueError, match=r"table of 4|2 to 8 seats"):
        points_for(STANDARD, size, rank, tied)


def test_a_stake_table_has_no_points_for_placings():
    with pytest.raises(ValueError, match="counts money"):
        points_for(STAKE_RESULT, 4, 1)


@pytest.mark.parametrize("table", READY.values(), ids=READY)
def test_a_ready_set_is_its_key_in_json(table):
    assert table.to_json() == table.key
    assert PointsTable.from_json(table.key) == table


def test_a_table_of_ones_own_returns_from_json_exactly():
    value = {"key": "ours", "row": ["7/2", "2", "1/3", "0"], "rows": {"3": ["3", "1", "0"]}}
    assert PointsTable.from_json(value).to_json() == value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("5-4-3", "points_table: “5-4-3” is not a points table. Choose one of: 3-2-1-0, 4-3-2-1, "
         "10-5-minus, 2-1-minus, winner_takes_all, stake_result, percentage."),
        (None, (
            "points_table: must be the name of a ready-made points table, or a row of "
                "points."
        )),
        ({"row": [3, 2, 1]},
         "points_table.row: needs 4 values, one for each place; it has 3."),
        ({"row": [3, 2, 1, 0, 0]},
         "points_table.row: needs 4 values, one for each place; it has 5."),
        ({}, "points_table.row: needs 4 values, one for each place; it has 0."),
        ({"row": "3210"}, "points_table.row: must be a list of points, first place first."),
        ({"row": [3, 2, 1, float("nan")]}, "points_table.row.4: must be a number, not nan."),
        ({"row": [3, 2, "x", 0]},
         "points_table.row.3: must be a number such as 2, -1.5 or 3/2, not “x”."),
        ({"row": [3, 2, "1/0", 0]},
         "points_table.row.3: must be a number such as 2, -1.5 or 3/2, not “1/0”."),
        ({"row": [3, True, 1, 0]},
         "points_table.row.2: must be a number such as 2, -1.5 or 3/2."),
        ({"row": [2, 3, 1, 0]},
         "points_table.row: place 2 may not get more than place 1."),
        ({"row": [1, 1, 1, 1]},
         "points_table.row: must give first place more than last place."),
        ({"row": [3, 2, 1, 0], "rows": {"3": [3, 0]}},
         "points_table.rows.3: needs 3 values, one for each place; it has 2."),
        ({"row": [3, 2, 1, 0], "rows": {"9": [3, 0]}},
         "points_table.rows.9: is not a table size (2, 3, 5, 6, 7 or 8)."),
        ({"row": [3, 2, 1, 0], "colour": "red"},
         "points_table.colour: is not a field of a points table."),
        ({"row": [3, 2, 1, 0], "key": "3-2-1-0"},
         "points_table.key: must be a name of its own, up to 40 characters."),
    ],
)  # fmt: skip
def test_a_wrong_table_is_refused_with_its_field(value, message):
    with pytest.raises(FieldError) as caught:
        PointsTable.from_json(value)
    assert str(caught.value) == message


def test_a_place_shared_beyond_the_last_that_gives_points_counts_as_nothing():
    row = (Fraction(10), Fraction(6), Fraction(3))
    assert points_for_place(row, 3, 2) == Fraction(3, 2)
    assert points_for_place(row, 4, 2) == 0
