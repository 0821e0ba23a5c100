import random
from fractions import Fraction

import pytest

from league.seating import SeatingError
from league.seating.sizes import table_sizes
from league.seating.stages import advance, full_tables, group_sizes, snake_groups


def orders(*tables):
    """Tables where everybody's place is clear."""
    return [[[player] for player in table] for table in tables]


def through(results, **options):
    return advance(results, seed=1, **options).through


def test_groups_are_dealt_out_to_and_fro():
    drawn = snake_groups([1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3, 3])
    assert drawn == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]


def test_a_larger_group_has_more_of_the_weaker_players():
    assert snake_groups(list(range(13)), [6, 4, 3]) == [
        [0, 5, 6, 10, 11, 12], [1, 4, 7, 9], [2, 3, 8],
    ]  # fmt: skip


def at_tables_of_four(people):
    return sum(table_sizes(people, least=3)) == people


@pytest.mark.parametrize(
    ("players", "groups", "sizes"),
    [
        (8, 2, [4, 4]), (7, 2, [4, 3]), (10, 2, [6, 4]), (13, 3, [6, 4, 3]), (24, 4, [6] * 4),
        (17, 4, [6, 4, 4, 3]), (19, 4, [6, 6, 4, 3]), (12, 4, [3] * 4), (15, 3, [6, 6, 3]),
        (5, 1, [5]),
    ],
)  # fmt: skip
def test_groups_are_as_even_as_whole_tables_allow(players, groups, sizes):
    assert group_sizes(players, groups, at_tables_of_four) == sizes


def test_only_groups_that_no_move_can_mend_leave_somebody_without_a_seat():
    for groups in range(2, 12):
        for players in range(3 * groups, 90):
            sizes = group_sizes(players, groups, at_tables_of_four)
            assert (sum(sizes), len(sizes)) == (players, groups)
            assert all(map(at_tables_of_four, sizes))
            assert max(sizes) - min(sizes) <= 3


def test_team_mates_come_into_different_groups_of_still_equal_strength():
    order = list(range(32))
    for seed in range(20):
        for size, groups in ((2, 2), (4, 4), (4, 8), (2, 16)):
            mixed = random.Random(seed).sample(order, 32)
            teams = {player: no // size for no, player in enumerate(mixed)}
            drawn = snake_groups(order, [32 // groups] * groups, teams=teams, seed=seed)
            assert all(len({teams[p] for p in group}) == len(group) for group in drawn)
            for lap in range(32 // groups):
                strength = {group[lap] for group in drawn}
                assert strength == {*range(lap * groups, (lap + 1) * groups)}


def test_winners_come_before_seconds_and_points_order_each():
    points = {5: Fraction(9), 1: Fraction(4), 6: Fraction(1), 2: Fraction(2)}
    assert through(orders([1, 2, 3], [5, 6, 7]), points=points) == [5, 1, 2, 6]


def test_the_best_thirds_fill_up_the_tables():
    points = {7: Fraction(5), 11: Fraction(3), 3: Fraction(1)}
    results = orders([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12])
    assert full_tables(6) == 8
    found = advance(results, seed=1, total=8, points=points)
    assert set(found.through) == {1, 5, 9, 2, 6, 10, 7, 11}
    assert found.through[6:] == [7, 11]
    assert found.by_lot == []


def test_a_final_takes_the_best_of_the_groups():
    points = {4: Fraction(2), 2: Fraction(1), 6: Fraction(1)}
    found = advance(orders([1, 2], [3, 4], [5, 6]), seed=1, each=1, total=4, points=points)
    assert set(found.through) == {1, 3, 5, 4}
    assert found.by_lot == []


def test_who_is_level_at_the_border_of_a_table_is_decided_by_lot():
    level = [[[1], [2, 3], [4]], [[5], [6], [7], [8]]]
    found = advance(level, seed=1, points={})
    assert len(found.through) == 4
    assert {1, 5, 6} <= set(found.through)
    assert found.by_lot == [[2, 3]]
    assert {tuple(sorted(set(advance(level, seed=s).through) & {2, 3})) for s in range(20)} == {
        (2,),
        (3,),
    }


def test_who_is_level_above_the_border_needs_no_lot():
    assert advance([[[1, 2], [3], [4]]], seed=1).by_lot == []


def test_equal_seconds_of_two_groups_are_decided_by_lot():
    points = {2: Fraction(7), 4: Fraction(7), 6: Fraction(5)}
    found = advance(orders([1, 2], [3, 4], [5, 6]), seed=1, each=1, total=4, points=points)
    assert found.by_lot == [[2, 4]]


def test_the_same_seed_draws_the_same_lots_whatever_the_places():
    first = advance([[[1, 2, 3, 4]]], seed=5).through
    assert advance([[[4, 3, 2, 1]]], seed=5).through == first


@pytest.mark.parametrize("total", [0, 5])
def test_a_number_that_cannot_go_on_is_refused(total):
    with pytest.raises(SeatingError, match=f"4 players played; {total} of them cannot go on"):
        advance(orders([1, 2], [3, 4]), seed=1, total=total)


def test_more_groups_than_players_are_refused():
    with pytest.raises(SeatingError, match=r"2 players cannot make groups of \[1, 1, 0\]"):
        snake_groups([1, 2], [1, 1, 0])
