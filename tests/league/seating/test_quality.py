import json

import pytest

from league.seating import quality, round_quality

ROUNDS = [[[0, 1, 2, 3], [4, 5, 6]], [[0, 1, 4, 5], [2, 3, 6]]]


def test_quality_is_read_from_the_tables_alone():
    measured = quality(ROUNDS, apart=[(0, 1), (0, 6)], clubs=[1, 2, 3, 3, 1, None, None])
    assert measured.repeats == 3  # 0-1, 2-3 and 4-5
    assert measured.max_meetings == 2
    assert measured.bound == 3  # a table of four and one of three share three pairs with any round
    assert measured.apart_violations == 2
    assert measured.club_meetings == 3  # 2-3 twice, 0-4 once
    assert measured.short_tables == {0: 0, 1: 0, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2}
    assert measured.short_spread == 2
    assert measured.neighbour_repeats == 3  # 0 before 1, 2 before 3 and 4 before 5
    assert measured.seat_spread == 2  # 0 had the first chair of a full table twice
    assert measured.dealer_spread == 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_bound_is_above_what_a_schedule_repeats_whose_wishes_cannot_hold(players):
    whole = [[list(range(players))]]
    measured = quality(whole, apart=[(0, 1)], players=range(players))
    assert (measured.repeats, measured.bound, measured.apart_violations) == (0, 0, 1)


def test_who_is_missing_from_a_round_had_a_bye():
    measured = quality([[[0, 1, 2, 3]], [[1, 2, 3, 4]]], players=range(5))
    assert measured.byes == {0: 1, 1: 0, 2: 0, 3: 0, 4: 1}


def test_given_dealers_replace_the_first_seats():
    assert quality(ROUNDS, dealers=[[1, 5], [0, 3]]).dealer_spread == 1


def test_an_empty_schedule_has_no_faults():
    measured = quality([])
    assert (measured.repeats, measured.bound, measured.max_meetings) == (0, 0, 0)


def test_qualities_compare_without_their_seconds_and_are_plain_to_store():
    assert quality(ROUNDS, seconds=1.0) == quality(ROUNDS, seconds=2.0)
    assert json.loads(json.dumps(quality(ROUNDS).as_dict()))["short_spread"] == 2


def test_a_hand_made_swap_shows_what_it_costs():
    drawn = [[0, 4, 2, 6], [1, 5, 3]]
    swapped = [[0, 1, 2, 6], [4, 5, 3]]
    before = round_quality(ROUNDS[:1], drawn, clubs={0: 1, 1: 1})
    after = round_quality(ROUNDS[:1], swapped, clubs={0: 1, 1: 1})
    assert (before.repeats, before.club_meetings) == (3, 0)
    assert (after.repeats, after.club_meetings) == (4, 1)
    assert before.bound == after.bound == 3


def test_scores_show_how_level_the_tables_are():
    scores = {0: 9, 1: 5, 2: 8, 3: 4, 4: 9, 5: 5, 6: 7}
    measured = round_quality([], [[0, 4, 2, 6], [1, 5, 3]], scores=scores)
    assert measured.score_range == 1.5


def test_who_is_present_without_a_chair_has_the_bye():
    assert round_quality([], [[1, 2, 3, 4]], present=range(1, 6)).byes == [5]
