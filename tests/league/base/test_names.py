import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.base.domain.names import (
    LONGEST,
    ControlCharacter,
    EmptyName,
    LongName,
    NameProblem,
    StackedMarks,
    clean_name,
    fold,
    identity,
)


def test_spaces_are_folded_and_trimmed():
    assert clean_name("  Nguyễn \t Văn\u00a0\n An ") == "Nguyễn Văn An"


def test_a_name_typed_in_pieces_is_composed():
    assert clean_name(unicodedata.normalize("NFD", "Nguyễn Thị Hường")) == "Nguyễn Thị Hường"


def test_invisible_formatting_of_a_paste_is_left_out():
    assert clean_name("\ufeffAn\u200b \u202eBình\u200f") == "An Bình"


@pytest.mark.parametrize("name", ["A", "7", "李明", "🐉", "O'Brien", "Trần-Lê", "Bot #2", "D" * 60])
def test_names_of_all_kinds_stay_as_they_are(name):
    assert clean_name(name) == name


@pytest.mark.parametrize("text", ["", "   ", "\t\n", "\u200b", "---", "..", "\u0301"])
def test_a_name_without_anything_to_read_is_empty(text):
    with pytest.raises(EmptyName):
        clean_name(text)


def test_sixty_characters_are_the_most():
    with pytest.raises(LongName) as caught:
        clean_name("x" * 300)
    assert str(caught.value) == "The name is 300 characters long. Shorten it to 60 or fewer."


@pytest.mark.parametrize(("text", "code"), [("An\x00", "U+0000"), ("A\x07n", "U+0007")])
def test_control_characters_are_refused_by_their_code(text, code):
    with pytest.raises(ControlCharacter) as caught:
        clean_name(text)
    assert caught.value.params == {"code": code}


def test_a_heap_of_accents_is_refused():
    with pytest.raises(StackedMarks):
        clean_name("Z" + "\u0301\u0302\u0303\u0304" + "o")


def test_case_does_not_make_another_person_but_an_accent_does():
    assert identity("NGUYỄN An") == identity("nguyễn an")
    assert identity("An") != identity("Ân")


def test_folding_takes_away_accents_bars_and_case():
    assert fold("Đỗ Thị Ấn") == fold("do thi an") == "do thi an"
    assert fold("Hòa") == fold("Hoà") == "hoa"


@given(st.text(max_size=80))
def test_any_text_is_either_refused_or_clean_for_good(text):
    try:
        name = clean_name(text)
    except NameProblem:
        return
    assert clean_name(name) == name
    assert 1 <= len(name) <= LONGEST
    assert name == unicodedata.normalize("NFC", " ".join(name.split()))
