from fractions import Fraction

import pytest

from league.seasons.domain.scoring import FieldError, Scoring
from league.seasons.domain.standings import AdjustmentFact, Facts, StandingsRow, standings
from league.seasons.domain.standings.tie_breaks import DEFAULT, TIE_BREAKS, check_tie_breaks, needs
from league.seasons.facts.standings import ties_told

from .sheets import facts, table, tallies


def rank(sheet: list[str], *keys: str, money: dict[tuple[str, int], int] | None = None) -> list:
    return standings(tallies(sheet), Scoring(), (), keys, facts=facts(sheet, money=money))


def separated(rows: list[StandingsRow]) -> list[str | None]:
    return [row.separated_by for row in rows]


# 4 points each: An and Cu from 3 + 1, Bi from 2 + 2.
FIRSTS = ["An Bi Cu Du", "Cu Bi An Du"]


def test_without_a_further_tie_break_equal_points_share_the_rank():
    assert table(rank(FIRSTS, "points")) == ["1= An 4", "1= Bi 4", "1= Cu 4", "4 Du 0"]


def test_first_places_decide_next():
    rows = rank(FIRSTS, "points", "firsts")
    assert table(rows) == ["1= An 4", "1= Cu 4", "3 Bi 4", "4 Du 0"]
    assert separated(rows) == [None, None, "firsts", "points"]
    ranked = [(row, str(row.entrant)) for row in rows]
    assert ties_told(ranked) == ["An, Cu ahead of Bi: first places 1–0"]
    assert ties_told(ranked[:1] + ranked[2:]) == [], "An and Bi are no neighbours there"
    assert rows[2].values == {"points": 4, "firsts": 0}


def test_the_list_is_followed_in_its_order():
    assert table(rank(FIRSTS, "seconds", "points"))[0] == "1 Bi 4"


def test_only_the_first_of_a_shared_rank_is_parted_from_the_row_above():
    rows = rank(["An Bi=Cu Du"], "points")
    assert table(rows) == ["1 An 3", "2= Bi 3/2", "2= Cu 3/2", "4 Du 0"]
    assert separated(rows) == [None, "points", None, "points"]


def test_fewer_last_places_are_better():
    sheet = ["An Bi Cu Du", "Du Bi Cu An", "Cu Du Bi An"]
    rows = rank(sheet, "points", "fewest_lasts")
    assert table(rows) == ["1= Bi 5", "1= Cu 5", "3 Du 5", "4 An 3"]
    assert separated(rows) == [None, None, "fewest_lasts", "points"]
    assert rows[2].values == {"points": 5, "fewest_lasts": -1}


def test_two_who_are_level_are_parted_by_their_games_against_each_other():
    # 5 points each; at the table they shared, Bi came in ahead.
    rows = rank(["Bi An Cu Du", "An Em Gi Ho", "Gi Bi Ho Kh"], "points", "head_to_head")
    assert table(rows)[:3] == ["1 Bi 5", "2 An 5", "3 Gi 4"]
    assert separated(rows)[:3] == [None, "head_to_head", "points"]


def test_who_never_met_stays_level_head_to_head():
    rows = rank(["An Bi Cu Du", "Em Gi Ho Kh"], "points", "head_to_head")
    assert table(rows)[:2] == ["1= An 3", "1= Em 3"]


def test_a_circle_of_three_stays_level():
    sheet = ["An Bi", "Bi Cu", "Cu An"]
    assert table(rank(sheet, "points", "head_to_head")) == ["1= An 3", "1= Bi 3", "1= Cu 3"]


def test_games_lost_to_the_others_count_against_games_won():
    ahead = {("An", "Bi"): 3, ("Bi", "An"): 3, ("Cu", "An"): 1}
    keys = ("points", "head_to_head")
    rows = standings([], Scoring(), (), keys, facts=Facts(ahead=ahead), entrants=["An", "Bi", "Cu"])
    assert [(row.entrant, row.values["head_to_head"]) for row in rows] == [
        ("Cu", 1),
        ("Bi", 0),
        ("An", -1),
    ]


def test_one_game_between_two_decides():
    facts = Facts(ahead={("Bi", "An"): 1})
    rows = standings([], Scoring(), (), DEFAULT, facts=facts, entrants=["An", "Bi"])
    assert table(rows) == ["1 Bi 0", "2 An 0"]


def test_head_to_head_is_asked_again_of_those_it_leaves_level():
    # 6 points each. Among all four An has won most, Du lost most; Bi and Cu are level until
    # only their own game counts.
    sheet = ["An Bi", "An Du", "Bi Cu", "Cu Du", "x Cu", "Bi x", "Cu x", "Du x", "Du x"]
    rows = rank(sheet, "points", "head_to_head")
    assert table(rows)[:4] == ["1 An 6", "2 Bi 6", "3 Cu 6", "4 Du 6"]
    assert separated(rows)[1:4] == ["head_to_head"] * 3


