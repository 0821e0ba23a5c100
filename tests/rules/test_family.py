"""Document `family`: tiến lên play, chops, instant wins and Go Fish."""

from tests.rules.deal import PACK
from tests.rules.games import beats, endgame, leads, rules, starts, starts_with, table
from tests.rules.hands import (
    DRAGON,
    FOUR_TRIPLES,
    FOUR_TWOS,
    PR3,
    PR3_HIGHER,
    PR4,
    PR4_HIGHER,
    QUAD,
    QUAD_HIGHER,
    SIX_PAIRS,
)
from tests.rules.marker import rule


def without(*names: str) -> dict:
    """Return the flip that takes instant wins out of the family's list."""
    listed = ["four_twos", "dragon", "four_triples", "six_pairs"]
    return {"instant_wins": [name for name in listed if name not in names]}


# Players, cards, leads


@rule(
    "family/intro/1",
    flip=[
        {"min_players": 3, "cards_each": {"3": 13}},
        {"max_players": 5, "decks": {"5": 2}, "cards_each": {"5": 13}},
    ],
)
def test_family_is_for_four_players():
    assert starts("family", players=4)
    assert not starts("family", players=3)
    assert not starts("family", players=5, decks=2)


@rule("family/cards/1", flip={"decks": {"4": 2}})
def test_family_plays_with_one_deck():
    pack = ["3S", *(card for card in PACK if card != "3H")]
    assert not starts_with("family", [" ".join(pack[seat::4]) for seat in range(4)])


@rule("family/setup/1", flip={"first_play": "alone"})
def test_family_first_lead_is_any_combination_with_three_of_spades():
    sheet = table("family", "4H 4D", "3S 3D 4S 5C 6H 6D", leader=None).asks_seat(1)
    sheet.may_only("3S", "3S 3D", "3S 4S 5C", "3S 4S 5C 6H", "3S 4S 5C 6D")


@rule("family/setup/2", flip={"later_games_led_by": "lowest"})
def test_family_previous_winner_leads_whatever_he_likes():
    previous = {"placings": [[2], [0], [1], [3]], "chops": []}
    sheet = table("family", "3S", "", "9S 9D", leader=None, previous=previous).asks_seat(2)
    sheet.may("9S", "9S 9D")


@rule("family/setup/3", flip={"direction": "clockwise"})
def test_family_turn_runs_counter_clockwise_from_the_leader():
    assert rules("family")["direction"] == "counter-clockwise"
    sheet = table("family", "", "", "5S", leader=2).plays(2, "5S").asks_seat(3).passes(3)
    sheet.asks_seat(0).passes(0).asks_seat(1)


@rule("family/standard/4", flip={"twos_top_straights": True})
def test_family_straight_holds_no_two():
    assert leads("family", "9S TH JD QD")
    assert leads("family", "QS KH AD")
    assert not leads("family", "KS AH 2D")
    assert not leads("family", "2S 3H 4D")
    assert not leads("family", "AS 2H 3D")


# Passing and tiến lên


@rule("family/passing/2", flip={"pass_locks": False})
def test_family_pass_locks_out_until_the_next_trick():
    sheet = table("family", "5S 9S 4D", "8S", "7S", "6S").plays(0, "5S")
    sheet.passes(1).plays(2, "7S").passes(3).plays(0, "9S").asks_seat(2)
    sheet.passes(2).passes(0).plays(0, "4D").asks_seat(1).may("8S")


@rule("family/forward/1", flip={"forward": False})
def test_family_last_player_in_a_trick_goes_forward():
    sheet = table("family", "6D 6H 8S 8H 5D 5H").plays(0, "6D 6H").passes(1, 2, 3).asks_seat(0)
    sheet.may_only("8S 8H", "pass")


@rule("family/forward/2", flip={"forward": False, "pass_locks": False})
def test_family_others_may_not_play_on_a_forward_play():
    sheet = table("family", "6D 6H 8S 8H", "9S 9H").plays(0, "6D 6H").passes(1, 2, 3)
    sheet.plays(0, "8S 8H").asks_seat(0).refuses(1, "play", cards="9S 9H")


@rule("family/forward/3", flip={"forward": False})
def test_family_forward_eights_then_tens():
    sheet = table("family", "6D 6H 8S 8H TS TD", "JS JD").plays(0, "6D 6H").passes(1, 2, 3)
    sheet.plays(0, "8S 8H").asks_seat(0).plays(0, "TS TD").asks_seat(0).may_only("pass")


