"""Document `penguin`: the printed book's main game and its Viet Cong."""

from tests.rules.games import beats, endgame, leads, rules, starts, table
from tests.rules.hands import FOUR_TWOS, PR3, PR3_HIGHER, PR4, PR5, QR2, QR3, QUAD
from tests.rules.marker import rule

TRADING = {"exchange": ["negotiated"]}
# Seven pairs and two consecutive quads only fit into seventeen cards.
SEVENTEEN = {"cards_each": {"3": 17}}
PR7 = "4S 4C 5S 5C 6S 6C 7S 7C 8S 8C 9S 9C TS TC"


# Deal and leads


@rule("penguin/deal/1", flip={"first_dealer": "agreed"})
def test_penguin_first_dealer_is_drawn_at_random():
    assert rules("penguin")["first_dealer"] == "random"


@rule("penguin/deal/2", flip={"cards_each": {"4": 12}})
def test_penguin_deals_thirteen_each():
    assert [n for n in (2, 3, 4) if starts("penguin", players=n, each=13)] == [2, 3, 4]
    assert not starts("penguin", players=3, each=17)


@rule("penguin/deal/3", flip={"deal_all": True})
def test_penguin_does_not_use_the_excess_cards():
    assert not starts("penguin", players=2, each=26)
    assert starts("penguin", players=2, each=13)


@rule("penguin/deal/4", flip={"cards_each": {"3": 13}})
def test_penguin_three_players_may_get_seventeen():
    assert starts("penguin", players=3, each=17, options=SEVENTEEN)
    assert not starts("penguin", players=3, each=13, options=SEVENTEEN)


@rule("penguin/play/1", flip={"first_play": "any"})
def test_penguin_first_lead_is_the_three_of_spades_alone():
    sheet = table("penguin", "", "3S 3D 4S 5C", leader=None).asks_seat(1)
    assert sheet.choices == ["3S"]


@rule("penguin/play/2", flip={"later_games_led_by": "lowest"})
def test_penguin_later_leads_are_any_combination():
    hand = "5S 6C 7D 9S 9C 9D 9H"
    second = table("penguin", hand).plays(0, "5S").passes(1, 2, 3).asks_seat(0)
    second.may("6C", "9S 9C", "9S 9C 9D", "9S 9C 9D 9H")
    previous = {"placings": [[2], [0], [1], [3]], "chops": []}
    later = table("penguin", "", "3S", hand, leader=None, previous=previous).asks_seat(2)
    later.may("6C", "9S 9C", "9S 9C 9D", "9S 9C 9D 9H", "5S 6C 7D")


@rule("penguin/play/8", flip={"twos_top_pair_runs": False})
def test_penguin_pair_runs_reach_the_pair_of_twos():
    assert leads("penguin", "3S 3C 4S 4C 5S 5C")
    assert leads("penguin", "QS QC KS KC AS AC 2S 2C")
    assert not leads("penguin", "2S 2C 3S 3C 4S 4C")


@rule("penguin/play/16", flip={"pass_locks": False})
def test_penguin_who_passed_goes_on_passing():
    sheet = table("penguin", "5S 9S 4D", "8S", "7S", "6S").plays(0, "5S").passes(1)
    sheet.plays(2, "7S").passes(3).plays(0, "9S").asks_seat(2).passes(2)
    sheet.asks_seat(0).plays(0, "4D").asks_seat(1).may("8S")


@rule("penguin/play/17", "penguin/play/18", flip={"forward": True})
def test_penguin_trick_ends_when_all_others_have_passed():
    sheet = table("penguin", "5S 4D 9S", "6S").plays(0, "5S").plays(1, "6S").passes(2, 3)
    sheet.plays(0, "9S").passes(1).asks_seat(0).may_not("pass").may("4D")


# Beating twos


