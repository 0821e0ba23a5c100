"""Runs of wins and of games without a last place."""

import pytest

from league.seasons.domain.streaks import StreakGame, Streaks, streaks

FIRST, SECOND, LAST, SHARED_LAST = (
    StreakGame(1, 4),
    StreakGame(2, 4),
    StreakGame(4, 4),
    StreakGame(3, 4, 2),
)


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ([], Streaks(0, 0, 0, 0)),
        ([FIRST, FIRST, LAST], Streaks(2, 2, 0, 0)),
        ([LAST, FIRST, SECOND, FIRST], Streaks(1, 3, 1, 3)),
        ([SECOND, SHARED_LAST, SECOND], Streaks(0, 1, 0, 1)),
        ([StreakGame(1, 2, 2)], Streaks(1, 0, 1, 0)),
    ],
)
def test_a_streak_ends_with_the_first_game_that_is_not_so(games, expected):
    assert streaks(games) == expected
