"""Tiến lên miền Bắc, `mien-bac`."""

from tests.rules.games import beats, leads, table
from tests.rules.games import endgame as endgame_of
from tests.rules.hands import (
    ALL_RED,
    FIVE_BLACK_PAIRS,
    FIVE_CONSECUTIVE_PAIRS,
    FOUR_TWOS,
    ONE_SUIT,
    SIX_PAIRS,
    SIX_PLAYABLE_PAIRS,
)
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

BLACK_PR3 = "4S 4C 5S 5C 6S 6C"
RED_PR3_HIGHER = "7D 7H 8D 8H 9D 9H"
BLACK_PR4 = "4S 4C 5S 5C 6S 6C 7S 7C"
QUAD = "9S 9C 9D 9H"
FOUR_THREES = "3S 3C 3D 3H 5S 6H 7C 8S 9D TH JC QH KC"
ANY_PAIRS = {"pairs_match": "any", "pair_runs_match": "any"}
ANY_SUITS = {"answers_match": False}
LATER = {"placings": [[0], [1], [2], [3]]}


def endgame(ruleset: str, *left: str) -> Sheet:
    """Return the end of a game; until then any suit was beaten by any."""
    return endgame_of(ruleset, *left, options={"answers_match": False})


@rule("mien-bac/play/1", flip={"pairs_match": "any"})
def test_mien_bac_pair_is_of_one_colour():
    assert leads("mien-bac", "7S 7C")
    assert leads("mien-bac", "7D 7H")
    assert not leads("mien-bac", "7S 7H")


@rule("mien-bac/play/2")
def test_mien_bac_pair_of_twos_may_be_any_two():
    assert leads("mien-bac", "2S 2H")
    assert beats("mien-bac", "2S 2H", by=QUAD)


@rule("mien-bac/play/3", flip={"straights_match": "any"})
def test_mien_bac_straight_is_of_one_suit():
    assert leads("mien-bac", "7S 8S 9S")
    assert not leads("mien-bac", "7S 8S 9C")


@rule("mien-bac/play/4", flip={"pair_runs_match": "any"})
def test_mien_bac_pair_run_is_of_one_colour():
    assert leads("mien-bac", BLACK_PR3)
    assert not leads("mien-bac", "4S 4C 5D 5H 6S 6C")


@rule("mien-bac/play/5", flip={"pair_runs_match": "colour"})
def test_mien_bac_pairs_of_a_run_may_be_of_a_colour_each():
    options = {"pair_runs_match": "any"}
    assert leads("mien-bac", "4S 4C 5D 5H 6S 6C", options=options)
    assert not leads("mien-bac", "4S 4H 5D 5H 6S 6C", options=options)


@rule("mien-bac/play/6", flip=ANY_SUITS)
def test_mien_bac_single_is_beaten_in_its_suit():
    assert beats("mien-bac", "7S", by="9S")
    assert not beats("mien-bac", "7S", by="9C")
    assert not beats("mien-bac", "7S", by="7H")


@rule("mien-bac/play/7", flip=ANY_SUITS)
def test_mien_bac_pair_is_beaten_in_its_colour():
    assert beats("mien-bac", "7S 7C", by="8S 8C")
    assert not beats("mien-bac", "7S 7C", by="8D 8H")


@rule("mien-bac/play/8", flip=ANY_SUITS)
def test_mien_bac_triple_is_beaten_in_its_three_suits():
    assert beats("mien-bac", "5S 5D 5H", by="8S 8D 8H")
    assert not beats("mien-bac", "5S 5D 5H", by="8C 8D 8H")


@rule("mien-bac/play/9", flip=ANY_SUITS)
def test_mien_bac_straight_is_beaten_in_its_suit():
    assert beats("mien-bac", "4S 5S 6S", by="7S 8S 9S")
    assert not beats("mien-bac", "4S 5S 6S", by="7H 8H 9H")


@rule("mien-bac/play/10", flip={"answers_free": []})
def test_mien_bac_triples_may_be_beaten_in_any_suits():
    options = {"answers_free": ["triple"]}
    assert beats("mien-bac", "5S 5D 5H", by="8C 8D 8H", options=options)
    assert not beats("mien-bac", "4S 5S 6S", by="7H 8H 9H", options=options)
    assert not beats("mien-bac", "7S", by="9C", options=options)


@rule("mien-bac/play/11", flip={"longest_pair_run": 3})
def test_mien_bac_may_have_no_pair_runs():
    options = {"longest_pair_run": 2}
    assert not leads("mien-bac", BLACK_PR3, options=options)
    assert not beats("mien-bac", "2H", by=BLACK_PR3, options=options)
    assert beats("mien-bac", "2H", by=QUAD, options=options)


