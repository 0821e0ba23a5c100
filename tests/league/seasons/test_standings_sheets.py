from fractions import Fraction

import pytest

from league.seasons.domain.scoring import READY, FieldError, Scoring
from league.seasons.domain.standings import (
    AdjustmentFact,
    Facts,
    NightPart,
    TallyFact,
    meetings,
    standings,
)

from .sheets import facts, sums, table, tallies

NIGHT = ["An Bi Cu Du", "Bi An Cu Du", "An Cu Bi Du"]


def test_a_night_of_three_games():
    rows = standings(tallies(NIGHT), Scoring())
    assert table(rows) == ["1 An 8", "2 Bi 6", "3 Cu 4", "4 Du 0"]
    assert [(row.games, row.counts, row.lasts) for row in rows] == [
        (3, {1: 2, 2: 1}, 0),
        (3, {1: 1, 2: 1, 3: 1}, 0),
        (3, {2: 1, 3: 2}, 0),
        (3, {4: 3}, 3),
    ]
    assert [row.average_place for row in rows] == [Fraction(4, 3), 2, Fraction(8, 3), 4]
    assert [row.beaten for row in rows] == [Fraction(8, 9), Fraction(2, 3), Fraction(4, 9), 0]


def test_points_open_to_the_sum_that_made_them():
    an, bi, *_ = standings(tallies(NIGHT), Scoring())
    assert sums(an.explain) == ["placing 2 × 3 = 6", "placing 1 × 2 = 2"]
    assert sums(bi.explain) == ["placing 1 × 3 = 3", "placing 1 × 2 = 2", "placing 1 × 1 = 1"]
    assert [line.placing for line in an.explain] == [(4, 1, 1), (4, 2, 1)]


def test_tables_of_three_and_shared_places_stay_exact():
    rows = standings(tallies(["An Bi Cu", "Bi=Cu An", "An Bi=Cu=Du"]), Scoring())
    assert table(rows) == ["1 An 6", "2 Bi 19/4", "3 Cu 13/4", "4 Du 1"]
    assert rows[1].average_place == Fraction(13, 6)


def test_a_shared_last_place_is_a_last_place_for_all_who_share_it():
    rows = standings(tallies(["An Bi=Cu=Du", "An=Bi Cu Du"]), Scoring())
    assert {row.entrant: row.lasts for row in rows} == {"An": 0, "Bi": 1, "Cu": 1, "Du": 2}


def test_the_weight_of_an_event_multiplies_all_it_gives():
    final = Scoring(weight=Fraction(3, 2), participation_bonus=Fraction(2))
    rows = standings(
        tallies(NIGHT) + tallies(["Bi An Du Cu"], event=2), Scoring(), by_event={2: final}
    )
    assert table(rows)[:2] == ["1 An 14", "2 Bi 27/2"]
    assert sums(rows[1].explain)[3:] == [
        "placing 1 × 3 × 3/2 = 9/2",
        "participation 1 × 2 × 3/2 = 3",
    ]


def test_bonuses_for_coming_and_for_a_full_room():
    scoring = Scoring(participation_bonus=Fraction(1), head_count_bonus=Fraction(1, 10))
    rows = standings(tallies(["An Bi Cu Du", "Em Gi Ho"]), scoring)
    assert sums(rows[-1].explain) == [
        "placing 1 × 0 = 0",
        "participation 1 × 1 = 1",
        "head_count 7 × 1/10 = 7/10",
    ]


def test_the_best_nights_count_and_the_others_stay_in_sight():
    nights = (
        tallies(["An Bi Cu Du"], event=1)
        + tallies(["Bi Cu Du An"], event=2)
        + tallies(["Bi An Du Cu"], event=3)
    )
    rows = standings(nights, Scoring(best_of=2, nights=3))
    assert table(rows) == ["1 Bi 6", "2 An 5", "3 Cu 3", "4 Du 2"]
    an = rows[1]
    assert [(night.event, night.points, night.counted) for night in an.nights] == [
        (1, 3, True),
        (2, 0, False),
        (3, 2, True),
    ]
    assert sums(an.explain) == ["placing 1 × 3 = 3", "dropped 0 × 0 = 0", "placing 1 × 2 = 2"]
    assert an.games == 3


def test_a_missed_night_is_the_first_to_be_dropped():
    nights = (
        tallies(["An Bi Cu Du"], event=1)
        + tallies(["Bi An Cu"], event=2)
        + tallies(["An Bi Cu Du"], event=3)
    )
    rows = {row.entrant: row for row in standings(nights, Scoring(drop_worst=1))}
    assert [night.counted for night in rows["An"].nights] == [True, False, True]
    assert [night.counted for night in rows["Du"].nights] == [True, True]


