import random

import pytest

from league.seating import SeatingError, next_round, quality
from league.seating.single_round import missing_chairs
from tests.league.seating.helpers import meetings, repeats


def play(rounds, present, **settings):
    """Return the history of so many rounds drawn one by one for the same players."""
    history = []
    for _ in range(rounds):
        history.append(next_round(history, present, seed=4, **settings)[0])
    return history


@pytest.mark.parametrize(("players", "rounds"), [(40, 5), (64, 5), (97, 4)])
def test_rounds_drawn_one_by_one_repeat_nothing_while_there_is_room(players, rounds):
    history = play(rounds, range(players))
    assert repeats(history) == 0
    assert quality(history).seat_spread <= 2


def test_known_length_of_the_night_follows_one_plan_to_its_end():
    history, methods, planned = [], [], []
    for left in range(8, 0, -1):
        tables, measured, planned = next_round(
            history, range(32), seed=4, ahead=left, planned=planned
        )
        history.append(tables)
        methods.append(measured.method)
    assert repeats(history) == 0
    assert quality(history).seat_spread == 0
    assert set(methods) == {"few repeats, as planned"}


def test_late_comers_and_leavers_break_the_plan_without_harm():
    history = []
    for left, present in [(4, range(32)), (3, range(30)), (2, range(33)), (1, range(1, 40))]:
        tables, measured, _planned = next_round(history, present, seed=4, ahead=left)
        assert sorted(p for table in tables for p in table) == list(present)
        assert measured.repeats == 0
        history.append(tables)


def test_swiss_seats_near_equals_who_have_not_met():
    history = [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]]
    scores = {player: (player // 4 + player) % 4 for player in range(16)}
    tables, measured, _planned = next_round(
        history, range(16), seed=1, method="swiss", scores=scores
    )
    assert sorted(sorted(scores[p] for p in table) for table in tables) == [
        [0, 0, 0, 0],
        [1, 1, 1, 1],
        [2, 2, 2, 2],
        [3, 3, 3, 3],
    ]
    assert (measured.repeats, measured.score_range) == (0, 0)


def test_swiss_does_not_depend_on_the_scale_of_the_points():
    history = play(3, range(40))
    scores = {player: player % 9 for player in range(40)}
    tenfold = {player: 1024 * score for player, score in scores.items()}
    few = next_round(history, range(40), seed=2, method="swiss", scores=scores)[0]
    many = next_round(history, range(40), seed=2, method="swiss", scores=tenfold)[0]
    assert few == many


def test_swiss_of_many_players_avoids_repeats_over_five_rounds():
    rng, history, scores = random.Random(1), [], dict.fromkeys(range(48), 0)
    for _ in range(5):
        tables, _, _planned = next_round(history, range(48), seed=8, method="swiss", scores=scores)
        history.append(tables)
        for table in tables:
            for points, player in enumerate(rng.sample(table, 4)):
                scores[player] += points
    assert repeats(history) == 0


def by_points(players, rounds, seed):
    """Return the pairs of each round who had met in the four rounds before, counted."""
    rng, history, scores, again = random.Random(seed), [], dict.fromkeys(range(players), 0), 0
    for _ in range(rounds):
        drawn = next_round(history, range(players), seed=seed, method="swiss", scores=scores)
        recent = meetings(history[-4:])
        again += sum(recent[pair] > 0 for pair in meetings([drawn.tables]))
        history.append(drawn.tables)
        for table in drawn.tables:
            for points, player in enumerate(rng.sample(table, len(table))):
                scores[player] += points
    return again


@pytest.mark.parametrize(("players", "most"), [(16, 16), (20, 9), (32, 0)])
def test_a_draw_by_points_repeats_no_meeting_of_the_last_four_rounds_if_it_can(players, most):
    assert by_points(players, 8, seed=3) <= most


def test_a_thousand_players_are_drawn_without_a_repeat():
    history = play(1, range(1000))
    scores = {player: player % 4 for player in range(1000)}
    tables, measured, _planned = next_round(
        history, range(1000), seed=1, method="swiss", scores=scores
    )
    assert len(tables) == 250
    assert measured.repeats == 0


@pytest.mark.parametrize("players", [5, 7, 9, 10, 11, 13, 17, 18, 22])
def test_nobody_has_a_second_short_table_before_everybody_had_one(players):
    history = []
    for _ in range(6):
        tables, measured, _planned = next_round(history, range(players), seed=3)
        history.append(tables)
        assert measured.short_spread <= 1


def test_the_last_in_the_standings_rests_where_a_table_is_missing():
    scores = {0: 3, 1: 2, 2: 0}
    assert next_round([], range(3), seed=1, method="swiss", scores=scores, size=2)[1].byes == [2]


@pytest.mark.parametrize(
    ("present", "tables"), [([], []), ([7], []), ([7, 3], [[3, 7]]), ([5, 6, 9], [[5, 6, 9]])]
)
def test_one_to_three_players_need_no_draw(present, tables):
    drawn, measured, _planned = next_round([], present, seed=1)
    assert [sorted(table) for table in drawn] == tables
    assert measured.byes == (present if len(present) == 1 else [])


def test_one_seed_gives_one_round_whatever_the_order_of_the_list():
    history = play(2, range(30))
    first = next_round(history, range(30), seed=9)
    assert next_round(history, reversed(range(30)), seed=9) == first
    assert next_round(history, range(30), seed=10)[0] != first[0]


def test_quality_of_a_round_counts_old_opponents_and_the_least_possible():
    history = [[[0, 1, 2, 3], [4, 5, 6, 7]]]
    tables, measured, _planned = next_round(history, range(8), seed=1)
    again = sum(meetings(history)[pair] for pair in meetings([tables]))
    assert measured.repeats == measured.bound == again == 4


def test_missing_chairs_counts_who_cannot_have_a_chair_that_is_due():
    assert missing_chairs(0b1111, 0b1111, 0b1111, 0b1111) == 0
    assert missing_chairs(0b0001, 0b0010, 0b0100, 0b1000) == 0
    assert missing_chairs(0b0001, 0b0001, 0b0110, 0b1000) == 1
    assert missing_chairs(0b0001, 0b0001, 0b0001, 0b0001) == 3


def test_a_swiss_round_without_scores_is_refused():
    with pytest.raises(SeatingError, match="needs the scores"):
        next_round([], range(8), seed=1, method="swiss")


def test_looking_no_round_ahead_is_refused():
    with pytest.raises(SeatingError, match="at least 1 round ahead, not 0"):
        next_round([], range(8), seed=1, ahead=0)
