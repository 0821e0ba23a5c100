import pytest

from league.seating import table_sizes
from league.seating.sizes import byes, even_pairs


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (0, []),
        (1, []),
        (2, [2]),
        (3, [3]),
        (4, [4]),
        (5, [3, 2]),
        (6, [3, 3]),
        (7, [4, 3]),
        (9, [3, 3, 3]),
        (13, [4, 3, 3, 3]),
        (16, [4, 4, 4, 4]),
    ],
)
def test_tables_of_four_come_first_and_threes_take_the_rest(players, sizes):
    assert table_sizes(players) == sizes


def test_from_six_players_on_everybody_sits_at_a_three_or_a_four():
    for players in range(6, 200):
        assert sum(table_sizes(players)) == players
        assert set(table_sizes(players)) <= {3, 4}


def test_a_single_player_and_a_third_at_tables_of_two_rest():
    assert [byes(1), byes(5), byes(3, size=2)] == [1, 0, 1]


def test_even_pairs_shares_things_out():
    assert even_pairs(7, 3) == 3 + 1 + 1
    assert even_pairs(3, 3) == 0
