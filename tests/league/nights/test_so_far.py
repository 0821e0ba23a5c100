"""The sums at a table, as everybody there asks after each game."""

import pytest

from league.nights.facts.so_far import so_far
from tests.factories import correct, make_night, make_season, make_table, names_at, play

pytestmark = pytest.mark.django_db


def sums(sitting):
    event = sitting.round.event
    return [(row.player.name, row.points, row.money) for row in so_far(event, sitting)]


def test_points_and_money_add_up_and_follow_a_correction():
    sitting = make_table(make_night(4, rules="mien-nam", stake=5))
    a, b, c, d = names_at(sitting)
    first = play(sitting, [a, b, c, d])
    assert sums(sitting) == [(a, 3, 10), (b, 2, 5), (c, 1, -5), (d, 0, -10)]
    play(sitting, [d, c, b, a])
    assert [(points, money) for _name, points, money in sums(sitting)] == [(3, 0)] * 4
    correct(first, [d, b, c, a])
    assert sums(sitting)[0] == (d, 6, 20)
    assert sums(sitting)[-1] == (a, 0, -20)


def test_without_a_stake_there_is_no_money_and_a_struck_game_does_not_count():
    sitting = make_table()
    first = play(sitting)
    assert sums(sitting)[0] == (names_at(sitting)[0], 3, None)
    correct(first, names_at(sitting), void=True)
    assert sums(sitting) == []


def test_points_by_stake_are_the_money():
    season = make_season(rules="mien-nam", points_table="stake_result")
    sitting = make_table(make_night(4, season=season, stake=2), games=1)
    assert [points for _name, points, _money in sums(sitting)] == [4, 2, -2, -4]
