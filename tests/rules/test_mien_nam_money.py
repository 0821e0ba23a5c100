"""What is paid in the Southern money game, `mien-nam`."""

from tests.rules.games import endgame, table
from tests.rules.hands import (
    PR3,
    PR3_HIGHER,
    PR4,
    PR4_HIGHER,
    PR5_HIGHER,
    QUAD,
    QUAD_HIGHER,
    SIX_PAIRS,
)
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

NO_MONEY = {"betting": "none"}
# Thirteen cards of a player who has not played: no instant win, a quad and two 2s.
UNPLAYED = "2C 2D 9S 9C 9D 9H 4S 5H 7D 8C TC JS KD"


def money(**amounts: int) -> dict:
    """Return the flip that changes what something costs."""
    return {"money": amounts}


# Places


def four_go_out(**record) -> Sheet:
    """Return a finished game in which the seats went out in their order."""
    sheet = endgame("mien-nam", "9H", "TH", "JH", "3S QH", **record).plays(0, "9H")
    return sheet.plays(1, "TH").plays(2, "JH").over(0, 1, 2, 3)


@rule("mien-nam/places/1", "mien-nam/places/2", flip=[money(loser=3), money(third=2), NO_MONEY])
def test_mien_nam_last_pays_first_and_third_pays_second():
    four_go_out(stake=10).pays((3, 0, 20, "loser"), (2, 1, 10, "third")).nets(20, 10, -10, -20)


@rule("mien-nam/places/3", flip=NO_MONEY)
def test_mien_nam_only_the_last_pays_with_fewer_than_four():
    three = endgame("mien-nam", "9H", "TH", "3S QH").plays(0, "9H").plays(1, "TH")
    three.over(0, 1, 2).pays((2, 0, 2, "loser"))
    two = endgame("mien-nam", "9H", "3S TH").plays(0, "9H").over(0, 1)
    two.pays((1, 0, 2, "loser"))


# Chặt


def chopped(*plays: str, **record) -> Sheet:
    """Return the end of a trick in which each seat played its combination on the one before."""
    sheet = table("mien-nam", *plays, **record)
    for seat, cards in enumerate(plays):
        sheet.plays(seat, cards)
    while sheet.result["payments"] == [] and "pass" in sheet.choices:
        sheet.does(sheet.seat, "pass")
    return sheet


@rule("mien-nam/chat/1", flip=[money(black_two=3), money(red_two=5), NO_MONEY])
def test_mien_nam_beaten_twos_are_paid_by_colour():
    chopped("2S", PR3).pays((0, 1, 1, "chop"))
    chopped("2H", PR3).pays((0, 1, 2, "chop"))
    chopped("2C 2D", PR4, stake=10).pays((0, 1, 30, "chop"))


@rule(
    "mien-nam/chat/2",
    "mien-nam/chat/3",
    flip=[money(pair_run_3=5), money(quad=5), money(red_two=1)],
)
def test_mien_nam_last_beaten_owes_the_whole_chain():
    chopped("2H", PR3, QUAD).pays((1, 2, 4, "chop"))
    chopped("2H", PR3, QUAD, QUAD_HIGHER).pays((2, 3, 6, "chop"))


@rule("mien-nam/chat/3", flip=[money(pair_run_4=5), money(pair_run_3=5)])
def test_mien_nam_each_bomb_beaten_counts_two():
    chopped(PR4, PR4_HIGHER).pays((0, 1, 2, "chop"))
    chopped(PR3, PR4_HIGHER).pays((0, 1, 2, "chop"))
    options = {"instant_wins": []}
    chopped("2S", PR4, PR5_HIGHER, options=options).pays((1, 2, 3, "chop"))


@rule("mien-nam/chat/4", flip=[money(pair_run_3=5), NO_MONEY])
def test_mien_nam_bomb_on_a_led_bomb_of_its_kind_is_paid():
    chopped(PR3, PR3_HIGHER).pays((0, 1, 2, "chop"))
    chopped(QUAD, QUAD_HIGHER).pays((0, 1, 2, "chop"))


@rule("mien-nam/chat/5")
def test_mien_nam_two_on_a_two_is_not_paid():
    chopped("2S", "2H").pays()
    chopped("2S", "2H", PR3).pays((1, 2, 2, "chop"))


@rule("mien-nam/chat/6")
def test_mien_nam_chops_are_paid_by_and_to_seats_that_are_out():
    sheet = endgame("mien-nam", "2H 5D", PR3, f"{QUAD} 7D", "8S TD").plays(0, "2H")
    sheet.plays(1, PR3).places(1).plays(2, QUAD).passes(3, 0).pays((1, 2, 4, "chop"))
    last = endgame("mien-nam", "2H", PR3, "3D 7D", "8S TD").plays(0, "2H").plays(1, PR3)
    last.places(0, 1).passes(2, 3).pays((0, 1, 2, "chop"))


# Cóng


def cong(hand: str = UNPLAYED, **record) -> Sheet:
    """Return a game in which seat 0 has gone out and seat 3 has played no card."""
    sheet = endgame("mien-nam", "AH", "KS 5D", "2H QS", hand, **record).plays(0, "AH")
    return sheet.passes(1, 2, 3)


@rule("mien-nam/cong/1", flip=[money(cong=5), NO_MONEY])
def test_mien_nam_who_has_played_nothing_pays_the_first_four():
    nothing = "3D 3H 4C 5H 6S 7D 8C TC JS QD KD KH AD"
    cong(nothing, stake=10).pays((3, 0, 40, "cong"))


