"""Document `tien-len`: the encyclopedia's main rules and its Hawaiian variant."""

from tests.rules.deal import PACK
from tests.rules.games import beats, endgame, leads, rules, starts, starts_with, table
from tests.rules.hands import (
    FOUR_TWOS,
    PR3,
    PR4,
    PR5,
    QR2,
    QR3,
    QUAD,
    SIX_PAIRS,
    THREE_TRIPLES,
    ULTIMATE_DRAGON,
)
from tests.rules.marker import rule

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}
INSTANT = ("four_twos", "ultimate_dragon", "three_triples", "six_pairs")
SEVENTEEN = {"cards_each": {"3": 17}}


def without(*names: str) -> dict:
    """Return the flip that takes instant wins out of the list."""
    return {"instant_wins": [name for name in INSTANT if name not in names]}


# Players and deal


@rule("tien-len/frame/7", flip=[{"max_players": 3}, {"min_players": 3}])
def test_tien_len_is_for_two_to_four_players():
    assert [n for n in (2, 3, 4) if starts("tien-len", players=n)] == [2, 3, 4]
    assert not starts("tien-len", players=5, each=10)


@rule("tien-len/cards/2", flip={"decks": {"4": 2}})
def test_tien_len_plays_with_one_deck():
    pack = ["3S", *(card for card in PACK if card != "3H")]
    assert not starts_with("tien-len", [" ".join(pack[seat::4]) for seat in range(4)])


@rule("tien-len/dealing/2", flip={"cards_each": {"4": 12}})
def test_tien_len_deals_thirteen_each():
    assert starts("tien-len", players=4, each=13)
    assert not starts("tien-len", players=4, each=12)


@rule("tien-len/dealing/5", flip={"first_dealer": "highest_cut"})
def test_tien_len_players_agree_on_the_first_dealer():
    assert rules("tien-len")["first_dealer"] == "agreed"


@rule(
    "tien-len/dealing/6",
    flip=[{"deal_all": False}, {"deal_all": True}, {"cards_each": {"2": 26}}],
)
def test_tien_len_fewer_players_get_thirteen_or_the_whole_pack():
    for players in (2, 3):
        assert starts("tien-len", players=players, each=13)
    assert starts("tien-len", players=2, each=26, options={"deal_all": True})
    assert not starts("tien-len", players=2, each=13, options={"deal_all": True})
    assert not starts("tien-len", players=2, each=26)


# Combinations


@rule("tien-len/straights/4", "tien-len/straights/5", flip={"twos_top_straights": True})
def test_tien_len_straights_run_from_three_to_ace_without_twos():
    assert leads("tien-len", "3S 4C 5D")
    assert leads("tien-len", "QS KC AD")
    assert not leads("tien-len", "KC AD 2S")
    assert not leads("tien-len", "2S 3C 4D")


@rule("tien-len/straights/6", flip={"twos_top_straights": True})
def test_tien_len_nothing_beats_a_straight_to_the_ace_of_hearts():
    assert beats("tien-len", "QS KC AD", by="QC KD AH")
    assert not beats("tien-len", "QC KD AH", by="KC AS 2H")
    for bomb in (PR3, PR4, PR5, QUAD, QR2):
        assert not beats("tien-len", "QC KD AH", by=bomb)


@rule("tien-len/pair-runs/3", flip={"chops": {"one_two": ["Q"]}})
def test_tien_len_three_pairs_beat_any_single_two():
    for two in ("2S", "2C", "2D", "2H"):
        assert beats("tien-len", two, by="TS TC JS JC QS QC")


@rule("tien-len/pair-runs/5", flip=[{"quads_beat_pair_runs": True}, {"chops": {"PR3": ["PR4"]}}])
def test_tien_len_pair_run_is_only_beaten_by_a_pair_run():
    for bomb in (QUAD, "7S 7C 8S 8C 9S 9C TS TC", QR2):
        assert not beats("tien-len", PR3, by=bomb)
    elsewhere = {"quads_beat_pair_runs": True}
    for run in (PR3, PR4, PR5):
        assert beats("tien-len", run, by="AS AC AD AH", options=elsewhere)


