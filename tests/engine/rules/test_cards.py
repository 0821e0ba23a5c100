import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.cards import (
    CardError,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    parse_rank,
)
from engine.rules.cardset import holds, missing, pack, rank_counts, size, unpack

cards = st.lists(st.integers(0, 51), max_size=20, unique=True)
two_decks = st.lists(st.sampled_from(list(range(52)) * 2), max_size=30).filter(
    lambda found: all(found.count(card) <= 2 for card in found)
)


def test_lowest_card_is_three_of_spades_and_highest_two_of_hearts():
    assert (format_card(0), format_card(51)) == ("3S", "2H")


@given(cards)
def test_parse_cards_is_the_inverse_of_format_cards(found):
    assert parse_cards(format_cards(found)) == tuple(sorted(found))


@pytest.mark.parametrize("text", ["10h", "TH", "th", "10♥", "T♥\ufe0f", "t♡"])
def test_parse_card_accepts_lower_case_ten_and_symbols(text):
    assert format_card(parse_card(text)) == "TH"


@pytest.mark.parametrize("text", ["", "1S", "3X", "S3", "3SS", "110H", "joker\n"])
def test_parse_card_refuses_what_is_no_card_in_one_line(text):
    with pytest.raises(CardError) as error:
        parse_card(text)
    assert "\n" not in str(error.value)


def test_parse_rank_refuses_two_letters():
    assert parse_rank("10") == parse_rank("t") == 7
    with pytest.raises(CardError):
        parse_rank("34")


@given(two_decks)
def test_unpack_is_the_inverse_of_pack(found):
    assert unpack(pack(found)) == tuple(sorted(found))
    assert size(pack(found)) == len(found)
    assert list(rank_counts(pack(found))) == [
        sum(card // 4 == rank for card in found) for rank in range(13)
    ]


@given(two_decks, two_decks)
def test_holds_counts_copies(hand, part):
    expected = all(hand.count(card) >= part.count(card) for card in part)
    assert holds(pack(hand), pack(part)) == expected
    assert bool(missing(pack(hand), pack(part))) != expected