@rule(
    "penguin/twos/1",
    flip=[
        {"quads_beat_singles": True},
        {"pair_runs_beat_singles": True},
        {"quads_beat_pair_runs": True},
        {"triples_beat_aces": True},
        {"chops": {"Q": ["PR4"]}},
    ],
)
def test_penguin_only_twos_are_beaten_by_another_kind():
    for bomb in (PR3, PR4, PR5, QUAD):
        for other in ("AH", "KS KD", "QS QC QD", "TS JC QD KS"):
            assert not beats("penguin", other, by=bomb)
    for bomb in (PR3, PR4):
        assert not beats("penguin", bomb, by=QUAD)
    assert not beats("penguin", QUAD, by=PR4)
    assert not beats("penguin", "KH", by="AS AC AD")
    assert not beats("penguin", "AH", by="QS QC QD")


@rule("penguin/twos/3", flip=[{"chops": {"one_two": ["PR3"]}}, {"chops": {"two_twos": ["Q"]}}])
def test_penguin_quad_beats_a_single_two():
    assert beats("penguin", "2H", by=QUAD)
    assert not beats("penguin", "2S 2C", by=QUAD)


@rule("penguin/twos/4", flip=[{"chops": {"one_two": ["Q"]}}, {"chops": {"two_twos": ["PR3"]}}])
def test_penguin_three_pairs_beat_a_single_two():
    assert beats("penguin", "2H", by="3S 3C 4S 4C 5S 5C")
    assert not beats("penguin", "2S 2C", by="3S 3C 4S 4C 5S 5C")


@rule(
    "penguin/twos/5",
    flip=[{"chops": {"two_twos": []}}, {"chops": {"one_two": ["PR3", "PR4", "Q"]}}],
)
def test_penguin_four_pairs_beat_a_pair_of_twos():
    four = "6S 6C 7S 7C 8S 8C 9S 9C"
    assert beats("penguin", "2D 2H", by=four)
    assert not beats("penguin", "2H", by=four)
    assert not beats("penguin", "2S 2D 2H", by=four)


@rule(
    "penguin/twos/6", flip=[{"chops": {"three_twos": []}}, {"chops": {"two_twos": ["PR4", "PR5"]}}]
)
def test_penguin_five_pairs_beat_three_twos():
    five = "TS TC JS JC QS QC KS KC AS AC"
    assert beats("penguin", "2C 2D 2H", by=five)
    assert not beats("penguin", "2D 2H", by=five)


@rule("penguin/twos/7", flip={"chops": {"one_two": ["Q"]}})
def test_penguin_twos_are_beaten_whether_led_or_played_on_something():
    assert beats("penguin", "2S", by=PR3)
    table("penguin", "KD", "2S", PR3).plays(0, "KD").plays(1, "2S").asks_seat(2).may(PR3)
    table("penguin", "2S", "2D", PR3).plays(0, "2S").plays(1, "2D").asks_seat(2).may(PR3)


@rule("penguin/twos/8", flip=[{"pass_locks": False}, {"chops": {"PR3": ["Q"]}}])
def test_penguin_bomb_on_a_two_is_beaten_by_a_higher_one_of_its_kind():
    sheet = table("penguin", "TS", PR3_HIGHER, "2S QS QC QD QH", PR3).plays(0, "TS").passes(1)
    sheet.plays(2, "2S").plays(3, PR3).passes(0).asks_seat(2).may_not("QS QC QD QH")
    sheet.refuses(1, "play", cards=PR3_HIGHER)
    open_ = table("penguin", "2S", PR3, PR3_HIGHER).plays(0, "2S").plays(1, PR3)
    open_.asks_seat(2).plays(2, PR3_HIGHER).asks_seat(3)


# Ending


@rule("penguin/ending/3", flip=[{"betting": "none"}, {"betting": "loser_pays_winner"}])
def test_penguin_last_player_pays_each_of_the_others():
    sheet = endgame("penguin", "9H", "TH", "3S QH", stake=2).plays(0, "9H").plays(1, "TH")
    sheet.over(0, 1, 2).pays((2, 0, 2, "loser"), (2, 1, 2, "loser")).nets(2, 2, -4)