@rule("mien-bac/play/12")
def test_mien_bac_twos_beat_any_lower_rank():
    assert beats("mien-bac", "AH", by="2S")
    assert beats("mien-bac", "AD AH", by="2S 2C")
    assert beats("mien-bac", "AC AD AH", by="2S 2C 2D")
    assert beats("mien-bac", "2S", by="2C")
    assert not beats("mien-bac", "2C", by="2S")


@rule("mien-bac/play/13")
def test_mien_bac_bombs_beat_their_kind_in_any_suit():
    assert beats("mien-bac", BLACK_PR3, by=RED_PR3_HIGHER)
    assert beats("mien-bac", QUAD, by="TS TC TD TH")


@rule("mien-bac/chops/1", flip={"chops": {"one_two": ["PR4", "PR5"]}})
def test_mien_bac_what_beats_a_single_two():
    assert beats("mien-bac", "2H", by=BLACK_PR3)
    assert beats("mien-bac", "2H", by=BLACK_PR4)
    assert beats("mien-bac", "2H", by=QUAD)
    assert not beats("mien-bac", "2H", by="4S 4C 5D 5H 6S 6C")


@rule("mien-bac/chops/2", flip={"chops": {"two_twos": ["PR3", "PR4"]}})
def test_mien_bac_what_beats_a_pair_of_twos():
    assert beats("mien-bac", "2S 2H", by=QUAD)
    assert beats("mien-bac", "2S 2H", by=BLACK_PR4)
    assert not beats("mien-bac", "2S 2H", by=BLACK_PR3)


@rule("mien-bac/chops/3", flip={"locked_out_chops": ["PR4"]})
def test_mien_bac_nobody_chops_after_a_pass():
    sheet = table("mien-bac", "5H", BLACK_PR4, "2S").plays(0, "5H").passes(1).plays(2, "2S")
    sheet.passes(3, 0).asks_seat(2)


@rule("mien-bac/chops/4", flip={"bombs_lead": True})
def test_mien_bac_bombs_may_have_to_wait():
    options = {"bombs_lead": False}
    assert not leads("mien-bac", QUAD, options=options)
    assert not leads("mien-bac", BLACK_PR3, options=options)
    assert beats("mien-bac", "2H", by=QUAD, options=options)


LONG = "4S 5S 6S 7S 8S"
LONG_CHOPS = {
    "chops": {
        "one_two": ["PR3", "PR4", "PR5", "Q", "S5+"], "two_twos": ["PR4", "PR5", "Q", "S5+"],
        "three_twos": ["PR5", "S6+"], "Q": ["PR4", "PR5", "S5+"],
        "PR3": ["PR4", "PR5", "Q", "S5+"], "S5+": ["PR4", "PR5"],
    }
}  # fmt: skip


@rule("mien-bac/chops/5", flip={"chops": {"one_two": ["Q"]}})
def test_mien_bac_long_straights_may_chop_twos():
    assert beats("mien-bac", "2H", by=LONG, options=LONG_CHOPS)
    assert beats("mien-bac", "2S 2H", by=LONG, options=LONG_CHOPS)
    assert not beats("mien-bac", "2S 2C 2H", by=LONG, options=LONG_CHOPS)
    assert beats("mien-bac", "2S 2C 2H", by=f"{LONG} 9S", options=LONG_CHOPS)
    assert not beats("mien-bac", "2H", by="4S 5S 6S 7S", options=LONG_CHOPS)
    assert not beats("mien-bac", "2H", by=LONG)


@rule("mien-bac/chops/6", flip={"chops": {"Q": []}})
def test_mien_bac_long_straights_rank_between_quads_and_four_pairs():
    assert beats("mien-bac", QUAD, by=LONG, options=LONG_CHOPS)
    assert beats("mien-bac", BLACK_PR3, by="TS JS QS KS AS", options=LONG_CHOPS)
    assert not beats("mien-bac", LONG, by="TS TC TD TH", options=LONG_CHOPS)
    assert beats("mien-bac", "4H 5H 6H 7H 8H", by=BLACK_PR4, options=LONG_CHOPS)


@rule("mien-bac/chops/7", flip={"chops": {"three_twos": []}})
def test_mien_bac_the_longer_of_two_long_straights_is_higher():
    options = {"chops": {"three_twos": ["S6+"]}}
    assert beats("mien-bac", "4C 5C 6C 7C 8C", by="4H 5H 6H 7H 8H", options=options)
    assert beats("mien-bac", "4H 5H 6H 7H 8H", by=f"{LONG} 9S", options=options)
    assert not beats("mien-bac", f"{LONG} 9S", by="TH JH QH KH AH", options=options)
    assert not beats("mien-bac", "4C 5C 6C", by="7H 8H 9H", options=options)