@rule("tien-len/singles/6", flip={"chops": {"one_two": []}})
def test_tien_len_even_the_two_of_hearts_is_beaten_by_bombs():
    assert beats("tien-len", "2H", by=PR3)
    assert beats("tien-len", "2H", by=QUAD)


@rule("tien-len/quads/4", flip=[{"chops": {"Q": ["PR4"]}}, {"chops": {"Q": ["PR3"]}}])
def test_tien_len_quad_is_only_beaten_by_a_higher_quad():
    assert beats("tien-len", QUAD, by="TS TC TD TH")
    for bomb in (PR3, PR4, PR5, "3S 3C 3D 3H"):
        assert not beats("tien-len", QUAD, by=bomb)


@rule("tien-len/quads/7", flip={"chops": {"one_two": ["PR3"]}})
def test_tien_len_any_quad_beats_any_single_two():
    for two in ("2S", "2C", "2D", "2H"):
        assert beats("tien-len", two, by="3S 3C 3D 3H")


@rule("tien-len/quads/8", flip=[{"chops": {"two_twos": ["Q", "PR4"]}}, {"chops": {"one_two": []}}])
def test_tien_len_one_quad_beats_one_two_only():
    assert beats("tien-len", "2H", by="4S 4C 4D 4H")
    assert not beats("tien-len", "2D 2H", by="4S 4C 4D 4H")


@rule(
    "tien-len/quads/12",
    flip=[
        {"quad_runs": False},
        {"chops": {"three_twos": ["PR5"]}},
        {"chops": {"two_twos": ["PR4"]}},
    ],
)
def test_tien_len_one_quad_more_for_each_two_more():
    assert beats("tien-len", "2D 2H", by="4S 4C 4D 4H 5S 5C 5D 5H")
    assert beats("tien-len", "2C 2D 2H", by="4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 6D 6H")
    assert not beats("tien-len", "2D 2H", by=QR3)
    assert not beats("tien-len", "2C 2D 2H", by=QR2)


# Properties of 2s


@rule(
    "tien-len/twos/3",
    flip=[{"chops": {"one_two": ["PR3", "Q", "QR2"]}}, {"chops": {"one_two": []}}],
)
def test_tien_len_only_pair_runs_and_quads_beat_twos():
    assert beats("tien-len", "2S", by=PR3)
    assert beats("tien-len", "2S", by=QUAD)
    for other in ("AH", "AS AC", "KS KC KD", "9S TS JS", QR2):
        assert not beats("tien-len", "2S", by=other)


@rule(
    "tien-len/twos/8", flip=[{"chops": {"one_two": ["Q"]}}, {"chops": {"one_two": ["PR3+", "Q"]}}]
)
def test_tien_len_exactly_three_pairs_beat_a_single_two():
    assert beats("tien-len", "2H", by="TS TC JS JC QS QC")
    assert not beats("tien-len", "2H", by="9S 9C TS TC JS JC QS QC")


@rule(
    "tien-len/twos/10",
    flip=[{"chops": {"two_twos": ["PR3", "PR4"]}}, {"chops": {"two_twos": ["Q"]}}],
)
def test_tien_len_short_bombs_do_not_beat_two_twos():
    for bomb in ("TS TC JS JC QS QC", "3S 3C 3D 3H"):
        assert beats("tien-len", "2S", by=bomb)
        assert not beats("tien-len", "2S 2C", by=bomb)
        assert not beats("tien-len", "2S 2C 2D", by=bomb)


@rule("tien-len/twos/17", flip={"chops": {"two_twos": ["QR2"]}})
def test_tien_len_four_pairs_beat_two_twos():
    assert beats("tien-len", "2D 2H", by="JS JC QS QC KS KC AS AC")


@rule("tien-len/twos/20", flip={"chops": {"three_twos": []}})
def test_tien_len_five_pairs_or_three_quads_beat_three_twos():
    assert beats("tien-len", "2C 2D 2H", by=PR5)
    assert beats("tien-len", "2C 2D 2H", by=QR3)
    assert not beats("tien-len", "2C 2D 2H", by=PR4)