@rule("family/forward/4", flip={"forward": False})
def test_family_eights_do_not_follow_tens_while_forward():
    sheet = table("family", "6D 6H 8S 8H TS TD").plays(0, "6D 6H").passes(1, 2, 3)
    sheet.plays(0, "TS TD").asks_seat(0).may_not("8S 8H").may_only("pass")


@rule("family/forward/5", flip={"forward": False})
def test_family_forward_or_not_he_leads_the_next_trick():
    stays = table("family", "6D 6H 8S 8H 4D").plays(0, "6D 6H").passes(1, 2, 3).passes(0)
    stays.asks_seat(0).may("8S 8H", "4D").may_not("pass")
    goes = table("family", "6D 6H 8S 8H 4D").plays(0, "6D 6H").passes(1, 2, 3)
    goes.plays(0, "8S 8H").passes(0).may("4D").plays(0, "4D").asks_seat(1)


# Chops


@rule("family/chops/2", flip={"longest_pair_run": 13})
def test_family_has_three_kinds_of_chops():
    for chop in (PR3, PR4, QUAD):
        assert leads("family", chop)
    assert not leads("family", f"{PR4} 8S 8C")


@rule(
    "family/chops/3",
    flip=[{"chops": {"one_two": ["Q", "PR4"]}}, {"chops": {"two_twos": ["PR3", "PR4"]}}],
)
def test_family_three_pairs_beat_a_single_two():
    for two in ("2S", "2C", "2D", "2H"):
        assert beats("family", two, by="6D 6H 7D 7H 8S 8D")
    assert not beats("family", "2S 2C", by="6D 6H 7D 7H 8S 8D")


@rule(
    "family/chops/4",
    flip=[{"chops": {"one_two": ["PR3", "PR4"]}}, {"chops": {"two_twos": ["Q", "PR4"]}}],
)
def test_family_four_of_a_kind_beats_a_single_two():
    for two in ("2S", "2C", "2D", "2H"):
        assert beats("family", two, by="5S 5C 5D 5H")
    assert not beats("family", "2S 2C", by="5S 5C 5D 5H")


@rule(
    "family/chops/5",
    flip=[{"chops": {"one_two": ["PR3", "Q"]}}, {"chops": {"two_twos": []}}],
)
def test_family_four_pairs_beat_one_or_two_twos():
    chop = "6D 6H 7D 7H 8S 8D 9C 9D"
    assert beats("family", "2H", by=chop)
    assert beats("family", "2D 2H", by=chop)
    assert not beats("family", "2S 2D 2H", by=chop)


@rule("family/chops/6", flip=[{"pair_runs_beat_singles": True}, {"quads_beat_singles": True}])
def test_family_chop_answers_twos_or_is_led():
    for chop in (PR3, PR4, QUAD):
        assert leads("family", chop)
        assert beats("family", "2H", by=chop)
        for other in ("AH", "KS KD", "TS TC TD", "JS QC KD"):
            assert not beats("family", other, by=chop)


@rule("family/chops/7", flip=[{"pair_runs_beat_singles": True}, {"chops": {"one_two": []}}])
def test_family_chop_in_a_trick_of_singles_waits_for_a_two():
    sheet = table("family", "TD", PR3, "AH 2S").plays(0, "TD").may_not(PR3)
    assert not beats("family", "AH", by=PR3)
    assert beats("family", "2S", by=PR3)
    sheet.asks_seat(1)


@rule(
    "family/chops/8",
    flip=[
        {"chops": {"PR3": ["Q"]}},
        {"chops": {"PR3": ["PR4"]}},
        {"chops": {"PR4": ["Q"]}},
        {"chops": {"Q": ["PR4"]}},
    ],
)
def test_family_chop_is_only_beaten_by_a_higher_one_of_its_kind():
    for low, high in ((PR3, PR3_HIGHER), (PR4, PR4_HIGHER), (QUAD, QUAD_HIGHER)):
        sheet = table("family", "2S", low, high).plays(0, "2S").plays(1, low)
        sheet.asks_seat(2).may(high)
    for chop, other in ((PR3, QUAD), (PR3, PR4_HIGHER), (PR4, QUAD), (QUAD, PR4), (QUAD, PR3)):
        sheet = table("family", "2S", chop, other).plays(0, "2S").plays(1, chop)
        sheet.asks_seat(2).may_not(other)


# The end of a game


