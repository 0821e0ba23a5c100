"""Document `killa`: Killa of Honolulu, with bombs that are paid for."""

from tests.rules.games import beats, endgame, leads, rules, starts, table
from tests.rules.hands import (
    DRAGON_TO_ACE,
    FOUR_TWOS,
    PR3,
    PR4,
    PR4_HIGHER,
    PR5,
    PR5_HIGHER,
    QUAD,
    QUAD_HIGHER,
    SIX_PAIRS,
)
from tests.rules.marker import rule

ONE_TWO = {"PR3", "PR4", "PR5", "Q"}
TWO_TWOS = {"PR4", "PR5", "Q"}
NO_MONEY = {"betting": "none"}


def without(field: str, names: set[str], *left_out: str) -> dict:
    """Return the flip that takes some chops out of a row of the table."""
    return {"chops": {field: sorted(names - set(left_out))}}


# Players, deal, leads


@rule("killa/players/1", flip=[{"max_players": 3}, {"min_players": 3}])
def test_killa_is_for_two_to_four_players():
    assert [n for n in range(2, 5) if starts("killa", players=n)] == [2, 3, 4]
    assert not starts("killa", players=5, each=10)


@rule("killa/players/2", flip={"cards_each": {"3": 17}})
def test_killa_deals_thirteen_each():
    for players in (2, 3, 4):
        assert starts("killa", players=players, each=13)
    assert not starts("killa", players=3, each=17)
    assert not starts("killa", players=2, each=12)


@rule("killa/players/3", flip={"deal_all": True})
def test_killa_leaves_the_other_cards_out():
    assert starts("killa", players=2, each=13)
    assert not starts("killa", players=2, each=26)


@rule("killa/play/1", flip={"later_games_led_by": "winner"})
def test_killa_lowest_card_leads_every_game():
    later = {"placings": [[2], [0], [1], [3]], "chops": []}
    for previous in (None, later):
        sheet = table("killa", "", "3S", "9S", leader=None, previous=previous)
        sheet.asks_seat(1).may("3S")


@rule("killa/play/3", flip={"lowest_cards_revealed": False})
def test_killa_lowest_cards_may_be_revealed():
    hands = ("3C KS", "4S", "3S")
    shown = table("killa", *hands, leader=None, options={"lowest_cards_revealed": True}, players=3,
                  avoid="3D 3H 4C 4D 4H")  # fmt: skip
    assert shown.lowest_cards(1) == ["3C", "4S", "3S"]


@rule("killa/play/4", flip={"first_play": "alone"})
def test_killa_lowest_card_is_led_alone_or_in_a_combination():
    sheet = table("killa", "", "3S 3D 4S 5C 9H 9D", leader=None).asks_seat(1)
    sheet.may_only("3S", "3S 3D", "3S 4S 5C")


@rule("killa/play/6", flip={"direction": "counter-clockwise"})
def test_killa_goes_round_clockwise():
    assert rules("killa")["direction"] == "clockwise"
    sheet = table("killa", "5S", "6S", "7S", "8S 9S").plays(0, "5S").plays(1, "6S")
    sheet.plays(2, "7S").plays(3, "8S").passes(0, 1, 2).asks_seat(3)


@rule("killa/play/9", flip={"later_games_led_by": "lowest"})
def test_killa_previous_winner_may_lead_as_a_variation():
    previous = {"placings": [[2], [0], [1], [3]], "chops": []}
    options = {"later_games_led_by": "winner"}
    sheet = table("killa", "", "3S", "9S 9C", leader=None, previous=previous, options=options)
    sheet.asks_seat(2).may("9S", "9S 9C").plays(2, "9S").asks_seat(3)


@rule("killa/play/11", flip={"first_card_to_winner": False})
def test_killa_loser_deals_first_to_the_winner():
    sheet = endgame("killa", "9H", "TH", "3S QH").plays(0, "9H").plays(1, "TH").over(0, 1, 2)
    assert sheet.result["dealer_next"] == 2
    assert rules("killa")["first_card_to_winner"] is True


@rule("killa/play/12", flip={"first_dealer": "agreed"})
def test_killa_first_dealer_draws_the_highest_card():
    assert rules("killa")["first_dealer"] == "highest_cut"


# Passing and going on alone


@rule("killa/rounds/1", flip={"pass_locks": False})
def test_killa_pass_locks_out_until_a_play_stands():
    sheet = table("killa", "5S 9S 4D", "8S", "7S", "6S").plays(0, "5S").passes(1)
    sheet.plays(2, "7S").passes(3).plays(0, "9S").asks_seat(2).passes(2).passes(0)
    sheet.plays(0, "4D").asks_seat(1).may("8S")