@rule("penguin/dont-forget/1", flip={"direction": "counter-clockwise"})
def test_penguin_turns_go_clockwise():
    assert rules("penguin")["direction"] == "clockwise"
    assert rules("viet-cong")["direction"] == "clockwise"


# Viet Cong


@rule("penguin/vc/3", flip=[{"instant_wins": []}, {"instant_wins_declared": "choice"}])
def test_viet_cong_four_twos_win_by_themselves():
    table("viet-cong", "5S", FOUR_TWOS).places(1).asks_seat(0).plays(0, "5S").asks_seat(2)


@rule("penguin/vc/4", flip=[{"first_play": "alone"}, {"later_games_led_by": "winner"}])
def test_viet_cong_opens_with_three_of_spades_in_a_combination():
    later = {"placings": [[2], [0], [1], [3]], "chops": []}
    for previous in (None, later):
        sheet = table("viet-cong", "", "3S 3D 4S 5C 9H 9D", leader=None, previous=previous)
        sheet.asks_seat(1).may_only("3S", "3S 3D", "3S 4S 5C")


@rule("penguin/vc/5", flip={"twos_top_straights": True})
def test_viet_cong_single_sequences_end_with_the_ace():
    assert leads("viet-cong", "QS KC AD")
    assert not leads("viet-cong", "KC AD 2S")


@rule("penguin/vc/6", flip=[{"twos_top_pair_runs": False}, {"quad_runs": False}])
def test_viet_cong_only_multiple_sequences_hold_twos():
    assert leads("viet-cong", "KS KC AS AC 2S 2C")
    quads = "AS AC AD AH 2S 2C 2D 2H 3C 5D 7H 9S JC"
    assert table("viet-cong", quads, options=TRADING).may("AS AC AD AH 2S 2C 2D 2H")
    assert not leads("viet-cong", "QS KC AD 2S")


@rule("penguin/vc/10", flip=[{"chops": {"one_two": []}}, {"chops": {"one_two": ["PR3", "Q"]}}])
def test_viet_cong_three_pairs_beat_a_single_two():
    assert beats("viet-cong", "2H", by=PR3)
    assert not beats("viet-cong", "2H", by=QUAD)


@rule(
    "penguin/vc/11", "thirteen/vc/1",
    flip=[
        {"chops": {"two_twos": ["PR5"]}},
        {"chops": {"two_twos": ["QR2"]}},
        {"chops": {"two_twos": ["PR4", "PR5", "QR2"]}},
    ],
)  # fmt: skip
def test_viet_cong_five_pairs_or_two_quads_beat_a_pair_of_twos():
    assert beats("viet-cong", "2D 2H", by=PR5)
    assert beats("viet-cong", "2D 2H", by=QR2)
    assert not beats("viet-cong", "2D 2H", by=PR4)


@rule(
    "penguin/vc/12", flip=[{"chops": {"three_twos": ["PR7"]}}, {"chops": {"three_twos": ["QR3"]}}]
)
def test_viet_cong_seven_pairs_or_three_quads_beat_three_twos():
    for bomb in (PR7, QR3):
        wide = {"players": 3, "each": 17, "options": SEVENTEEN}
        assert beats("viet-cong", "2C 2D 2H", by=bomb, **wide)
    assert not beats("viet-cong", "2C 2D 2H", by=PR5)


@rule("penguin/vc/13", flip={"trading_ends_instant_wins": False})
def test_viet_cong_four_twos_do_not_win_when_there_is_trading():
    table("viet-cong", "5S", FOUR_TWOS, options=TRADING).places().asks_seat(0)


@rule("penguin/vc/14", flip=[{"trade_equal": False}, {"exchange": []}])
def test_viet_cong_two_players_swap_equal_numbers_before_the_first_lead():
    sheet = table("viet-cong", "5S 6S", "7S 8S", options=TRADING)
    sheet.refuses_trade(0, 1, give="5S", take="7S 8S")
    sheet.trades(0, 1, give="5S 6S", take="7S 8S").holds(0, "7S 8S").holds(1, "5S 6S")
    sheet.plays(0, "7S").refuses_trade(0, 1, give="8S", take="5S")