def test_stronger_opponents_are_better():
    # An and Em win once each; An has beaten Bi, who beats others, Em only beginners.
    sheet = ["An Bi", "Em Gi", "Bi Cu", "Bi Du"]
    rows = rank(sheet, "points", "strength")
    assert table(rows)[:3] == ["1 Bi 6", "2 An 3", "3 Em 3"]
    assert [row.values.get("strength") for row in rows[1:3]] == [Fraction(2, 3), 0]


def test_strength_is_a_mean_over_games():
    sheet = ["An Bi", "Bi An", "An Cu", "Em Gi"]
    strengths = {row.entrant: row.values["strength"] for row in rank(sheet, "strength", "points")}
    # An met Bi twice (who beats half) and Cu once (who beats nobody).
    assert strengths["An"] == Fraction(1, 3)


def test_a_guest_is_no_opponent_that_makes_strength():
    sheet = ["An Bi", "x An", "Bi x"]
    keys = ("points", "strength")
    rows = standings(tallies(sheet), Scoring(), (), keys, facts=facts(sheet), guests=["x"])
    # An met Bi once, who beats one of two.
    assert {row.entrant: row.values.get("strength") for row in rows}["An"] == Fraction(1, 2)


def test_opponents_with_too_few_games_still_make_strength():
    sheet = ["An Bi", "An Bi", "Em Gi", "Em Gi", "Gi x", "x An", "x Em"]
    rules = Scoring(minimum_games=3)
    rows = standings(tallies(sheet), rules, (), ("points", "strength"), facts=facts(sheet))
    assert table(rows) == ["1 x 6", "2 Em 6", "3 An 6", "4 Gi 3", "- Bi 0"]
    # An met x once, who beats two of three, and twice Bi, who beats nobody.
    assert [row.values["strength"] for row in rows[:3]] == [
        Fraction(5, 9),
        Fraction(4, 9),
        Fraction(2, 9),
    ]


def test_money_and_games_decide_last():
    money = {("An", 1): 500, ("Cu", 1): 2000}
    assert table(rank(FIRSTS, "points", "money", money=money))[:3] == ["1 Cu 4", "2 An 4", "3 Bi 4"]
    sheet = ["An Bi", "Cu An", "Em Gi"]
    assert table(rank(sheet, "points", "games"))[:3] == ["1 An 3", "2= Cu 3", "2= Em 3"]
    assert table(rank(sheet, "points", "fewer_games"))[:3] == ["1= Cu 3", "1= Em 3", "3 An 3"]


def test_a_large_group_without_meetings_stays_level_quickly():
    entrants = [f"p{i:05}" for i in range(5000)]
    rows = standings([], Scoring(), (), DEFAULT, entrants=entrants, facts=Facts())
    assert (rows[0].rank, rows[-1].rank, rows[-1].shared) == (1, 1, True)


def test_tie_breaks_say_which_facts_they_need():
    assert needs(DEFAULT) == {"ahead", "met"}
    assert needs(["points", "firsts", "games"]) == frozenset()
    assert needs(["points", "money"]) == {"money"}


@pytest.mark.parametrize("key", TIE_BREAKS)
def test_every_tie_break_has_a_short_name_that_ends_a_sentence(key):
    name = TIE_BREAKS[key].name
    assert name[0].islower()
    assert len(name) <= 40


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ([], "tie_breaks: must contain “points”, or points would not count."),
        (["firsts"], "tie_breaks: must contain “points”, or points would not count."),
        (["points", "points"], "tie_breaks: “points” is listed twice."),
        ("points", "tie_breaks: must be a list of names."),
        (None, "tie_breaks: must be a list of names."),
        ([["points"]], "tie_breaks: “['points']” is not a tie-break. Choose from: "
         + ", ".join(TIE_BREAKS) + "."),
    ],
)  # fmt: skip
def test_a_list_that_cannot_decide_is_refused(keys, message):
    with pytest.raises(FieldError) as caught:
        check_tie_breaks(keys)
    assert str(caught.value) == message


def test_a_good_list_comes_back_as_it_is():
    assert check_tie_breaks(["points", "money"]) == ("points", "money")


def test_who_has_not_played_follows_all_who_have():
    fined = [AdjustmentFact("Bi", Fraction(-9), "late")]
    sheet = ["An Bi"]
    rows = standings(tallies(sheet), Scoring(), fined, facts=facts(sheet), entrants=["Idle"])
    assert table(rows) == ["1 An 3", "2 Bi -9", "3 Idle 0"]