@rule("killa/rounds/2", flip={"forward": False})
def test_killa_unbeaten_player_may_beat_his_own_play():
    sheet = table("killa", "6D 6H 8S 8H 5D 5H").plays(0, "6D 6H").passes(1, 2, 3).asks_seat(0)
    sheet.may_only("8S 8H", "pass")


@rule("killa/rounds/4", flip=[{"forward": False}, {"pass_locks": False}])
def test_killa_nobody_else_plays_until_he_leads_something_else():
    sheet = table("killa", "6D 6H 8S 8H 4D", "9S 9H").plays(0, "6D 6H").passes(1, 2, 3)
    sheet.plays(0, "8S 8H").asks_seat(0).refuses(1, "play", cards="9S 9H").passes(0)
    sheet.plays(0, "4D").asks_seat(1)


@rule("killa/rounds/6", flip={"forward": False})
def test_killa_another_kind_starts_a_trick():
    sheet = table("killa", "6D 6H 8S 9C TD", "9S TS JS").plays(0, "6D 6H").passes(1, 2, 3)
    sheet.may_not("8S 9C TD").passes(0).plays(0, "8S 9C TD").asks_seat(1).may("9S TS JS")


@rule("killa/rounds/7", flip={"forward": False})
def test_killa_a_lower_pair_starts_a_trick():
    sheet = table("killa", "KD KH 5S 5H", "9S 9H").plays(0, "KD KH").passes(1, 2, 3)
    sheet.may_not("5S 5H").passes(0).plays(0, "5S 5H").asks_seat(1).may("9S 9H")


@rule("killa/rounds/8", flip={"forward": False})
def test_killa_a_straight_of_another_length_starts_a_trick():
    sheet = table("killa", "5S 6S 7S 8S 9C TD JD", "9S TS JS QS").plays(0, "5S 6S 7S")
    sheet.passes(1, 2, 3).may_not("8S 9C TD JD").passes(0).plays(0, "8S 9C TD JD")
    sheet.asks_seat(1).may("9S TS JS QS")


# Combinations


@rule("killa/legal/6", flip={"twos_top_straights": True})
def test_killa_straights_of_three_end_with_the_ace():
    assert beats("killa", "3S 4D 5C", by="QS KD AC")
    assert not leads("killa", "KS AD 2C")
    assert not leads("killa", "2S 3D 4C")


@rule("killa/legal/7", flip={"twos_top_straights": True})
def test_killa_straight_holds_no_two():
    assert leads("killa", "TS JC QD KS AC")
    assert not leads("killa", "QS KC AD 2S")


@rule("killa/legal/9", flip={"twos_top_pair_runs": True})
def test_killa_bomb_holds_no_two():
    assert leads("killa", "QS QC KS KC AS AC")
    assert not leads("killa", "KS KC AS AC 2S 2C")


# Bombs


@rule(
    "killa/legal/16",
    flip=[
        without("one_two", ONE_TWO, "Q"),
        without("two_twos", TWO_TWOS, "Q"),
        {"quads_beat_singles": True},
    ],
)
def test_killa_beats_one_or_two_twos_and_no_other_single_or_pair():
    assert beats("killa", "2H", by=QUAD)
    assert beats("killa", "2D 2H", by=QUAD)
    for other in ("AS", "AH", "KS KD"):
        assert not beats("killa", other, by=QUAD)


@rule(
    "killa/legal/17",
    flip=[
        {"chops": {"PR3": ["PR4", "PR5"]}},
        {"chops": {"PR4": ["PR5"]}},
        {"chops": {"PR5": ["Q"]}},
    ],
)
def test_killa_beats_a_lower_killa_and_bombs_of_three_or_four_pairs():
    assert beats("killa", QUAD, by=QUAD_HIGHER)
    assert beats("killa", PR3, by=QUAD)
    assert beats("killa", PR4, by=QUAD)
    assert not beats("killa", PR5, by=QUAD)
    assert not beats("killa", QUAD_HIGHER, by=QUAD)


@rule(
    "killa/legal/18",
    flip=[
        without("one_two", ONE_TWO, "PR3"),
        {"pair_runs_beat_singles": True},
        {"chops": {"two_twos": ["PR3", "PR4", "PR5", "Q"]}},
    ],
)
def test_killa_bomb_of_three_pairs_beats_a_single_two_only():
    assert beats("killa", "2H", by="7S 7C 8D 8H 9S 9C")
    for other in ("AH", "KS", "2S 2C", "KS KD"):
        assert not beats("killa", other, by="7S 7C 8D 8H 9S 9C")