@rule("mien-bac/chops/8", flip={"chops": {"one_two": ["Q"]}})
def test_mien_bac_a_beaten_long_straight_costs_nothing():
    sheet = table("mien-bac", "2H", LONG, "9S 9C TS TC JS JC QS QC", options=LONG_CHOPS)
    sheet.plays(0, "2H").plays(1, LONG).plays(2, "9S 9C TS TC JS JC QS QC").passes(3, 0, 1)
    sheet.pays((0, 1, 4, "chop"))


@rule("mien-bac/end/1", flip={"last_play": "any"})
def test_mien_bac_nobody_goes_out_with_a_two():
    sheet = endgame("mien-bac", "9H TD", "2S", "JH 5S").plays(0, "9H").may_not("2S").passes(1)
    sheet.asks_seat(2)
    endgame("mien-bac", "2S 2C", "TD 4H").may("2S", "2C").may_not("2S 2C")


@rule("mien-bac/end/2", flip={"game_ends": "one_left"})
def test_mien_bac_a_lone_two_is_led():
    endgame("mien-bac", "2S", "TD 4H", "JH 5S").plays(0, "2S").over(0, (1, 2))


@rule("mien-bac/end/3", flip={"game_ends": "one_left"})
def test_mien_bac_the_first_out_ends_the_game():
    endgame("mien-bac", "9H", "TH 4H", "JH 5S").plays(0, "9H").over(0, (1, 2))


@rule("mien-bac/end/4", flip={"last_play": "any"})
def test_mien_bac_going_out_on_twos_may_lose():
    options = {"last_play": "twos_lose", "answers_match": False}
    sheet = endgame_of("mien-bac", "2S 2C", "TD 4H", "JH 5S", options=options).plays(0, "2S 2C")
    sheet.over((1, 2), 0).pays((0, 1, 26, "last_two"), (0, 2, 26, "last_two"))


THREE_SPADES = {"three_spades_last": True, "answers_match": False}


@rule("mien-bac/end/5", flip={"three_spades_last": False})
def test_mien_bac_three_spades_alone_may_win_at_once():
    sheet = endgame_of("mien-bac", "9H 3S", "TD 4H", "2H JS 5S", options=THREE_SPADES)
    sheet.plays(0, "9H").passes(1, 2).over(0, (1, 2))
    sheet.pays((1, 0, 26, "three_spades"), (2, 0, 26, "three_spades"))


@rule("mien-bac/end/6", flip={"three_spades_last": False})
def test_mien_bac_three_spades_alone_may_be_caught():
    sheet = endgame_of("mien-bac", "9H 3S", "TD 4H", "2H JS 5S", options=THREE_SPADES)
    sheet.plays(0, "9H").plays(1, "TD").over(1, (0, 2)).pays((0, 1, 26, "three_spades"))


@rule("mien-bac/instant/1", flip={"instant_wins": ["four_twos"]})
def test_mien_bac_four_threes_win_a_first_game():
    table("mien-bac", "", FOUR_THREES, players=3, leader=None).over(1, (0, 2))


@rule("mien-bac/instant/2")
def test_mien_bac_four_threes_win_no_later_game():
    table("mien-bac", "", FOUR_THREES, leader=None, previous=LATER).asks_seat(0)


@rule("mien-bac/instant/3", flip={"instant_wins": ["four_threes"]})
def test_mien_bac_other_hands_win_at_once():
    for hand in (FOUR_TWOS, ONE_SUIT, SIX_PLAYABLE_PAIRS, FIVE_BLACK_PAIRS, ALL_RED):
        table("mien-bac", "", hand, previous=LATER).over(1, (0, 2, 3)).nets(-13, 39, -13, -13)


@rule("mien-bac/instant/4", flip={"instant_pairs": "any"})
def test_mien_bac_pairs_of_two_colours_win_nothing():
    for hand in (SIX_PAIRS, FIVE_CONSECUTIVE_PAIRS):
        table("mien-bac", "", hand, leader=None, previous=LATER).asks_seat(0)


@rule("mien-bac/instant/5", flip=[{"instant_pairs": "any"}, {"instant_pairs": "playable"}])
def test_mien_bac_six_pairs_may_have_to_be_of_one_colour():
    options = {"instant_pairs": "one_colour"}
    hands = (SIX_PLAYABLE_PAIRS, "3S 3C 4S 4C 6S 6C 8S 8C TS TC 2S 2C KD")
    table("mien-bac", "", hands[0], leader=None, previous=LATER, options=options).asks_seat(0)
    table("mien-bac", "", hands[1], previous=LATER, options=options).over(1, (0, 2, 3))


