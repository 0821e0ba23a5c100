import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.base.domain.names import LONGEST_KEY, sort_key

ALPHABET = "aăâbcdđeêfghijklmnoôơpqrstuưvwxyz"
VOWELS = "aăâeêioôơuưy"
TONES = ["", "\u0300", "\u0309", "\u0303", "\u0301", "\u0323"]  # ngang huyền hỏi ngã sắc nặng


def put_in_order(names: Sequence[str]) -> list[str]:
    """The names sorted from the wrong end, so that equal keys would show."""
    backwards = list(reversed(names))
    return sorted(backwards, key=sort_key)


def in_order(names: list[str]) -> bool:
    keys = [sort_key(name) for name in names]
    return keys == sorted(keys)


def test_a_class_list_stands_in_vietnamese_order():
    names = [
        "An", "An Bình", "Ăn", "Ân", "Ba", "Ba Bị", "Bà", "Bả", "Bã", "Bá", "Bạ", "Bác", "Bằng",
        "Cường", "Dũng", "Dương", "Đạt", "Đức", "Em", "Êm", "Hoa", "Hòa", "Hoàng", "Nguyên Ý",
        "Nguyễn An", "Oanh", "Ông", "Ơn", "Tú", "Tư", "Vy", "Yến",
    ]  # fmt: skip
    assert put_in_order(names) == names


def test_the_full_name_counts_from_its_first_word():
    names = ["Lê Văn Tám", "Nguyễn Thị Ánh", "Nguyễn Văn An", "Nguyễn Văn Ân", "Trần An"]
    assert put_in_order(names) == names


def test_every_letter_of_the_alphabet_has_its_place():
    assert put_in_order(ALPHABET) == list(ALPHABET)


def test_old_and_new_places_of_the_tone_sort_alike():
    assert sort_key("Hoà") == sort_key("Hòa")
    assert sort_key("Thuý Bình") == sort_key("Thúy Bình")


def test_case_and_composition_do_not_matter():
    assert sort_key("ĐẶNG BỘT") == sort_key("Đặng Bột")
    assert sort_key(unicodedata.normalize("NFD", "Đặng Bột")) == sort_key("Đặng Bột")


def test_numbers_come_before_letters_and_by_their_size():
    names = ["Bot 2", "Bot 10", "Bot 010 b", "Bot A"]
    assert in_order(names)
    assert in_order(["7 Up", "An"])


def test_a_hyphen_parts_words_and_an_apostrophe_does_not():
    assert sort_key("Anne-Marie") == sort_key("Anne Marie")
    assert sort_key("O'Brien") == sort_key("Obrien")


def test_other_scripts_come_last():
    assert in_order(["Zoë", "李明"])


@pytest.mark.parametrize("vowel", VOWELS)
def test_tones_of_a_vowel_follow_the_dictionary(vowel):
    words = [unicodedata.normalize("NFC", f"b{vowel}{tone}") for tone in TONES]
    assert put_in_order(words) == words


@st.composite
def syllables(draw: st.DrawFn) -> tuple[str, int]:
    """A syllable's plain letters and its tone, 0 to 5."""
    onset = draw(st.text(st.sampled_from("bcdđghklmnpqrstvx"), max_size=3))
    rhyme = draw(st.text(st.sampled_from(VOWELS), min_size=1, max_size=3))
    coda = draw(st.text(st.sampled_from("cghmnpt"), max_size=2))
    return onset + rhyme + "|" + coda, draw(st.integers(0, 5))


def spell(name: list[tuple[str, int]]) -> str:
    """The name as people write it, the tone on the syllable's last vowel."""
    words = [letters.replace("|", TONES[tone]) for letters, tone in name]
    return unicodedata.normalize("NFC", " ".join(words)).title()


def dictionary(name: list[tuple[str, int]]) -> list[tuple[list[int], int]]:
    """The rule itself: syllable by syllable, the letters by the alphabet and then the tone."""
    return [([ALPHABET.index(c) for c in letters.replace("|", "")], tone) for letters, tone in name]


@given(st.lists(syllables(), min_size=1, max_size=4), st.lists(syllables(), min_size=1, max_size=4))
def test_keys_compare_as_the_dictionary_does(one, other):
    a, b = sort_key(spell(one)), sort_key(spell(other))
    assert (a < b, a == b) == (
        dictionary(one) < dictionary(other),
        dictionary(one) == dictionary(other),
    )


@given(st.text(max_size=60))
def test_a_key_is_short_printable_ascii(text):
    key = sort_key(text)
    assert key.isascii()
    assert len(key) <= LONGEST_KEY
    assert key.isprintable()


def test_a_name_of_many_parts_has_a_key_that_is_cut():
    assert len(sort_key("각" * 60)) == LONGEST_KEY
