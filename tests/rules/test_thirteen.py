"""Document `thirteen`: the guide for two to eight players."""

from tests.rules.games import beats, endgame, leads, rules, starts, table
from tests.rules.hands import (
    ALL_BLACK,
    ALL_RED,
    DRAGON,
    FOUR_TWOS,
    ONE_SUIT,
    PR3,
    PR4,
    PR4_HIGHER,
    PR5,
    PR5_HIGHER,
    QUAD,
    SIX_CONSECUTIVE_PAIRS,
    SIX_PAIRS,
    THREE_CONSECUTIVE_TRIPLES,
)
from tests.rules.marker import rule

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}
STANDARD = ("four_twos", "dragon", "one_colour", "six_pairs")
# The whole order of the guide, highest first.
EVERY = ["four_twos", "one_suit", "dragon", "three_consecutive_triples", "six_consecutive_pairs",
         "one_colour", "six_pairs"]  # fmt: skip


def without(*names: str) -> dict:
    """Return the flip that takes standard instant wins out of the list."""
    return {"instant_wins": [name for name in STANDARD if name not in names]}


def only(name: str) -> dict:
    """Return the options of a table where one of the additional hands wins."""
    return {"instant_wins": [name]}


# Players, deal, leads


@rule("thirteen/basics/1", flip=[{"max_players": 4}, {"min_players": 4}])
def test_thirteen_is_for_two_to_eight_players():
    counts = [n for n in range(2, 9) if starts("thirteen", **deal_for(n))]
    assert counts == [2, 3, 4, 5, 6, 7, 8]
    assert not starts("thirteen", players=9, each=11, decks=2)


def deal_for(players: int) -> dict:
    """Return what the guide deals to so many players."""
    each = 17 if players == 3 else 13
    return {"players": players, "each": each, "decks": 2 if players > 4 else 1}


@rule("thirteen/basics/2", flip={"decks": {"4": 2}})
def test_thirteen_four_players_use_one_pack():
    assert starts("thirteen", players=4, decks=1)
    assert rules("thirteen")["decks"]["4"] == 1


@rule("thirteen/dealing/1", flip={"first_dealer": "random"})
def test_thirteen_first_dealer_is_cut_for():
    assert rules("thirteen")["first_dealer"] == "highest_cut"


@rule("thirteen/dealing/2", flip=[{"direction": "clockwise"}, {"cards_each": {"4": 12}}])
def test_thirteen_deals_thirteen_counter_clockwise():
    assert starts("thirteen", players=4, each=13)
    assert rules("thirteen")["direction"] == "counter-clockwise"


@rule("thirteen/dealing/4", "thirteen/next-game/2", flip={"later_games_led_by": "lowest"})
def test_thirteen_previous_winner_leads_freely():
    sheet = table("thirteen", "", "3S", "9S 9C", leader=None, previous=LATER).asks_seat(2)
    sheet.may("9S", "9S 9C")


@rule("thirteen/first-hand/2", flip={"first_play": "alone"})
def test_thirteen_opens_with_three_of_spades_alone_or_in_a_combination():
    hand = "3S 3C 3D 3H 4S 4C 5S 5C 9H"
    sheet = table("thirteen", "", hand, leader=None, options={"instant_wins": []}).asks_seat(1)
    sheet.may("3S", "3S 3C", "3S 4S 5C", "3S 3D 3H", "3S 3C 3D 3H", "3S 3C 4S 4C 5S 5C")
    sheet.may_not("9H", "3C 3D", "4S 4C", "3C 4S 5S", "pass")


# Combinations


@rule("thirteen/quad/4", flip={"chops": {"one_two": ["PR3", "PR5"]}})
def test_thirteen_quad_is_a_bomb():
    assert beats("thirteen", "2H", by="JS JC JD JH")


@rule("thirteen/run/5", flip={"twos_top_straights": True})
def test_thirteen_run_holds_no_two():
    assert leads("thirteen", "QS KC AD")
    assert not leads("thirteen", "KC AD 2S")
    assert not leads("thirteen", "2S 3C 4D")


@rule("thirteen/double-run/6", flip={"twos_top_pair_runs": True})
def test_thirteen_double_run_holds_no_two():
    assert leads("thirteen", "QS QC KS KC AS AC")
    assert not leads("thirteen", "KS KC AS AC 2S 2C")


# Turns


@rule("thirteen/turns/1", flip={"direction": "clockwise"})
def test_thirteen_turn_runs_counter_clockwise():
    assert rules("thirteen")["direction"] == "counter-clockwise"
    table("thirteen", "5S").plays(0, "5S").asks_seat(1).passes(1).asks_seat(2)


