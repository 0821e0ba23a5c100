"""Runs of wins and of games without a last place."""

import pytest

from league.domain.streaks import Game, Streaks, streaks

FIRST, SECOND, LAST, SHARED_LAST = Game(1, 4), Game(2, 4), Game(4, 4), Game(3, 4, 2)


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ([], Streaks(0, 0, 0, 0)),
        ([FIRST, FIRST, LAST], Streaks(2, 2, 0, 0)),
        ([LAST, FIRST, SECOND, FIRST], Streaks(1, 3, 1, 3)),
        ([SECOND, SHARED_LAST, SECOND], Streaks(0, 1, 0, 1)),
        ([Game(1, 2, 2)], Streaks(1, 0, 1, 0)),
    ],
)
def test_a_streak_ends_with_the_first_game_that_is_not_so(games, expected):
    assert streaks(games) == expected
