import pytest

from league.domain.seating import SeatingError
from league.domain.seating.stages import advance, full_tables, snake_groups


def test_groups_are_dealt_out_to_and_fro():
    assert snake_groups([1, 2, 3, 4, 5, 6, 7, 8, 9], 3) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]


def test_group_sizes_differ_by_one_at_most():
    assert [len(group) for group in snake_groups(range(10), 4)] == [3, 3, 2, 2]


def test_winners_come_before_seconds():
    assert advance([[1, 2, 3, 4], [5, 6, 7, 8]]) == [1, 5, 2, 6]


def test_points_order_those_of_one_place():
    assert advance([[1, 2, 3], [5, 6, 7]], points={5: 9, 1: 4, 6: 1, 2: 1}) == [5, 1, 2, 6]


def test_the_best_thirds_fill_up_the_tables():
    results = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    assert full_tables(6) == 8
    assert advance(results, total=8, points={7: 5, 11: 3, 3: 1}) == [1, 5, 9, 2, 6, 10, 7, 11]


def test_a_final_takes_the_best_of_the_groups():
    assert advance([[1, 2], [3, 4], [5, 6]], each=1, total=4, points={4: 2}) == [1, 3, 5, 4]


@pytest.mark.parametrize("total", [0, 5])
def test_a_number_that_cannot_go_on_is_refused(total):
    with pytest.raises(SeatingError, match=f"4 players played; {total} of them cannot go on"):
        advance([[1, 2], [3, 4]], total=total)


def test_more_groups_than_players_are_refused():
    with pytest.raises(SeatingError, match="2 players cannot make 3 groups"):
        snake_groups([1, 2], 3)