@rule("thirteen/turns/6", flip={"pass_locks": False})
def test_thirteen_who_passed_waits_for_the_next_trick():
    sheet = table("thirteen", "5S 9S 4D", "8S", "7S", "6S").plays(0, "5S").passes(1)
    sheet.plays(2, "7S").passes(3).plays(0, "9S").asks_seat(2).passes(2)
    sheet.asks_seat(0).plays(0, "4D").asks_seat(1).may("8S")


@rule("thirteen/turns/7", "thirteen/turns/8", flip={"forward": True})
def test_thirteen_three_passes_end_the_trick_and_the_unbeaten_player_leads():
    sheet = table("thirteen", "5S 9S", "6S 4D").plays(0, "5S").plays(1, "6S").passes(2, 3, 0)
    sheet.asks_seat(1).may_not("pass").may("4D")


@rule("thirteen/information/1", flip={"card_counts": "hidden"})
def test_thirteen_card_counts_are_told():
    sheet = table("thirteen", "5S 5C").plays(0, "5S 5C")
    assert sheet.counts(2) == [11, 13, 13, 13]


# Bombs


@rule("thirteen/solo-2/1", flip={"chops": {"one_two": ["PR3", "PR5"]}})
def test_thirteen_any_quad_beats_a_single_two():
    assert beats("thirteen", "2H", by="3S 3C 3D 3H")
    assert beats("thirteen", "2S", by="AS AC AD AH")


@rule("thirteen/solo-2/2", flip={"chops": {"one_two": ["PR5", "Q"]}})
def test_thirteen_three_pairs_beat_a_single_two():
    assert beats("thirteen", "2H", by=PR3)
    assert not beats("thirteen", "2D 2H", by=PR3)


@rule(
    "thirteen/pair-2s/1",
    flip=[{"chops": {"two_twos": ["PR5"]}}, {"chops": {"three_twos": ["PR4"]}}],
)
def test_thirteen_four_pairs_beat_a_pair_of_twos():
    four = "5S 5H 6C 6D 7S 7H 8C 8D"
    assert beats("thirteen", "2S 2H", by=four)
    assert not beats("thirteen", "2S 2D 2H", by=four)


@rule("thirteen/triple-2s/1", flip={"chops": {"three_twos": []}})
def test_thirteen_five_pairs_beat_three_twos():
    assert beats("thirteen", "2S 2C 2H", by="3S 3H 4C 4D 5S 5H 6C 6D 7S 7H")


@rule(
    "thirteen/bombs-on-bombs/1",
    flip=[{"chops": {"PR3": ["PR4", "PR5"]}}, {"chops": {"PR4": ["Q"]}}],
)
def test_thirteen_quad_beats_three_pairs():
    assert beats("thirteen", PR3, by=QUAD)
    assert not beats("thirteen", PR4, by=QUAD)


@rule("thirteen/bombs-on-bombs/2", flip=[{"chops": {"PR3": ["Q"]}}, {"chops": {"Q": ["PR5"]}}])
def test_thirteen_four_pairs_beat_a_quad_or_three_pairs():
    assert beats("thirteen", QUAD, by=PR4)
    assert beats("thirteen", PR3, by=PR4_HIGHER)
    assert beats("thirteen", "TS TC JS JC QS QC", by=PR4)


@rule(
    "thirteen/bombs-on-bombs/3",
    flip=[
        {"chops": {"one_two": ["PR3", "Q"]}},
        {"chops": {"two_twos": ["PR4"]}},
        {"chops": {"PR3": ["Q", "PR4"]}},
        {"chops": {"PR4": []}},
        {"chops": {"Q": ["PR4"]}},
    ],
)
def test_thirteen_five_pairs_beat_everything_listed_before():
    for top in ("2H", "2D 2H", PR3, PR4, "8S 8C 8D 8H"):
        assert beats("thirteen", top, by=PR5_HIGHER)


@rule(
    "thirteen/notes/1", flip=[{"chops": {"four_twos": ["PR5"]}}, {"chops": {"four_twos": ["PR4"]}}]
)
def test_thirteen_nothing_beats_four_twos():
    for bomb in (PR3, PR4, PR5):
        assert not beats("thirteen", FOUR_TWOS[:11], by=bomb, options={"instant_wins": []})


@rule("thirteen/notes/3", flip=[{"pass_locks": False}, {"locked_out_chops": ["PR4"]}])
def test_thirteen_bomb_needs_the_turn_and_no_earlier_pass():
    for bomb in (PR4, QUAD):
        sheet = table("thirteen", "TS", bomb, "2H").refuses(1, "play", cards=bomb)
        sheet.plays(0, "TS").passes(1).plays(2, "2H").passes(3).passes(0)
        sheet.asks_seat(2).refuses(1, "play", cards=bomb)