@rule(
    "tien-len/twos/22",
    flip=[{"chops": {"one_two": ["PR3", "PR4", "Q"]}}, {"chops": {"two_twos": ["PR4", "PR5"]}}],
)
def test_tien_len_pair_run_fits_the_number_of_twos_exactly():
    assert not beats("tien-len", "2H", by=PR4)
    assert not beats("tien-len", "2H", by=PR5)
    assert not beats("tien-len", "2D 2H", by=PR5)


@rule("tien-len/twos/29", flip={"quad_run_beats_four_twos": False})
def test_tien_len_two_quads_may_beat_up_to_four_twos():
    options = {"quad_run_beats_four_twos": True}
    for twos in ("2S", "2S 2C", "2S 2C 2D", "2S 2C 2D 2H"):
        assert beats("tien-len", twos, by="3S 3C 3D 3H 4S 4C 4D 4H", options=options)


# Instant wins


@rule("tien-len/instant/2", flip=without("four_twos"))
def test_tien_len_four_twos_win_at_once():
    table("tien-len", "", FOUR_TWOS).asks_seat(1, "instant_win")


@rule("tien-len/instant/3", flip=without("six_pairs"))
def test_tien_len_six_pairs_win_at_once():
    table("tien-len", "", SIX_PAIRS).asks_seat(1, "instant_win")
    table("tien-len", "", SIX_PAIRS.replace("QC QD", "QC KD")).asks_seat(1, "instant_win")
    table("tien-len", "", SIX_PAIRS.replace("QC QD", "QC JD")).asks_seat(0, "play")


@rule("tien-len/instant/4", flip=without("three_triples"))
def test_tien_len_three_triples_win_at_once():
    table("tien-len", "", THREE_TRIPLES).asks_seat(1, "instant_win")
    table("tien-len", "", THREE_TRIPLES.replace("9H", "8H")).asks_seat(0, "play")


@rule("tien-len/instant/5", flip=without("ultimate_dragon"))
def test_tien_len_ultimate_dragon_holds_both_ends():
    table("tien-len", "", ULTIMATE_DRAGON).asks_seat(1, "instant_win")
    table("tien-len", "", ULTIMATE_DRAGON.replace("3S", "3H")).asks_seat(0, "play")
    table("tien-len", "", ULTIMATE_DRAGON.replace("AH", "AD")).asks_seat(0, "play")


@rule("tien-len/instant/6", "tien-len/instant/8", flip={"instant_wins_declared": "automatic"})
def test_tien_len_holder_declares_or_plays_on():
    sheet = table("tien-len", "5S", SIX_PAIRS).asks_seat(1, "instant_win")
    sheet.may_only("declare", "decline").declines(1).places().asks_seat(0)
    sheet.plays(0, "5S").asks_seat(1).may("8C")


@rule("tien-len/instant/7", flip={"instant_win_then": "end"})
def test_tien_len_declarer_is_first_at_once():
    sheet = table("tien-len", "5S", SIX_PAIRS).declares(1).places(1).asks_seat(0)
    assert sheet.result["finished"] is False


@rule("tien-len/instant/19")
def test_tien_len_ultimate_dragon_opens_and_cannot_be_beaten():
    dragon = "3S 4D 5S 6H 7C 8S 9D TH JC QH KC AH"
    sheet = table("tien-len", "", ULTIMATE_DRAGON, leader=None).declines(1).plays(1, dragon)
    sheet.asks_seat(2).may_only("pass").passes(2, 3, 0).passes(1).plays(1, "AC").places(1)


# Play


@rule("tien-len/play/28", flip=[{"first_play": "single_pair_straight"}, {"forward": False}])
def test_tien_len_example_of_three_threes_and_three_aces():
    hands = ("3C 3D 3H 4D", "AS AC AD QC KC", "", "3S 5D")
    options = {"exchange": ["negotiated"]}
    sheet = table("tien-len", *hands, leader=None, options=options).asks_seat(3)
    sheet.trades(0, 3, give="4D", take="3S").asks_seat(0).may_not("3C 3D 3H", "pass")
    sheet.plays(0, "3S 3C 3D").asks_seat(1).may_only("AS AC AD", "pass")
    sheet.plays(1, "AS AC AD").passes(2, 3, 0).asks_seat(1).passes(1)
    sheet.may("QC", "KC").may_not("pass", "QC KC AC")


