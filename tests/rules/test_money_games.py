"""Đếm lá, nhất ăn tất, and the settings of the money game."""

from tests.rules.games import endgame, table
from tests.rules.hands import PR3, PR5, QUAD, SIX_PAIRS
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

# Thirteen cards of players who have not played: no instant win, and a quad and two 2s or none.
UNPLAYED = "2C 2D 9S 9C 9D 9H 4S 5H 7D 8C TC JS KD"
PLAIN = ("3C 4D 5S 6H 7S 8D TH JC QS QD KC AS AD", "3D 4C 5D 6S 7H 8H TS JD QC KH KS AC AH")
FIRST_OUT = {"game_ends": "one_left"}


def four(ruleset: str, *left: str, **record) -> Sheet:
    """Return the end of a game in which seat 0 goes out with its one play."""
    cards = left[0]
    return endgame(ruleset, *left, **record).plays(0, cards)


# When the game ends


@rule("money-games/end/1", flip=FIRST_OUT)
def test_the_first_out_ends_the_game_and_the_others_share():
    for ruleset in ("dem-la", "nhat-an-tat"):
        four(ruleset, "9H", "TH 4S", "JH 5S", "3S QH").over(0, (1, 2, 3))
        four(ruleset, "9H", "TH 4S", "JH 5S").over(0, (1, 2))
        four(ruleset, "9H", "TH 4S").over(0, 1)


@rule("money-games/end/2", flip=FIRST_OUT)
def test_nobody_beats_the_last_play_of_the_winner():
    sheet = four("dem-la", "2H", f"{QUAD} TH", "JH 5S").over(0, (1, 2))
    sheet.pays(
        (1, 0, 5, "cards_left"), (1, 0, 4, "bombs_left"), (2, 0, 2, "cards_left")
    )  # fmt: skip


@rule("money-games/end/3", flip=FIRST_OUT)
def test_an_instant_win_is_a_way_of_being_the_first_out():
    options = {"instant_win_then": "play_on"}
    table("dem-la", "", SIX_PAIRS, players=3, options=options).over(1, (0, 2))


# Paid by cards


@rule(
    "money-games/cards/1",
    flip=[{"losers_pay": "first"}, {"money": {"card": 2}}, {"betting": "none"}],
)
def test_every_loser_pays_for_each_card():
    sheet = four("dem-la", "9H", "TH 4S", "JH 5S 6S", "3S QH 7S 8S", stake=10)
    sheet.pays((1, 0, 20, "cards_left"), (2, 0, 30, "cards_left"), (3, 0, 40, "cards_left"))
    sheet.nets(90, -20, -30, -40)


@rule(
    "money-games/cards/2",
    flip=[
        {"left_paid": False}, {"money": {"black_two": 3}}, {"money": {"pair_run_3": 2}},
        {"money": {"pair_run_4": 3}}, {"left_counted": False},
    ],
)  # fmt: skip
def test_every_loser_pays_for_2s_and_bombs_beside_the_cards():
    four("dem-la", "3H", "TH 2S 2H", f"{PR3} KH", "7S 7C 8S 8C 9S 9C TS TC").pays(
        (1, 0, 3, "cards_left"), (1, 0, 3, "twos_left"),
        (2, 0, 7, "cards_left"), (2, 0, 3, "bombs_left"),
        (3, 0, 8, "cards_left"), (3, 0, 6, "bombs_left"),
    )  # fmt: skip


@rule("money-games/cards/3", flip=[{"money": {"cong": 13}}, {"left_paid": False}])
def test_who_has_played_nothing_pays_26_and_no_cards():
    sheet = four("dem-la", "8H", "TH 4C", "JH 5S", UNPLAYED)
    sheet.pays((1, 0, 2, "cards_left"), (2, 0, 2, "cards_left"), (3, 0, 33, "cong"))
    sheet.nets(37, -2, -2, -33)


@rule("money-games/cards/4", flip={"left_counted": True})
def test_cards_of_paid_2s_and_bombs_may_count_once():
    options = {"left_counted": False}
    sheet = four("dem-la", "3H", "TH 2S 2H", f"{PR3} KH", options=options)
    sheet.pays(
        (1, 0, 1, "cards_left"), (1, 0, 3, "twos_left"),
        (2, 0, 1, "cards_left"), (2, 0, 3, "bombs_left"),
    )  # fmt: skip


@rule("money-games/cards/5")
def test_further_pairs_of_a_long_run_count_as_cards():
    sheet = four("dem-la", "3H", f"{PR5} KH", options={"left_counted": False, "instant_wins": []})
    sheet.pays((1, 0, 3, "cards_left"), (1, 0, 6, "bombs_left"))


@rule("money-games/cards/6", flip={"money": {"instant_win": 4}})
def test_each_other_pays_26_for_an_instant_win():
    sheet = table("dem-la", "", SIX_PAIRS, players=3).over(1, (0, 2))
    sheet.pays((0, 1, 26, "instant_win"), (2, 1, 26, "instant_win"))


@rule("money-games/cards/7", flip={"losers_pay": "places"})
def test_in_a_game_for_all_places_the_last_alone_pays_by_the_card():
    sheet = endgame("mien-nam", "9H", "TH", "3S QH KH", options={"losers_pay": "cards"})
    sheet.plays(0, "9H").plays(1, "TH").over(0, 1, 2).pays((2, 0, 3, "cards_left"))


# Everybody pays the first


