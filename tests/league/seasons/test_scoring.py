import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.seasons.domain.scoring import (
    COUNTINGS,
    READY,
    FieldError,
    PointsTable,
    Scoring,
    read_exact,
)
from league.seasons.domain.standings.rows import most_nights
from league.templatetags.league import compared, points_words


def test_a_season_counts_three_two_one_nothing_by_default():
    defaults = {
        "points_table": "3-2-1-0",
        "weight": "1",
        "participation_bonus": "0",
        "head_count_bonus": "0",
        "best_of": None,
        "nights": None,
        "drop_worst": 0,
        "minimum_games": 0,
        "counting": "fixed",
        "games_per_round": 4,
        "stake_unit": 1,
        "absence": "0",
        "lateness": "0",
        "gives": "games",
        "place_points": ["10", "8", "6", "5", "4", "3", "2", "1"],
    }
    assert Scoring().to_json() == Scoring().to_json() | defaults


def test_what_json_leaves_out_has_its_default():
    assert Scoring.from_json({}) == Scoring()
    assert Scoring.from_json({"best_of": 5}) == Scoring(best_of=5)


def test_numbers_in_text_stay_exact():
    scoring = Scoring.from_json({"weight": "1/3", "participation_bonus": 0.1, "best_of": "4"})
    assert (scoring.weight, scoring.participation_bonus) == (Fraction(1, 3), Fraction(1, 10))
    assert scoring.best_of == 4


@given(
    st.builds(
        Scoring,
        points_table=st.sampled_from(
            [READY["percentage"], READY["3-2-1-0"], PointsTable.from_json({"row": [9, 1, 1, 0]})]
        ),
        weight=st.fractions(Fraction(1, 100), 1000, max_denominator=100),
        participation_bonus=st.fractions(0, 100, max_denominator=100),
        best_of=st.none() | st.integers(1, 20),
        nights=st.none() | st.integers(20, 50),
        drop_worst=st.integers(0, 19),
        counting=st.sampled_from(COUNTINGS),
    )
)
def test_a_scoring_returns_from_json_text_unchanged(scoring):
    assert Scoring.from_json(json.loads(json.dumps(scoring.to_json()))) == scoring


@pytest.mark.parametrize("typed", ["0.000001", "1,000001", "999999999.999999", "1/9999999"])
def test_every_number_that_is_read_is_read_again(typed):
    assert read_exact(str(read_exact(typed, "weight")), "weight") == read_exact(typed, "weight")


WRONG_COUNTING = "counting: must be one of: fixed, average, night_average, table_ranking."


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "scoring: must be an object with named fields."),
        ({"bestof": 3}, "bestof: is not a field of the scoring settings."),
        ({"points_table": {"row": [3, 2]}},
         "points_table.row: needs 4 values, one for each place; it has 2."),
        ({"points_table": None},
         "points_table: must be the name of a ready-made points table, or a row of points."),
        ({"best_of": 12, "nights": 10}, "best_of: cannot be 12: the season has 10 nights."),
        ({"best_of": 0}, "best_of: must be from 1 to 1000."),
        ({"best_of": 2.5}, "best_of: must be a whole number."),
        ({"best_of": True}, "best_of: must be a whole number."),
        ({"drop_worst": 3, "nights": 3},
         "drop_worst: cannot be 3: the season has 3 nights and one must count."),
        ({"drop_worst": -1}, "drop_worst: must be from 0 to 999."),
        ({"drop_worst": None}, "drop_worst: must be a whole number."),
        ({"minimum_games": -4}, "minimum_games: must be from 0 to 1000000."),
        ({"weight": float("nan")}, "weight: must be a number, not nan."),
        ({"weight": float("inf")}, "weight: must be a number, not inf."),
        ({"weight": "1e99999999"},
         "weight: must be a number such as 2, -1.5 or 3/2, not “1e99999999”."),
        ({"weight": 0.3333333333333333},
         "weight: must be a number such as 2, -1.5 or 3/2, not “0.3333333333333333”."),
        ({"weight": None}, "weight: must be a number such as 2, -1.5 or 3/2."),
        ({"points_table": {"key": "a\0b", "row": [3, 2, 1, 0]}},
         "points_table.key: must be a name of its own, up to 40 characters."),
        ({"weight": 0}, "weight: must be more than 0 and at most 1000."),
        ({"weight": 10**30}, "weight: is too large: at most 1000000000."),
        ({"participation_bonus": -1}, "participation_bonus: may not be negative."),
        ({"head_count_bonus": "-1/2"}, "head_count_bonus: may not be negative."),
        ({"counting": "sum"}, WRONG_COUNTING),
        ({"counting": ["fixed"]}, WRONG_COUNTING),
        ({"points_table": "stake_result", "counting": "average"},
         "counting: must be fixed when money results count."),
        ({"stake_unit": 0}, "stake_unit: must be from 1 to 1000000000."),
        ({"games_per_round": 0}, "games_per_round: must be from 1 to 1000."),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_its_field(value, message):
    with pytest.raises(FieldError) as caught:
        Scoring.from_json(value)
    assert str(caught.value) == message
    assert caught.value.template % caught.value.params == caught.value.message


def test_dropped_nights_and_best_nights_hold_together():
    both = Scoring(best_of=3, drop_worst=1)
    assert [most_nights(both, held) for held in (1, 2, 3, 4, 5)] == [1, 1, 2, 3, 3]


def test_what_fewer_of_is_better_is_told_without_its_sign():
    assert [compared(Fraction(-2), key) for key in ("fewest_lasts", "fewer_games", "money")] == [
        "2", "2", "−2",
    ]  # fmt: skip


def test_a_points_table_is_named_as_people_call_it():
    own = Scoring.from_json({"points_table": {"row": ["9/2", 3, "3/2", 0]}})
    assert points_words(own) == "4.5 – 3 – 1.5 – 0"
    assert [points_words(Scoring(READY[key])) for key in ("3-2-1-0", "stake_result")] == [
        "3 – 2 – 1 – 0",
        "Money result, in stakes",
    ]
