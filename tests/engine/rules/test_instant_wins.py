"""Hands that win as dealt."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.game import observe
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
        ("3S 3S 4S 4D 5D 5D 6S 6H 7S 9D TC QC AS", ["three_pairs_with_three_spades"]),
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


def test_two_players_of_whom_one_declares_have_finished():
    table = game(rules("thirteen"), SIX_PAIRS, players=2)
    assert table.result.placings == ((0,), (1,))
    assert table.result.finished


@pytest.mark.parametrize("order", ["listed", "previous_placings", "top_pair"])
def test_where_an_instant_win_ends_the_game_only_the_best_wins(order):
    table = game(rules("mien-nam", instant_win_order=order), "", SIX_PAIRS, "", TWOS)
    assert [len(group) for group in table.result.placings] == [1, 3]


def test_nobody_else_learns_whose_choice_it_is():
    table = game(rules("family"), SIX_PAIRS, "", TWOS)
    assert [observe(table.state, seat).turn for seat in (0, 1, 2, None)] == [0, None, None, None]


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
