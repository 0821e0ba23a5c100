"""Hands that win as dealt."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.game import observe
from engine.rules.inherited import Previous
from engine.rules.instant_hands import wins_with
from engine.rules.instant_wins import best_hand
from engine.rules.ruleset import INSTANT_WINS
from tests.engine.play import Table, rules
from tests.plugins.chance import examples

TWOS = "2S 2C 2D 2H 3D 4D 5H 6D 8D 9H JD KD QH"
SIX_PAIRS = "3S 3C 5S 5C 6S 6C 8S 8C TS TC KS KC QD"
DRAGON = "3H 4S 5D 6H 7S 7C 8H 9S TD JS QS KH AS"


def held(text, **options):
    ruleset, hand = rules("tien-len", **options), pack(parse_cards(text))
    return sorted(name for name in INSTANT_WINS if wins_with(name, hand, ruleset))


@pytest.mark.parametrize(
    ("hand", "names"),
    [
        (TWOS, ["four_twos"]),
        (SIX_PAIRS, ["six_pairs"]),
        ("3S 3C 3D 3H 6S 6C 8S 8C TS TC KS KC QD", ["four_threes", "six_pairs"]),
        (DRAGON, ["dragon_to_ace"]),
        ("3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH 4D", ["dragon_to_ace", "ultimate_dragon"]),
        ("3S 4C 5D 6H 7S 8C 9D TH JS QC KD AC 2D", ["dragon", "dragon_to_ace"]),
        ("3S 3C 3D 6S 6C 6D 9S 9C 9D KS QC JD 4H", ["three_triples"]),
        ("3S 3C 3D 6S 6C 6D 9S 9C 9D KS KC KD 4H", ["four_triples", "three_triples"]),
        ("7S 7C 7D 8S 8C 8D 9S 9C 9D KS QC JD 4H",
         ["three_consecutive_triples", "three_triples"]),
        ("3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 9S TC QD",
         ["five_consecutive_pairs", "three_pairs_with_three_spades"]),
        ("3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 8S 8C QD",
         ["five_consecutive_pairs", "six_consecutive_pairs", "six_pairs",
          "three_pairs_with_three_spades", "two_bombs"]),
        ("3S 3C 4S 4C 4D 4H 5S 5C 7D 8H 9S TC QD", ["three_pairs_with_three_spades"]),
        ("4S 4C 4D 4H 7S 7C 8S 8C 9S 9C JD QH 2S", ["two_bombs"]),
        ("4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 6D 6H 2S",
         ["six_pairs", "three_consecutive_triples", "three_triples", "two_bombs"]),
        ("3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2H",
         ["dragon", "dragon_to_ace", "one_colour", "one_suit"]),
        ("3H 4H 5H 6H 7H 8D 9H TH JH QH KH KD 2H", ["one_colour"]),
        ("TS TC JS JC QS QC KS KC AS AC 2S 2C 4D",
         ["five_consecutive_pairs", "six_pairs"]),
        ("QS QC QD KS KC KD 2S 2C 2D 4S 5D 6H 7S", ["three_triples"]),
    ],
)  # fmt: skip
def test_hands_are_recognised(hand, names):
    assert held(hand) == names


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("tien-len", ["four_twos", "ultimate_dragon", "three_triples", "six_pairs"]),
        ("hawaii-killer", ["four_twos", "ultimate_dragon", "three_triples", "six_pairs"]),
        ("thirteen", ["four_twos", "dragon", "one_colour", "six_pairs"]),
        ("penguin", []),
        ("viet-cong", ["four_twos"]),
        ("family", ["four_twos", "dragon", "four_triples", "six_pairs"]),
        ("killa", ["four_twos", "dragon_to_ace", "six_pairs"]),
        ("mien-nam", ["four_twos", "dragon_to_ace", "five_consecutive_pairs", "six_pairs"]),
    ],
)
def test_each_document_has_its_list(key, names):
    assert list(rules(key).instant_wins) == names


def game(ruleset, *hands, **inherited):
    return Table(ruleset, *hands, instant=True, **inherited)


def test_a_holder_is_asked_and_may_play_on():
    """tien-len-vc, "Instant wins": claim first place or continue as usual."""
    table = game(rules("tien-len"), "", TWOS)
    assert (table.state.phase, table.turn, table.legal) == (
        "instant_win", 1, ["declare", "decline"],
    )  # fmt: skip
    table.says(1, "decline")
    assert table.state.phase == "play"
    assert table.result.placings == ()


def test_the_declarer_is_first_and_the_others_play_on():
    """family-rules, "Instant Wins"."""
    table = game(rules("family"), "3S", TWOS)
    table.says(1, "declare")
    assert table.result.placings == ((1,),)
    assert table.turn == 0
    table.play(0, "3S")
    assert table.turn == 2
    assert len(table.hand(1)) == 13


def test_the_lowest_card_left_leads_when_its_holder_declared():
    table = game(rules("tien-len"), "4S", "3S 3C 3D 3H 6S 6C 8S 8C TS TC KS KC QD")
    table.says(1, "declare")
    assert table.turn == 0
    assert all("4S" in text for text in table.legal)


def test_the_next_seat_leads_freely_when_the_previous_winner_declared():
    """family-rules, "Instant Wins": the player after him starts."""
    previous = Previous(placings=((1,), (0,), (2,), (3,)))
    table = game(rules("family"), "3S", TWOS, "9S 9C", previous=previous)
    table.says(1, "declare")
    assert table.turn == 2
    assert "9S 9C" in table.legal


def test_holders_are_asked_from_the_leader_and_take_effect_together():
    table = game(rules("family"), SIX_PAIRS, "3D", TWOS.replace("3D", "4H"))
    assert table.turn == 0
    table.says(0, "declare")
    assert (table.turn, table.result.placings) == (2, ())
    table.says(2, "declare")
    assert table.result.placings[:2] == ((0,), (2,))


def test_in_the_family_several_rank_by_the_previous_placings():
    """family-rules, "Instant Wins"."""
    previous = Previous(placings=((1,), (2,), (0,), (3,)))
    table = game(rules("family"), SIX_PAIRS, "", TWOS, previous=previous)
    assert table.turn == 2
    table.says(2, "declare").says(0, "declare")
    assert table.result.placings == ((2,), (0,))


def test_in_tien_len_the_better_hand_is_first():
    table = game(rules("tien-len"), SIX_PAIRS, "", TWOS)
    table.says(0, "declare").says(2, "declare")
    assert table.result.placings == ((2,), (0,))


def test_thirteen_declares_by_itself():
    """thirteen-guide, "Instant Win Conditions"."""
    table = game(rules("thirteen"), SIX_PAIRS, "", TWOS)
    assert table.state.phase == "play"
    assert table.result.placings == ((2,), (0,))
    assert table.turn in (1, 3)


def test_two_players_of_whom_one_declares_have_finished():
    table = game(rules("thirteen"), SIX_PAIRS, players=2)
    assert table.result.placings == ((0,), (1,))
    assert table.result.finished


def test_only_thirteen_cards_can_win():
    table = game(rules("thirteen"), "2S 2C 2D 2H", players=3)
    assert table.result.placings == ()


def test_in_viet_cong_four_twos_win_unless_trading():
    """penguin-book, "Viet Cong (VC)", points 1 and 5."""
    assert game(rules("viet-cong"), TWOS).result.placings == ((0,),)
    assert game(rules("viet-cong", exchange=["negotiated"]), TWOS).result.placings == ()


def test_killa_ends_at_once_without_betting():
    """killa, "Automatic Wins"."""
    table = game(rules("killa", betting="none"), "", DRAGON)
    table.says(1, "declare")
    assert table.result.placings == ((1,), (0, 2, 3))
    assert table.result.dealer_next == 3


def test_killa_plays_on_with_betting_and_the_lowest_card_left_leads():
    """killa, "Betting" 5."""
    previous = Previous(placings=((3,), (0,), (2,), (1,)))
    table = game(
        rules("killa", later_games_led_by="winner"), "3S", DRAGON, previous=previous
    )  # fmt: skip
    table.says(1, "declare")
    assert table.result.placings == ((1,),)
    assert table.turn == 0
    assert all("3S" in text for text in table.legal)


def test_in_killa_the_higher_top_pair_wins_and_the_other_plays_on():
    """killa, "Automatic Wins": four 2s override, else the higher pair."""
    kings = SIX_PAIRS
    aces = "3D 3H 5D 5H 6D 6H 8D 8H TD TH AD AC QS"
    table = game(rules("killa"), kings, aces)
    for seat in (table.turn, 1 - table.turn):
        table.says(seat, "declare")
    assert table.result.placings == ((1,),)
    assert table.state.in_play() == [0, 2, 3]
    table = game(rules("killa"), "2S 2C 2D 2H 3C 4C 5C 7C 8S 9H JD KD QH", aces)
    for seat in (table.turn, 1 - table.turn):
        table.says(seat, "declare")
    assert table.result.placings == ((0,),)


def test_mien_nam_ends_and_only_the_best_is_paid():
    table = game(rules("mien-nam"), "", SIX_PAIRS, "", TWOS)
    assert table.result.placings == ((3,), (0, 1, 2))
    assert table.result.net == (-4, -4, -4, 12)
    assert {payment.reason for payment in table.result.payments} == {"instant_win"}


@pytest.mark.parametrize("order", ["listed", "previous_placings", "top_pair"])
def test_where_an_instant_win_ends_the_game_only_the_best_wins(order):
    table = game(rules("mien-nam", instant_win_order=order), "", SIX_PAIRS, "", TWOS)
    assert [len(group) for group in table.result.placings] == [1, 3]


def test_instant_wins_can_be_switched():
    assert not game(rules("mien-nam", instant_wins=["six_pairs"]), TWOS).result.finished
    assert game(rules("mien-nam", instant_wins=["six_pairs"]), SIX_PAIRS).result.finished


def test_a_choice_is_private_until_all_have_answered_and_a_refusal_to_the_end():
    table = game(rules("family"), SIX_PAIRS, "", TWOS)
    assert observe(table.state, 1).turn is None
    assert observe(table.state, None).turn is None
    assert observe(table.state, 0).turn == 0
    table.says(0, "declare")
    assert observe(table.state, 1).history == ()
    assert len(observe(table.state, 0).history) == 1
    table.says(2, "decline")
    assert [e.action.do for e in observe(table.state, 1).history] == ["declare"]
    assert [e.action.do for e in observe(table.state, 2).history] == ["declare", "decline"]


def test_with_two_decks_any_four_twos_will_do():
    hand = "2S 2S 2C 2C 3D 5D 7D 9D JD KD 4H 6H 8H"
    assert game(rules("thirteen"), hand, players=5).result.placings == ((0,),)


@settings(max_examples=examples(400))
@given(st.integers(4, 13), st.integers(1, 4), st.integers(1, 2), st.randoms(use_true_random=False))
def test_the_best_hand_is_the_first_of_the_list_whatever_the_hand(ranks, suits, decks, rng: Random):
    """Hands of few ranks or few suits, where instant wins are frequent."""
    chosen = rng.sample(range(13), ranks), rng.sample(range(4), suits)
    deck = [4 * rank + suit for rank in chosen[0] for suit in chosen[1]] * decks
    rest = [card for card in range(52) if card not in deck]
    hand = rng.sample(deck, min(13, len(deck)))
    hand += rng.sample(rest, 13 - len(hand))
    ruleset = rules("thirteen" if decks == 2 else "tien-len", instant_wins=list(INSTANT_WINS))
    state = Table(ruleset, players=5 if decks == 2 else 4, instant=True).state
    state.dealt = (pack(hand), *state.dealt[1:])
    true = [name for name in INSTANT_WINS if wins_with(name, pack(hand), ruleset)]
    best = best_hand(state, 0)
    assert (None if best is None else INSTANT_WINS[best]) == (true[0] if true else None)
