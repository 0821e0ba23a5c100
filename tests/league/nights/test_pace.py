"""The pace of a round, and the tables in the order in which they need somebody."""

import datetime

import pytest

from league.nights.pages.night_tables import NightTable
from league.nights.pages.pace import pace_of

START = datetime.datetime(2015, 11, 20, 20, 0, tzinfo=datetime.UTC)


def minutes(*after):
    return [START + datetime.timedelta(minutes=n) for n in after]


def table(number, *times, **more):
    return NightTable(number, [], len(times), 4, times=minutes(*times), **more)


NOW = minutes(30)[0]


def test_tables_come_by_need_and_those_that_are_done_last():
    tables = [
        table(1, 5, 10, 15, 20),
        table(2, 8, 16),
        table(3, 9, disputed=1),
        table(4, is_late=True),
        table(5, 12),
        table(6, calls=True),
    ]
    found = sorted(tables, key=lambda one: one.need)
    assert [one.table_no for one in found] == [6, 3, 4, 5, 2, 1]
    assert [one.tone for one in found] == ["bad", "bad", "wait", "run", "run", "done"]


def test_a_game_is_a_bar_from_the_one_before_to_its_entry():
    pace = pace_of([table(1, 10, 20), table(2, is_late=True)], START, NOW)
    first, second = pace.rows
    assert [bar.tone for bar in first.bars] == ["done", "done", "open"]
    assert [bar.tone for bar in second.bars] == ["late"]
    assert first.bars[0].end == first.bars[1].x
    assert {row.bars[-1].end for row in pace.rows} == {pace.now_x}
    assert [mark.minute for _x, mark in pace.ticks] == [0, 5, 10, 15, 20, 25]


@pytest.mark.parametrize(
    "tables",
    [
        [table(1, 10)],
        [table(1), table(2)],
        [table(1, 1, 2, 3, 4), table(2, 2, 3, 4, 5)],
    ],
    ids=["one table", "no game", "all done"],
)
def test_there_is_no_pace_of_one_table_before_the_first_game_and_after_the_last(tables):
    assert pace_of(tables, START, NOW) is None


def test_a_round_that_was_entered_at_once_or_left_open_over_night_has_no_pace():
    tables = [table(1, 0), table(2)]
    assert pace_of(tables, START, START) is None
    assert pace_of(tables, START, START + datetime.timedelta(days=1)) is None