@rule("mien-bac/instant/6", flip={"instant_win_ties": "turn"})
def test_mien_bac_the_higher_of_two_equal_hands_wins():
    lower = "3S 3C 5S 5C 7S 7C 9S 9C JS JC KS KC 4D"
    higher = "3D 3H 5D 5H 7D 7H 9D 9H JD JH KD KH 4S"
    table("mien-bac", lower, higher, previous=LATER).over(1, (0, 2, 3))


@rule("mien-bac/instant/7", flip={"instant_wins": ["four_threes"]})
def test_mien_bac_three_pairs_with_three_spades_may_win_a_first_game():
    options = {"instant_wins": ["three_pairs_with_three_spades"]}
    black = "3S 3C 4S 4C 5S 5C 7D 8H 9D JH QC KD AS"
    mixed = "3S 3C 4S 4D 5S 5C 7D 8H 9D JH QC KD AS"
    table("mien-bac", "", black, players=3, leader=None, options=options).over(1, (0, 2))
    table("mien-bac", "", black, leader=None, previous=LATER, options=options).asks_seat(0)
    table("mien-bac", "", mixed, players=3, leader=None, options=options).asks_seat(1)


@rule("mien-bac/money/1", flip=[{"money": {"card": 2}}, {"left_counted": True}])
def test_mien_bac_other_cards_cost_one():
    sheet = endgame("mien-bac", "9H", "TH 4S 2S", "JH 5S 6S").plays(0, "9H")
    sheet.pays((1, 0, 2, "cards_left"), (1, 0, 2, "twos_left"), (2, 0, 3, "cards_left"))


@rule("mien-bac/money/2", flip=[{"left_paid": False}, {"money": {"pair_run_3": 2}}])
def test_mien_bac_twos_and_bombs_cost_their_own():
    sheet = endgame("mien-bac", "3H", "TH 2S 2H", f"{BLACK_PR3} KH", QUAD).plays(0, "3H")
    sheet.pays(
        (1, 0, 1, "cards_left"), (1, 0, 6, "twos_left"),
        (2, 0, 1, "cards_left"), (2, 0, 6, "bombs_left"), (3, 0, 8, "bombs_left"),
    )  # fmt: skip


@rule("mien-bac/money/3", flip=ANY_PAIRS)
def test_mien_bac_pairs_of_two_colours_left_are_no_bomb():
    sheet = endgame("mien-bac", "3H", "4S 4C 5D 5H 6S 6C", "TS 4D").plays(0, "3H")
    sheet.pays((1, 0, 6, "cards_left"), (2, 0, 2, "cards_left"))


@rule("mien-bac/money/4", flip={"chops_paid": "last"})
def test_mien_bac_each_link_of_a_chain_is_paid():
    sheet = table("mien-bac", "2H", BLACK_PR3, QUAD).plays(0, "2H").plays(1, BLACK_PR3)
    sheet.plays(2, QUAD).passes(3, 0, 1).pays((0, 1, 4, "chop"), (1, 2, 6, "chop"))


NO_CARD = "4S 6S 8S TS QS AS 3D 5D 7D 9D JD KD 2H"


def cong(**options: object) -> Sheet:
    """Return the end of a game of two in which seat 1 has played no card, and holds a red 2."""
    deal = {"cards_each": {"2": 13}, "game_ends": "first_out", "answers_match": False}
    first = "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S"
    sheet = table(
        "mien-bac", first, NO_CARD, players=2, options={**deal, "instant_wins": [], **options}
    )
    return sheet.plays(0, "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH").passes(1).plays(0, "2S")


@rule("mien-bac/money/5", flip={"cong_place": False})
def test_mien_bac_cong_may_pay_for_the_place_too():
    sheet = cong(losers_pay="first", cong_place=True, last_play="any")
    sheet.pays((1, 0, 30, "cong"), (1, 0, 2, "loser"))
    sheet = cong(losers_pay="first", cong_place=True, last_play="any", most_paid=31)
    sheet.pays((1, 0, 30, "cong"), (1, 0, 1, "loser"))


@rule("mien-bac/money/6", flip={"cong_multiple": 1})
def test_mien_bac_cong_may_multiply_what_is_held():
    cong(cong_multiple=2, last_play="any").pays((1, 0, 34, "cong"))


@rule("mien-bac/money/7", flip={"money": {"loser_2": 0}})
def test_mien_bac_last_may_pay_less_with_fewer_players():
    options = {"losers_pay": "first", "money": {"loser": 3, "loser_2": 1}, "left_paid": False}
    endgame_of("mien-bac", "9H", "4H 5S", options={**options, "answers_match": False}).plays(
        0, "9H"
    ).pays((1, 0, 1, "loser"))