# The end of a game


@rule("thirteen/victory/2", "thirteen/victory/3", flip={"all_lose": True})
def test_thirteen_the_others_play_on_until_one_is_left_with_cards():
    sheet = endgame("thirteen", "9H", "5D TD", "6S TH", "8S 7S").plays(0, "9H").passes(1, 2, 3)
    sheet.places(0).plays(1, "5D").plays(2, "6S").passes(3).plays(1, "TD").passes(2)
    sheet.places(0, 1).asks_seat(2).plays(2, "TH").over(0, 1, 2, 3)


# Instant wins


@rule("thirteen/instant/1", flip={"instant_wins_declared": "choice"})
def test_thirteen_instant_wins_take_effect_by_themselves():
    sheet = table("thirteen", "5S", SIX_PAIRS).places(1).asks_seat(0, "play")
    sheet.plays(0, "5S").asks_seat(2)


@rule("thirteen/instant-standard/1", flip=without("four_twos"))
def test_thirteen_four_twos_win_at_once():
    table("thirteen", "", FOUR_TWOS).places(1)


@rule("thirteen/instant-standard/2", flip=without("dragon"))
def test_thirteen_dragon_wins_at_once():
    table("thirteen", "", DRAGON).places(1)
    table("thirteen", "", "3H 4D 5S 6H 7C 8S 9D TH JC QH KC AC AD").places()


@rule("thirteen/instant-standard/3", flip=without("six_pairs"))
def test_thirteen_six_pairs_win_at_once():
    table("thirteen", "", SIX_PAIRS).places(1)


@rule("thirteen/instant-standard/4", flip=without("one_colour"))
def test_thirteen_one_colour_wins_at_once():
    table("thirteen", "", ALL_RED).places(1)
    table("thirteen", "", ALL_BLACK).places(1)
    table("thirteen", "", ALL_BLACK.replace("AS", "AH")).places()


@rule("thirteen/instant-more/1", flip={"instant_wins": []})
def test_thirteen_three_consecutive_triples_may_win_at_once():
    options = only("three_consecutive_triples")
    table("thirteen", "", THREE_CONSECUTIVE_TRIPLES, options=options).places(1)
    apart = THREE_CONSECUTIVE_TRIPLES.replace("QS QC QH", "KS KC KH")
    table("thirteen", "", apart, options=options).places()


@rule("thirteen/instant-more/2", flip={"instant_wins": []})
def test_thirteen_six_consecutive_pairs_may_win_at_once():
    options = only("six_consecutive_pairs")
    table("thirteen", "", SIX_CONSECUTIVE_PAIRS, options=options).places(1)
    table("thirteen", "", SIX_PAIRS, options=options).places()


@rule("thirteen/instant-more/3", flip={"instant_wins": []})
def test_thirteen_three_to_ace_in_one_suit_may_win_at_once():
    options = only("one_suit")
    table("thirteen", "", ONE_SUIT, options=options).places(1)
    table("thirteen", "", ONE_SUIT.replace("8H", "8S"), options=options).places()


def ranked(low: str, high: str) -> None:
    """Check that of two hands at one table the second is placed before the first."""
    options = {"instant_wins": EVERY}
    table("thirteen", "", low, high, options=options).places(2, 1)
    table("thirteen", "", high, low, options=options).places(1, 2)


def swapped(low: str, high: str) -> dict:
    """Return the flip that lists two instant wins the other way round."""
    swap = {low: high, high: low}
    return {"instant_wins": [swap.get(name, name) for name in EVERY]}


@rule(
    "thirteen/instant-several/2",
    flip=swapped("six_consecutive_pairs", "three_consecutive_triples"),
)
def test_thirteen_six_consecutive_pairs_rank_lowest():
    ranked(SIX_CONSECUTIVE_PAIRS, THREE_CONSECUTIVE_TRIPLES)
    ranked(SIX_CONSECUTIVE_PAIRS, "3H 4D 5H 6C 7D 8C 9D TH JC QH KC AC 2S")


@rule("thirteen/instant-several/3", flip=swapped("three_consecutive_triples", "dragon"))
def test_thirteen_three_consecutive_triples_rank_below_the_dragon():
    ranked(THREE_CONSECUTIVE_TRIPLES, "3H 4D 5H 6D 7C 8C 9D TH JH QD KC AC 2S")


@rule("thirteen/instant-several/4", flip=swapped("dragon", "four_twos"))
def test_thirteen_dragon_ranks_below_four_twos():
    low = "3H 4D 5S 6H 7C 8S 9D TH JC QD KC AC 2S"
    # One pack has four 2s only, so the two meet at a table with two packs.
    hands = ["", low, FOUR_TWOS, "", ""]
    options = {"instant_wins": EVERY}
    table("thirteen", *hands, players=5, decks=2, options=options).places(2, 1)