@rule("tien-len/play/12", flip=[{"first_play": "single_pair_straight"}, {"first_play": "alone"}])
def test_tien_len_any_combination_with_the_lowest_card_begins():
    hand = "3S 3C 3D 3H 4S 4C 5S 5C 9H"
    sheet = table("tien-len", "", hand, leader=None).asks_seat(1)
    sheet.may("3S", "3S 3C", "3S 4C 5C", "3S 3D 3H", "3S 3C 3D 3H", "3S 3C 4S 4C 5S 5C")
    sheet.may("3S 4S 5S").may_not("9H", "4S 4C")


@rule("tien-len/play/14", flip={"direction": "counter-clockwise"})
def test_tien_len_goes_clockwise_to_the_next_seat():
    assert rules("tien-len")["direction"] == "clockwise"
    table("tien-len", "", "", "5S", leader=2).plays(2, "5S").asks_seat(3).passes(3).asks_seat(0)


@rule("tien-len/play/16", flip={"direction": "clockwise"})
def test_tien_len_may_go_counter_clockwise():
    options = {"direction": "counter-clockwise"}
    assert rules("tien-len", **options)["direction"] == "counter-clockwise"
    table("tien-len", "5S", options=options).plays(0, "5S").asks_seat(1)


@rule("tien-len/play/19", flip={"pass_locks": False})
def test_tien_len_pass_locks_out_until_something_else_is_played():
    sheet = table("tien-len", "5S 9S 4D", "8S", "7S", "6S").plays(0, "5S").passes(1)
    sheet.plays(2, "7S").passes(3).plays(0, "9S").asks_seat(2).passes(2).passes(0)
    sheet.plays(0, "4D").asks_seat(1).may("8S")


@rule("tien-len/play/59", flip={"all_lose": True})
def test_tien_len_goes_on_until_there_is_a_loser():
    sheet = endgame("tien-len", "9H", "3S 5D", "6S TH").plays(0, "9H").passes(1, 2).places(0)
    assert sheet.result["finished"] is False
    sheet.plays(1, "3S").plays(2, "6S").passes(1).plays(2, "TH").over(0, 2, 1)


@rule("tien-len/play/61", flip={"all_lose": True})
def test_tien_len_places_follow_the_order_of_running_out():
    sheet = endgame("tien-len", "5S", "KS 3H", "6S 4D", "7S 2H").plays(0, "5S").passes(1, 2, 3)
    sheet.plays(1, "3H").plays(2, "4D").plays(3, "7S").plays(1, "KS").passes(2)
    sheet.plays(3, "2H").over(0, 1, 3, 2)


@rule("tien-len/play/63", flip={"later_games_led_by": "lowest"})
def test_tien_len_previous_winner_leads_without_three_of_spades():
    sheet = table("tien-len", "", "3S", "9S 9C", leader=None, previous=LATER).asks_seat(2)
    sheet.may("9S", "9S 9C")


@rule("tien-len/play/70", flip={"forward": False})
def test_tien_len_last_player_goes_forward_with_higher_plays():
    sheet = table("tien-len", "6D 6H 8S 8H TS TD 5D", "9S 9H").plays(0, "6D 6H").passes(1, 2, 3)
    sheet.asks_seat(0).may_only("8S 8H", "TS TD", "pass").plays(0, "8S 8H").asks_seat(0)
    sheet.may_only("TS TD", "pass").refuses(1, "play", cards="9S 9H")
    sheet.passes(0).may("5D").may_not("pass")


@rule("tien-len/play/75", flip={"all_lose": False})
def test_tien_len_all_others_may_lose_to_an_unbeaten_last_play():
    options = {"all_lose": True}
    left = ("9H", "3S TD", "6S TH", "8S 7S")
    endgame("tien-len", *left, options=options).plays(0, "9H").passes(1, 2, 3).over(0, (1, 2, 3))
    beaten = endgame("tien-len", *left, options=options).plays(0, "9H").plays(1, "TD")
    assert beaten.places(0).result["finished"] is False