def test_the_first_night_of_a_season_is_never_dropped():
    assert table(standings(tallies(NIGHT), Scoring(drop_worst=2)))[0] == "1 An 8"


def test_who_has_too_few_games_is_listed_without_a_rank():
    rows = standings(tallies([*NIGHT, "Em An Bi Cu"]), Scoring(minimum_games=3))
    assert table(rows) == ["1 An 10", "2 Bi 7", "3 Cu 4", "4 Du 0", "- Em 3"]


def test_penalties_and_gifts_count_in_full_with_their_reason():
    given = [
        AdjustmentFact("An", Fraction(-3), "came late", 1),
        AdjustmentFact("Cu", Fraction(5), "dealt"),
    ]
    rows = standings(tallies(NIGHT), Scoring(weight=Fraction(1)), given)
    assert table(rows) == ["1 Cu 9", "2 Bi 6", "3 An 5", "4 Du 0"]
    line = rows[2].explain[-1]
    assert (line.what, line.total, line.reason, line.event) == ("adjustment", -3, "came late", 1)


def test_a_penalty_stays_when_its_night_is_dropped():
    nights = tallies(["An Bi Cu Du"], event=1) + tallies(["Bi Cu Du An"], event=2)
    rows = standings(nights, Scoring(best_of=1), [AdjustmentFact("An", Fraction(-1), "cheated", 2)])
    an = next(row for row in rows if row.entrant == "An")
    assert sums(an.explain) == ["placing 1 × 3 = 3", "dropped 0 × 0 = 0", "adjustment 1 × -1 = -1"]


def test_who_is_entered_or_punished_has_a_row_before_playing():
    rows = standings(
        [], Scoring(), [AdjustmentFact("Bi", Fraction(-1), "no show")], entrants=["An"]
    )
    assert table(rows) == ["1 An 0", "2 Bi -1"]
    assert (rows[0].average_place, rows[0].beaten, rows[0].explain) == (None, None, [])


def test_where_people_change_tables_the_mean_of_the_night_counts():
    rows = standings(
        [TallyFact("An", "T1", 4, 1, 1, 3, 1), TallyFact("An", "T1", 4, 4, 1, 1, 2)],
        Scoring(counting="night_average"),
    )
    assert table(rows) == ["1 An 9/4"]
    assert sums(rows[0].explain) == ["placing 3/4 × 3 = 9/4", "placing 1/4 × 0 = 0"]


def test_with_averages_a_sitting_is_worth_the_mean_of_its_games():
    scoring = Scoring(counting="average")
    long_table = tallies(["An Bi Cu Du", "An Bi Cu Du", "Bi An Cu Du"], sitting="table 1")
    short_table = tallies(["Em Gi Ho Kh"], sitting="table 2")
    rows = standings(long_table + short_table, scoring)
    assert table(rows)[:4] == ["1 Em 3", "2 An 8/3", "3 Bi 7/3", "4 Gi 2"]
    assert sums(rows[1].explain) == ["placing 2/3 × 3 = 2", "placing 1/3 × 2 = 2/3"]
    assert [(line.games, line.sitting) for line in rows[1].explain] == [
        (2, "table 1"),
        (1, "table 1"),
    ]
    assert rows[1].games == 3


def test_with_table_ranking_a_sitting_is_one_placing():
    scoring = Scoring(counting="table_ranking")
    rows = standings(
        tallies(["An Bi Cu Du", "An Cu Bi Du", "Bi An Cu Du"], sitting="r1")
        + tallies(["An Bi Cu Du"], sitting="r2"),
        scoring,
    )
    assert table(rows) == ["1 An 6", "2 Bi 4", "3 Cu 2", "4 Du 0"]
    assert [(line.placing, line.games) for line in rows[0].explain] == [
        ((4, 1, 1), 3),
        ((4, 1, 1), 1),
    ]
    assert (rows[0].games, rows[0].counts, rows[0].average_place) == (4, {1: 2}, 1)


def test_level_people_share_the_place_of_their_table():
    rows = standings(
        tallies(["An Bi Cu Du", "Bi An Du Cu"], sitting="r1"), Scoring(counting="table_ranking")
    )
    assert table(rows) == ["1= An 5/2", "1= Bi 5/2", "3= Cu 1/2", "3= Du 1/2"]


def test_a_guest_takes_part_in_a_table_ranking_but_has_no_row():
    scoring = Scoring(counting="table_ranking", head_count_bonus=Fraction(1))
    rows = standings(
        tallies(["An Bot Bi Cu"], sitting="r1"), scoring, guests=["Bot"], entrants=["An", "Bot"]
    )
    assert table(rows) == ["1 An 6", "2 Bi 4", "3 Cu 3"]