@rule("thirteen/instant-several/5", flip=swapped("four_twos", "three_consecutive_triples"))
def test_thirteen_four_twos_rank_highest():
    ranked(THREE_CONSECUTIVE_TRIPLES, "2S 2C 2D 2H 3S 4C 5D 5H 7S 8D 9C JH KD")
    ranked(SIX_CONSECUTIVE_PAIRS, "2S 2C 2D 2H 3S 4H 5H 7S 8C 9H TH JH KD")


# Variations


@rule("thirteen/vc/2", flip=[{"twos_top_pair_runs": False}, {"twos_top_straights": True}])
def test_viet_cong_lets_twos_into_double_runs_only():
    assert leads("viet-cong", "KS KC AS AC 2S 2C")
    assert not leads("viet-cong", "KS AC 2D")


@rule("thirteen/vc/3", flip={"later_games_led_by": "winner"})
def test_viet_cong_three_of_spades_leads_every_game():
    sheet = table("viet-cong", "", "3S", "9S", leader=None, previous=LATER).asks_seat(1)
    sheet.may("3S")


TAKES = {"exchange": ["winner_takes"]}
HANDS = ("3S 4S 5S", "AS KS 6S", "3C 4C 2S", "AC 2D 2H")
PLACED = {"placings": [[0], [1], [2], [3]], "chops": []}


@rule("thirteen/trading/1", flip={"exchange": []})
def test_trading_winner_gets_the_losers_two_highest_cards():
    sheet = table("thirteen", *HANDS, leader=None, previous=PLACED, options=TAKES)
    sheet.asks_seat(0, "exchange").holds(0, "2D 2H").lacks(3, "2D 2H").holds(3, "AC")


@rule("thirteen/trading/2", flip={"exchange": []})
def test_trading_winner_hands_back_any_two():
    sheet = table("thirteen", *HANDS, leader=None, previous=PLACED, options=TAKES)
    sheet.may("return 3S 4S", "return 3S 2D", "return 2D 2H").may_not("return 3S")
    sheet.returns(0, "3S 4S").holds(3, "3S 4S").lacks(0, "3S 4S")


@rule("thirteen/trading/3", flip={"exchange": []})
def test_trading_second_and_third_trade_one_card():
    sheet = table("thirteen", *HANDS, leader=None, previous=PLACED, options=TAKES)
    sheet.holds(1, "2S").lacks(2, "2S").returns(0, "3S 4S").asks_seat(1, "exchange")
    sheet.may("return AS", "return 6S").returns(1, "6S").holds(2, "6S").asks_seat(0, "play")


@rule("thirteen/trading/4", flip={"exchange": []})
def test_trading_turns_instant_wins_off():
    table("thirteen", "5S", SIX_PAIRS, options=TAKES).places().asks_seat(0)


@rule("thirteen/different-counts/1", flip={"cards_each": {"2": 26}})
def test_thirteen_two_players_get_thirteen():
    assert starts("thirteen", players=2, each=13)
    assert not starts("thirteen", players=2, each=26)


@rule("thirteen/different-counts/2", flip={"cards_each": {"3": 13}})
def test_thirteen_three_players_get_seventeen():
    assert starts("thirteen", players=3, each=17)
    assert not starts("thirteen", players=3, each=13)


@rule("thirteen/different-counts/3", flip={"decks": {"8": 1}, "cards_each": {"8": 6}})
def test_thirteen_five_and_more_players_use_two_packs():
    for players in (5, 6, 7, 8):
        assert starts("thirteen", players=players, each=13, decks=2)
    twice = table("thirteen", "5S 5S", "5D", players=5, decks=2)
    twice.may("5S 5S")


@rule("thirteen/money/1", flip={"betting": "none"})
def test_thirteen_money_game_makes_the_loser_pay_the_others():
    options = {"betting": "loser_pays_all"}
    sheet = endgame("thirteen", "9H", "TH", "JH", "3S QH", options=options).plays(0, "9H")
    sheet.plays(1, "TH").plays(2, "JH").nets(1, 1, 1, -3)


@rule("thirteen/money/3", flip={"betting": "loser_pays_all"})
def test_thirteen_tournament_style_leaves_points_to_the_event():
    sheet = endgame("thirteen", "9H", "TH", "JH", "3S QH", options={"betting": "points"})
    sheet.plays(0, "9H").plays(1, "TH").plays(2, "JH").over(0, 1, 2, 3).pays()