@rule(
    "killa/legal/20",
    flip=[
        without("one_two", ONE_TWO, "PR4"),
        without("two_twos", TWO_TWOS, "PR4"),
        {"pair_runs_beat_singles": True},
    ],
)
def test_killa_bomb_of_four_pairs_beats_one_or_two_twos_only():
    bomb = "5S 5C 6D 6H 7S 7C 8D 8H"
    assert beats("killa", "2H", by=bomb)
    assert beats("killa", "2D 2H", by=bomb)
    for other in ("AH", "KS KD"):
        assert not beats("killa", other, by=bomb)


@rule("killa/legal/21", flip=[{"chops": {"PR3": ["Q", "PR5"]}}, {"chops": {"Q": ["PR4", "PR5"]}}])
def test_killa_bomb_of_four_pairs_beats_a_lower_one_and_three_pairs():
    assert beats("killa", PR4, by=PR4_HIGHER)
    assert beats("killa", PR3, by=PR4_HIGHER)
    assert beats("killa", "8S 8C 9S 9C TS TC", by=PR4)
    assert not beats("killa", PR4_HIGHER, by=PR4)
    assert not beats("killa", QUAD, by=PR4)


@rule(
    "killa/legal/22",
    flip=[
        without("one_two", ONE_TWO, "PR5"),
        without("two_twos", TWO_TWOS, "PR5"),
        {"pair_runs_beat_singles": True},
    ],
)
def test_killa_bomb_of_five_pairs_beats_one_or_two_twos_only():
    assert beats("killa", "2H", by=PR5)
    assert beats("killa", "2D 2H", by=PR5)
    for other in ("AH", "KS KD"):
        assert not beats("killa", other, by=PR5)


@rule(
    "killa/legal/23",
    flip=[
        {"chops": {"PR4": ["Q"]}},
        {"chops": {"PR3": ["Q", "PR4"]}},
        {"chops": {"Q": []}},
    ],
)
def test_killa_bomb_of_five_pairs_beats_every_smaller_bomb():
    assert beats("killa", PR5, by=PR5_HIGHER)
    assert beats("killa", PR4, by=PR5_HIGHER)
    assert beats("killa", PR3, by=PR5_HIGHER)
    assert beats("killa", QUAD, by=PR5)


@rule("killa/legal/24", flip=[{"twos_top_straights": True}, {"chops": {"three_twos": ["PR5"]}}])
def test_killa_nothing_beats_a_straight_to_the_ace_of_hearts_or_three_twos():
    assert not beats("killa", "QS KS AH", by="KD AC 2H")
    for bomb in (PR3, PR4, PR5, QUAD, "2H"):
        assert not beats("killa", "QS KD AH", by=bomb)
        assert not beats("killa", "2S 2C 2D", by=bomb)


@rule("killa/legal/25", flip=[{"pass_locks": False}, {"locked_out_chops": ["PR4"]}])
def test_killa_locked_out_player_may_not_bomb_twos():
    for bomb in (PR4, QUAD):
        sheet = table("killa", "TS", bomb, "KS 2H").plays(0, "TS").passes(1)
        sheet.plays(2, "2H").passes(3).passes(0).asks_seat(2).refuses(1, "play", cards=bomb)


@rule("killa/legal/26", "killa/legal/27", flip=[{"forward": False}, {"pass_locks": False}])
def test_killa_one_may_play_a_two_and_a_bomb_on_it_when_all_have_passed():
    sheet = table("killa", f"TS 2H {PR3}", QUAD, "", "")
    sheet.plays(0, "TS").passes(1, 2, 3).plays(0, "2H").asks_seat(0).may_only(PR3, "pass")
    sheet.plays(0, PR3).asks_seat(0).refuses(1, "play", cards=QUAD)


# Automatic wins


def auto_wins(*names: str) -> dict:
    """Return the flip that takes automatic wins out of the list."""
    listed = ["four_twos", "six_pairs", "dragon_to_ace"]
    return {"instant_wins": [name for name in listed if name not in names]}