@rule("mien-nam/cong/2", flip=[money(quad=5), money(black_two=3), money(red_two=5)])
def test_mien_nam_who_has_played_nothing_pays_for_his_twos_and_bombs():
    cong().pays((3, 0, 4 + 1 + 2 + 2, "cong"))


@rule("mien-nam/cong/3")
def test_mien_nam_who_has_played_nothing_plays_on():
    cong().asks_seat(1).plays(1, "5D").passes(2).asks_seat(3).plays(3, "7D")


@rule("mien-nam/cong/4")
def test_mien_nam_place_payments_of_who_played_nothing_lapse():
    sheet = cong().plays(1, "KS").passes(2, 3).plays(1, "5D").places(0, 1).plays(2, "QS")
    sheet.passes(3).plays(2, "2H").over(0, 1, 2, 3).pays((3, 0, 9, "cong"), (2, 1, 1, "third"))


@rule("mien-nam/cong/4")
def test_mien_nam_place_payments_lapse_when_cong_costs_nothing():
    hand = "3D 3H 4C 5H 6S 7D 8C TC JS QD KD KH AD"
    options = {"money": {"cong": 0}}
    endgame("mien-nam", "AH", hand, options=options).plays(0, "AH").over(0, 1).pays()


@rule("mien-nam/cong/5")
def test_mien_nam_who_played_nothing_pays_no_thoi():
    sheet = cong().plays(1, "KS").passes(2, 3).plays(1, "5D").plays(2, "QS").passes(3)
    paid = sheet.plays(2, "2H").result["payments"]
    assert {payment["reason"] for payment in paid if payment["from"] == 3} == {"cong"}


@rule("mien-nam/cong/6", flip=money(cong=5))
def test_mien_nam_loser_of_two_who_has_played_nothing_pays_cong_alone():
    sheet = endgame("mien-nam", "AH", "3D 3H 4C 5H 6S 7D 8C TC JS QD KD KH AD").plays(0, "AH")
    sheet.over(0, 1).pays((1, 0, 4, "cong"))


# Thối


def left_with(hand: str, **record) -> Sheet:
    """Return a finished game that seat 1 lost holding this hand and a 3."""
    return endgame("mien-nam", "AH", f"3S {hand}", **record).plays(0, "AH").over(0, 1)


@rule("mien-nam/thoi/1", flip=[money(black_two=3), money(red_two=5)])
def test_mien_nam_last_pays_for_twos_left():
    left_with("2S").pays((1, 0, 2, "loser"), (1, 0, 1, "twos_left"))
    left_with("2S 2H", stake=10).pays((1, 0, 20, "loser"), (1, 0, 30, "twos_left"))


@rule("mien-nam/thoi/2", flip=[money(quad=5), money(pair_run_3=5), money(pair_run_4=5)])
def test_mien_nam_last_pays_for_bombs_left_without_a_common_card():
    for hand, bombs in (
        (QUAD, 2),
        (PR3, 2),
        (PR4, 2),
        ("4S 4C 4D 4H 5S 5C 6S 6C", 2),
        ("4S 4C 4D 4H 5S 5C 6S 6C 7S 7C", 4),
    ):
        left_with(hand).pays((1, 0, 2, "loser"), (1, 0, bombs, "bombs_left"))


@rule("mien-nam/thoi/3")
def test_mien_nam_four_twos_left_are_no_quad():
    options = {"instant_wins": []}
    left_with("2S 2C 2D 2H", options=options).pays((1, 0, 2, "loser"), (1, 0, 6, "twos_left"))


# Examples


@rule("mien-nam/examples/1", flip=[money(red_two=1), money(pair_run_3=1), money(third=2)])
def test_mien_nam_example_of_a_chain_and_a_two_left():
    sheet = endgame("mien-nam", "2H JD", f"{PR3} 2S 4D", f"{QUAD} TH", "7D").plays(0, "2H")
    sheet.plays(1, PR3).plays(2, QUAD).passes(3, 0, 1).plays(2, "TH").passes(3).plays(0, "JD")
    sheet.passes(1).plays(1, "4D").plays(3, "7D").over(2, 0, 3, 1)
    sheet.pays((1, 2, 4, "chop"), (1, 2, 2, "loser"), (1, 2, 1, "twos_left"), (3, 0, 1, "third"))
    sheet.nets(1, -7, 7, -1)


@rule("mien-nam/examples/2", flip=[money(cong=5), money(loser=3), money(red_two=3)])
def test_mien_nam_example_of_a_player_who_had_played_nothing():
    sheet = cong().plays(1, "KS").passes(2, 3).plays(1, "5D").places(0, 1).passes(2).plays(3, "7D")
    for cards in ("9S 9C 9D 9H", "2C 2D", "4S", "5H", "8C", "TC", "JS"):
        sheet.plays(3, cards).passes(2)
    sheet.plays(3, "KD").over(0, 1, 3, 2).nets(13, 0, -4, -9)


@rule("mien-nam/examples/3", flip=[money(instant_win=5), {"instant_win_then": "play_on"}])
def test_mien_nam_example_of_an_instant_win_among_three():
    table("mien-nam", "", SIX_PAIRS, players=3).over(1, (0, 2)).nets(-4, 8, -4)


# Settings


@rule("mien-nam/settings/1", flip=[{"money": {"loser": 2}}, {"money": {"third": 1}}])
def test_mien_nam_amounts_are_settings():
    four_go_out(options={"money": {"loser": 5, "third": 3}}).nets(5, 3, -3, -5)