def test_who_filled_a_chair_one_night_may_play_the_next():
    nights = tallies(["Bot An Bi"], event=1) + tallies(["Bot An Bi"], event=2)
    scoring = Scoring(head_count_bonus=Fraction(1))
    rows = standings(nights, scoring, guests=[("Bot", 1)])
    assert table(rows) == ["1 An 8", "2 Bot 6", "3 Bi 5"]


def test_a_chair_that_nobody_counts_for_stays_a_seat_of_the_table():
    filled = [tally for tally in tallies(["An Bot Bi Cu"], sitting="r1") if tally.entrant != "Bot"]
    rows = standings(filled, Scoring(counting="table_ranking"))
    assert table(rows) == ["1 An 3", "2 Bi 2", "3 Cu 1"]


def test_substitutes_make_the_ranking_of_a_table_longer():
    scoring = Scoring(counting="table_ranking")
    rows = standings(tallies(["An Bi Cu Du", "An Bi Cu Em"], sitting="r1"), scoring)
    assert table(rows) == ["1 An 3", "2 Bi 9/4", "3 Cu 3/2", "4= Du 3/8", "4= Em 3/8"]


def test_a_crowd_of_substitutes_shares_the_last_place_there_is():
    games = ["An Bi Cu Du", *(f"An Bi Cu s{i}" for i in range(8))]
    rows = standings(tallies(games, sitting="r1"), Scoring(counting="table_ranking"))
    assert table(rows)[0] == "1 An 3"
    assert {row.nights[0].played[0].placing for row in rows[3:]} == {(8, 4, 5)}


def test_a_table_ranking_needs_to_know_the_sittings():
    with pytest.raises(ValueError, match="needs the sitting"):
        standings(tallies(NIGHT), Scoring(counting="table_ranking"))


def test_the_stake_result_counts_money():
    scoring = Scoring(points_table=READY["stake_result"], stake_unit=1000)
    money = {("An", 1): 4500, ("Bi", 1): -1500, ("Cu", 1): -3000}
    rows = standings(tallies(["An Bi Cu"]), scoring, facts=Facts(money=money))
    assert table(rows) == ["1 An 9/2", "2 Bi -3/2", "3 Cu -3"]
    assert sums(rows[0].explain) == ["stake 4500 × 1/1000 = 9/2"]
    assert (rows[0].money, rows[0].games, rows[0].counts) == (4500, 1, {1: 1})


def test_people_on_one_rank_stand_by_name():
    rows = standings(tallies(["1=2=3"]), Scoring(), names={"1": "c", "2": "a", "3": "b"})
    assert table(rows) == ["1= 2 3/2", "1= 3 3/2", "1= 1 3/2"]


def test_tallies_of_zero_games_do_not_make_a_night():
    rows = standings([TallyFact("An", 1, 4, 1, 1, 0)], Scoring(participation_bonus=Fraction(1)))
    assert rows == []


@pytest.mark.parametrize(
    "tally",
    [
        TallyFact("An", 1, 4, 5, 1, 1),
        TallyFact("An", 1, 1, 1, 1, 1),
        TallyFact("An", 1, 4, 1, 1, -1),
    ],
)
def test_a_tally_that_no_table_gives_is_refused(tally):
    with pytest.raises(ValueError, match=r"table of 4|2 to 8 seats|-1 games"):
        standings([tally], Scoring())


def test_wrong_tie_breaks_are_refused_with_their_field():
    with pytest.raises(FieldError, match=r"tie_breaks: must contain “points”"):
        standings([], Scoring(), (), ["firsts"], facts=facts())


def test_meetings_count_who_came_in_ahead_of_whom():
    ahead, met = meetings([{"An": 1, "Bi": 2, "Cu": 2}, {"Bi": 1, "An": 2}])
    assert ahead == {("An", "Bi"): 1, ("An", "Cu"): 1, ("Bi", "An"): 1}
    assert met == {
        ("An", "Bi"): 2, ("Bi", "An"): 2, ("An", "Cu"): 1,
        ("Cu", "An"): 1, ("Bi", "Cu"): 1, ("Cu", "Bi"): 1,
    }  # fmt: skip


def test_a_night_by_itself_knows_its_games_and_lines():
    night = standings(tallies(NIGHT), Scoring())[0].nights[0]
    assert isinstance(night, NightPart)
    assert (night.games, night.points, night.players) == (3, 8, 4)
    assert sums(night.lines) == ["placing 2 × 3 = 6", "placing 1 × 2 = 2"]