@rule("money-games/first/1", flip=[{"money": {"loser": 3}}, {"losers_pay": "cards"}])
def test_every_loser_pays_the_first_the_same():
    sheet = four("nhat-an-tat", "9H", "TH 4S", "JH 5S 6S", "3S QH 7S 8S")
    sheet.pays(*((seat, 0, 1, "loser") for seat in (1, 2, 3))).nets(3, -1, -1, -1)


@rule("money-games/first/2", flip=[{"left_paid": False}, {"money": {"quad": 2}}])
def test_every_loser_pays_the_first_for_2s_and_bombs():
    four("nhat-an-tat", "3H", "TH 2S 2H", f"{QUAD} KH").pays(
        (1, 0, 1, "loser"), (1, 0, 3, "twos_left"), (2, 0, 1, "loser"), (2, 0, 4, "bombs_left")
    )


@rule("money-games/first/3", flip={"money": {"cong": 4}})
def test_who_has_played_nothing_pays_two_in_place_of_one():
    sheet = four("nhat-an-tat", "8H", "TH 4C", "JH 5S", UNPLAYED)
    sheet.pays((1, 0, 1, "loser"), (2, 0, 1, "loser"), (3, 0, 9, "cong"))


@rule("money-games/first/4", flip={"money": {"instant_win": 4}})
def test_each_other_pays_two_for_an_instant_win():
    sheet = table("nhat-an-tat", "", SIX_PAIRS).over(1, (0, 2, 3))
    sheet.nets(-2, 6, -2, -2)


@rule("money-games/first/5", flip={"losers_pay": "places"})
def test_all_may_pay_the_first_where_places_are_played_for():
    sheet = endgame("mien-nam", "9H", "TH", "JH", "3S QH", options={"losers_pay": "first"})
    sheet.plays(0, "9H").plays(1, "TH").plays(2, "JH").over(0, 1, 2, 3)
    sheet.pays(*((seat, 0, 2, "loser") for seat in (1, 2, 3)))


# Settings


@rule("money-games/settings/1", flip={"left_paid": True})
def test_what_is_left_may_cost_nothing():
    options = {"left_paid": False}
    sheet = four("nhat-an-tat", "8H", "TH 2S", "JH 5S", UNPLAYED, options=options)
    sheet.pays((1, 0, 1, "loser"), (2, 0, 1, "loser"), (3, 0, 2, "cong"))


def chain(**options) -> Sheet:
    """Return a trick in which a red 2 is beaten by three pairs, and those by a quad."""
    sheet = table("mien-nam", "2H", PR3, QUAD, options=options)
    sheet.plays(0, "2H").plays(1, PR3).plays(2, QUAD)
    while sheet.seat != 2 or "pass" in sheet.choices:
        sheet.does(sheet.seat, "pass")
    return sheet


@rule("money-games/settings/2", flip={"chops_paid": "last"})
def test_each_link_of_a_chain_may_be_paid():
    chain(chops_paid="each").pays((0, 1, 2, "chop"), (1, 2, 2, "chop"))


@rule("money-games/settings/3", flip={"chop_multiple": 1})
def test_chops_may_cost_a_multiple():
    chain(chop_multiple=3).pays((1, 2, 12, "chop"))
    chain(chop_multiple=3, chops_paid="each").pays((0, 1, 6, "chop"), (1, 2, 6, "chop"))


@rule("money-games/settings/4", flip={"winner_doubles": ["bomb", "sweep"]})
def test_going_out_on_the_three_of_spades_may_double():
    options = {"winner_doubles": ["three_spades"]}
    four("dem-la", "3S", "TH 4S", options=options).pays((1, 0, 4, "cards_left"))
    four("dem-la", "3S 3C", "TH 4S", options=options).pays((1, 0, 2, "cards_left"))


@rule("money-games/settings/5", flip={"winner_doubles": ["three_spades", "sweep"]})
def test_going_out_with_a_bomb_may_double():
    options = {"winner_doubles": ["bomb"]}
    four("dem-la", QUAD, "TH 2S", options=options).pays(
        (1, 0, 4, "cards_left"), (1, 0, 2, "twos_left")
    )


@rule("money-games/settings/6", flip={"winner_doubles": ["three_spades", "bomb"]})
def test_going_out_before_anybody_has_played_may_double():
    options = {"winner_doubles": ["sweep"]}
    four("nhat-an-tat", "9H", *PLAIN, options=options).pays((1, 0, 4, "cong"), (2, 0, 4, "cong"))
    mixed = four("nhat-an-tat", "9H", "TH 4S", PLAIN[1].replace("TS", "TD"), options=options)
    mixed.pays((1, 0, 1, "loser"), (2, 0, 2, "cong"))


@rule("money-games/settings/7", flip={"winner_doubles": []})
def test_only_what_the_winner_gets_at_the_end_is_doubled():
    options = {"winner_doubles": ["three_spades"]}
    sheet = endgame("mien-nam", "3S", "TH", "JH", "4S QH", options=options).plays(0, "3S")
    sheet.plays(1, "TH").plays(2, "JH").over(0, 1, 2, 3)
    sheet.pays((3, 0, 4, "loser"), (2, 1, 1, "third"))


@rule("money-games/settings/8", flip={"most_paid": 0})
def test_nobody_may_pay_more_than_a_limit():
    options = {"most_paid": 4}
    sheet = four("dem-la", "8H", "TH 2S 4C", "JH 5S", UNPLAYED, options=options, stake=10)
    sheet.pays(
        (1, 0, 30, "cards_left"), (1, 0, 10, "twos_left"), (2, 0, 20, "cards_left"),
        (3, 0, 40, "cong"),
    )  # fmt: skip
