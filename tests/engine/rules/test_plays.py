"""The generator against plain counting: every set of cards of a small hand, classified."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import format_cards, parse_cards
from engine.rules.cardset import lowest_ranks, pack, unpack
from engine.rules.plays import Generator, classify, prepare
from engine.rules.shapes import (
    cards_of,
    is_bomb,
    is_straight_flush,
    is_twos,
    kind,
    length,
    shape_of,
)
from tests.plugins.chance import examples

prepare(2)
ALL = Generator(straight_end=13, pair_end=13, longest=13, quad_runs=True)
NO_TWOS = Generator(straight_end=12, pair_end=12, longest=4, quad_runs=False)
# Hands from few ranks, so that runs, quads and copies are common.
hands = st.integers(0, 9).flatmap(
    lambda low: st.lists(
        st.sampled_from([4 * rank + suit for rank in range(low, min(low + 5, 13))
                         for suit in range(4)] * 2),
        min_size=1, max_size=10,
    ).filter(lambda found: all(found.count(card) <= 2 for card in found))
)  # fmt: skip


def name(text: str, rules: Generator = ALL) -> tuple[str, int] | None:
    play = classify(pack(parse_cards(text)), rules)
    return (kind(shape_of(play)), length(shape_of(play))) if play else None


def plain_kind(cards: tuple[int, ...], rules: Generator) -> bool:
    """Tell by the definitions of each kind whether cards are a combination."""
    ranks = sorted(card // 4 for card in cards)
    different = sorted(set(ranks))
    if len(different) == 1:
        return len(cards) <= 4
    each = len(cards) // len(different)
    if ranks != sorted(different * each):
        return False
    if different != list(range(different[0], different[-1] + 1)):
        return False
    end = rules.straight_end if each == 1 else rules.pair_end
    if different[-1] >= end:
        return False
    if each == 1:
        return len(different) >= 3
    if each == 2:
        return 3 <= len(different) <= rules.longest
    return each == 4 and rules.quad_runs


def subsets(hand: list[int]) -> set[tuple[int, ...]]:
    return {
        found
        for size in range(1, len(hand) + 1)
        for found in combinations(sorted(hand), size)
    }  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(hands, st.sampled_from([ALL, NO_TWOS]))
def test_all_plays_are_exactly_the_combinations_among_all_subsets(hand, rules):
    plays = rules.all_plays(pack(hand))
    found = [cards_of(play) for play in plays]
    assert len(set(found)) == len(found)
    assert set(found) == {cards for cards in subsets(hand) if plain_kind(cards, rules)}
    assert all(classify(pack(cards), rules) == play
               for cards, play in zip(found, plays, strict=True))  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(hands, hands, st.sampled_from([ALL, NO_TWOS]))
def test_higher_plays_have_the_shape_and_a_higher_top_card(hand, other, rules):
    plays = rules.all_plays(pack(hand))
    for target in rules.all_plays(pack(other))[::5]:
        expected = [
            play for play in plays
            if shape_of(play) == shape_of(target) and max(cards_of(play)) > max(cards_of(target))
        ]  # fmt: skip
        assert sorted(rules.higher(pack(hand), target >> 104)) == sorted(expected)
        same = [play for play in plays if shape_of(play) == shape_of(target)]
        assert sorted(rules.of_shapes(pack(hand), (shape_of(target),))) == sorted(same)


def test_the_lowest_ranks_of_a_hand_end_at_its_first_gap():
    def lowest(text):
        return format_cards(unpack(lowest_ranks(pack(parse_cards(text)))))

    assert lowest("4S 4H 5C 7D AS") == "4S 4H 5C"
    assert lowest("3S") == "3S"
    assert lowest("KS AS 2H") == "KS AS 2H"


def test_kinds_and_lengths_are_named():
    assert name("3S") == ("single", 1)
    assert name("3S 3H") == ("pair", 1)
    assert name("2S 2C 2D") == ("triple", 1)
    assert name("9S 9C 9D 9H") == ("quad", 1)
    assert name("QS KH AC 2D") == ("straight", 4)
    assert name("QS QH KC KD AS AC 2D 2H") == ("pair_run", 4)
    assert name("4S 4C 4D 4H 5S 5C 5D 5H") == ("quad_run", 2)


def test_no_run_turns_the_corner_or_mixes_counts():
    assert name("2S 3H 4C") is None
    assert name("AS 2H 3C") is None
    assert name("3S 3H 4C 4D 5S") is None
    assert name("3S 4H") is None
    assert name("3S 3C 4S 4C") is None
    assert name("3S 3C 3D 4S 4C 4D 5S 5C 5D") is None


def test_a_ruleset_without_twos_in_runs_has_none():
    assert name("KS AH 2C", NO_TWOS) is None
    assert name("KS KH AC AD 2S 2C", NO_TWOS) is None
    assert name("3S 3H 4C 4D 5S 5C 6S 6C 7S 7C", NO_TWOS) is None
    assert name("4S 4C 4D 4H 5S 5C 5D 5H", NO_TWOS) is None


def test_with_two_decks_no_kind_uses_more_than_four_of_a_rank():
    assert name("5S 5S") == ("pair", 1)
    assert classify(pack(parse_cards("5S 5S 5C 5C 5H")), ALL) == 0


def test_special_combinations_and_twos_are_told_apart():
    def play(text):
        return classify(pack(parse_cards(text)), ALL)

    assert [is_bomb(play(t)) for t in ("3S 3C 3D 3H", "3S 3C 4S 4C 5S 5C", "3S 4S 5S")] == [
        True, True, False,
    ]  # fmt: skip
    assert [is_twos(play(t)) for t in ("2S", "2S 2C 2D", "AS", "KS AS 2S")] == [
        True, True, False, False,
    ]  # fmt: skip
    assert [is_straight_flush(play(t)) for t in ("3S 4S 5S", "3S 4S 5C", "3S")] == [
        True, False, False,
    ]  # fmt: skip


@given(hands)
def test_cards_of_a_play_print_low_to_high(hand):
    for play in ALL.all_plays(pack(hand)):
        cards = cards_of(play)
        assert cards == tuple(sorted(cards)) == unpack(pack(cards))
        assert format_cards(cards) == format_cards(reversed(cards))