@rule(
    "killa/auto/1", flip=[{"instant_win_then": "play_on"}, {"instant_wins_declared": "automatic"}]
)
def test_killa_auto_win_may_be_declared_and_ends_the_game():
    sheet = table("killa", "", SIX_PAIRS, options=NO_MONEY).asks_seat(1, "instant_win")
    sheet.may_only("declare", "decline").declares(1).over(1, (0, 2, 3))
    table("killa", "", SIX_PAIRS, options=NO_MONEY).declines(1).asks_seat(0)


@rule("killa/auto/2", flip={"instant_win_then": "end"})
def test_killa_betting_match_goes_on_after_an_auto_win():
    sheet = table("killa", "", SIX_PAIRS).declares(1).places(1)
    assert sheet.result["finished"] is False


@rule("killa/auto/4", flip=auto_wins("four_twos"))
def test_killa_of_twos_wins_at_once():
    table("killa", "", FOUR_TWOS).asks_seat(1, "instant_win")


@rule("killa/auto/5", flip=auto_wins("six_pairs"))
def test_killa_six_pairs_win_at_once():
    table("killa", "", SIX_PAIRS).asks_seat(1, "instant_win")


@rule("killa/auto/6", flip=auto_wins("dragon_to_ace"))
def test_killa_three_to_ace_wins_at_once():
    table("killa", "", DRAGON_TO_ACE).asks_seat(1, "instant_win")
    table("killa", "", "3H 4D 5S 6H 7C 8S 9D TH JC QH KC KD 2S").asks_seat(0)


@rule("killa/auto/7", flip={"instant_win_order": "listed"})
def test_killa_higher_top_pair_wins_alone():
    sheet = table("killa", "", SIX_PAIRS, DRAGON_TO_ACE).declares(1).declares(2).places(2)
    assert sheet.result["finished"] is False
    twos = table("killa", "", SIX_PAIRS, FOUR_TWOS, options=NO_MONEY).declares(1).declares(2)
    twos.over(2, (0, 1, 3))


# Betting


@rule("killa/betting/1", flip=[NO_MONEY, {"betting": "loser_pays_all"}])
def test_killa_loser_pays_the_winner():
    sheet = endgame("killa", "9H", "TH", "3S QH", stake=5).plays(0, "9H").plays(1, "TH")
    sheet.over(0, 1, 2).pays((2, 0, 5, "loser")).nets(5, 0, -5)


@rule("killa/betting/3", flip=[NO_MONEY, without("two_twos", TWO_TWOS, "PR4")])
def test_killa_bomb_on_twos_is_paid_by_the_player_beaten():
    single = table("killa", "2S 3D", PR3, stake=2).plays(0, "2S").plays(1, PR3).pays()
    single.passes(2, 3, 0).passes(1).pays((0, 1, 2, "chop")).nets(-2, 2, 0, 0)
    pair = table("killa", "2S 2C", PR4, stake=2).plays(0, "2S 2C").plays(1, PR4)
    pair.passes(2, 3, 0).passes(1).pays((0, 1, 2, "chop"))


@rule("killa/betting/4", flip=[NO_MONEY, {"chops": {"PR3": []}}])
def test_killa_bomb_on_a_led_bomb_is_paid():
    sheet = table("killa", PR3, QUAD).plays(0, PR3).plays(1, QUAD).passes(2, 3, 0).passes(1)
    sheet.pays((0, 1, 1, "chop")).chopped((1, 0, QUAD, PR3, 1))


@rule("killa/betting/5", flip=NO_MONEY)
def test_killa_bomb_on_a_bomb_that_earned_voids_it_and_costs_double():
    sheet = table("killa", "2S", PR3, QUAD).plays(0, "2S")
    sheet.plays(1, PR3).plays(2, QUAD).passes(3, 0, 1).passes(2)
    sheet.pays((1, 2, 2, "chop")).nets(0, -2, 2, 0)
    led = table("killa", PR3, PR4_HIGHER, "QS QC QD QH").plays(0, PR3).plays(1, PR4_HIGHER)
    led.plays(2, "QS QC QD QH").passes(3, 0, 1).passes(2).pays((1, 2, 2, "chop"))


@rule("killa/betting/10", flip=[{"instant_win_lead": "usual"}, {"instant_win_then": "end"}])
def test_killa_after_an_auto_win_the_lowest_card_left_leads_and_the_loser_pays():
    options = {"later_games_led_by": "winner"}
    previous = {"placings": [[3], [0], [1], [2]], "chops": []}
    hands = ("4D 9S", SIX_PAIRS, "3S 9C", "9D")
    sheet = table("killa", *hands, leader=None, previous=previous, options=options)
    sheet.declares(1).asks_seat(2).may("3S").may_not("9C", "pass").places(1)