@rule("family/winning/2", "family/winning/4", flip={"all_lose": True})
def test_family_the_others_play_on_and_skip_who_is_out():
    sheet = endgame("family", "9H", "3S 5D", "6S TH", "7S 8S").plays(0, "9H").passes(1, 2, 3)
    sheet.plays(1, "3S").plays(2, "6S").plays(3, "7S").asks_seat(1)
    assert not sheet.result["finished"]
    sheet.passes(1).plays(2, "TH").places(0, 2).passes(3).asks_seat(3).plays(3, "8S").over(
        0, 2, 3, 1
    )


@rule("family/winning/3", flip={"all_lose": True})
def test_family_after_going_out_in_front_the_next_seat_leads():
    sheet = (
        endgame("family", "5S 5H 9S 9H", "3S 4D", "6S 6C", "7S").plays(0, "5S 5H").passes(1, 2, 3)
    )
    sheet.plays(0, "9S 9H").asks_seat(1).may_not("pass").may("3S", "4D")


@rule("family/winning/5", flip={"all_lose": True})
def test_family_places_follow_the_order_of_running_out():
    sheet = endgame("family", "5S", "KS 3H", "6S 4D", "7S 2H").plays(0, "5S").places(0)
    sheet.passes(1, 2, 3).plays(1, "3H").plays(2, "4D").plays(3, "7S").plays(1, "KS").places(0, 1)
    sheet.passes(2).plays(3, "2H").over(0, 1, 3, 2)


# Instant wins


@rule("family/instant/2", flip=without("four_twos"))
def test_family_four_twos_win_at_once():
    table("family", "", FOUR_TWOS).asks_seat(1, "instant_win")


@rule("family/instant/3", flip=without("six_pairs"))
def test_family_six_pairs_win_at_once():
    table("family", "", SIX_PAIRS).asks_seat(1, "instant_win")
    table("family", "", "3C 3H 4S 4H 6D 6S 8C 8H TS TC QC KD AS").asks_seat(0)


@rule("family/instant/4", flip=without("four_triples"))
def test_family_four_triples_win_at_once():
    table("family", "", FOUR_TRIPLES).asks_seat(1, "instant_win")
    table("family", "", "3C 3D 3H 6S 6C 6D 9S 9C 9H QS QC KD AH").asks_seat(0)


@rule("family/instant/5", flip=without("dragon"))
def test_family_one_card_of_each_rank_wins_at_once():
    table("family", "", DRAGON).asks_seat(1, "instant_win")
    table("family", "", "3H 4D 5S 6H 7C 8S 9D TH JC QH KC AC AD").asks_seat(0)


@rule("family/instant/6", flip={"instant_wins_declared": "automatic"})
def test_family_instant_wins_are_declared_before_play():
    sheet = table("family", "5S", SIX_PAIRS).asks_seat(1, "instant_win")
    sheet.may_only("declare", "decline").refuses(0, "play", cards="5S")
    sheet.declines(1).asks_seat(0).may("5S")


@rule("family/instant/7", flip={"instant_win_then": "end"})
def test_family_declarer_is_first_and_the_others_play():
    sheet = table("family", "5S", SIX_PAIRS).declares(1).places(1).asks_seat(0)
    sheet.plays(0, "5S").asks_seat(2)
    assert not sheet.result["finished"]


@rule("family/instant/8", flip={"later_games_led_by": "lowest"})
def test_family_previous_winner_leads_after_a_declaration():
    previous = {"placings": [[2], [0], [1], [3]], "chops": []}
    sheet = table("family", "", SIX_PAIRS, "9S", "3S", leader=None, previous=previous)
    sheet.declares(1).asks_seat(2).may("9S")


@rule("family/instant/9", flip={"later_games_led_by": "lowest"})
def test_family_seat_after_a_declaring_winner_leads():
    previous = {"placings": [[1], [0], [2], [3]], "chops": []}
    sheet = table("family", "", SIX_PAIRS, "9S", "3S", leader=None, previous=previous)
    sheet.declares(1).asks_seat(2).may("9S")


@rule("family/instant/10", flip={"instant_win_order": "listed"})
def test_family_declarers_are_placed_as_in_the_previous_game():
    previous = {"placings": [[0], [3], [1], [2]], "chops": []}
    four_triples = "5S 5C 5D 7S 7C 7D 9D 9H 9C JS JC JD KH"
    sheet = table("family", "", four_triples, "", SIX_PAIRS, leader=None, previous=previous)
    sheet.declares(1).declares(3).places(3, 1).asks_seat(0)
