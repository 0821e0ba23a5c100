"""Taps and specials of one game, and their text form."""

from __future__ import annotations

import pytest

from engine.rules.specials import Special
from league.base.domain.stored_specials import from_json, to_json
from league.nights.domain.entry import (
    Entry,
    EntryError,
    read_order,
    read_specials,
    write_order,
    write_specials,
)

FOUR = Entry((5, 6, 7, 8))


def tapped(*players):
    entry = FOUR
    for player in players:
        entry = entry.tap(player)
    return entry.groups


def test_three_taps_place_four():
    assert tapped(7, 5, 8) == ((7,), (5,), (8,), (6,))


def test_tapping_somebody_again_takes_that_place_and_later_ones_back():
    assert tapped(7, 5, 5) == ((7,),)
    assert tapped(7, 5, 8, 7) == ()


def test_a_stranger_gets_no_place():
    assert tapped(99) == ()


def test_an_instant_win_places_everybody_and_drops_other_specials():
    entry = FOUR.add(Special("chop", 5, 6, "R")).add(Special("instant_win", 7))
    assert (entry.groups, entry.specials) == (((7,), (5, 6, 8)), (Special("instant_win", 7),))
    assert entry.remove(0).groups == ()
    assert entry.tap(7) == FOUR


def test_the_rest_may_share_after_the_first():
    assert FOUR.share_rest() == FOUR
    assert FOUR.tap(6).share_rest().groups == ((6,), (5, 7, 8))


def test_a_chop_goes_with_what_was_played_on_it():
    first, second = Special("chop", 5, 6, "R"), Special("chop", 7, 5, "PR3", True)
    entry = FOUR.add(first).add(second).add(Special("cong", of=8))
    assert entry.remove(0).specials == (Special("cong", of=8),)
    assert entry.remove(1).specials == (first, Special("cong", of=8))


@pytest.mark.parametrize("text", ["", "5", "5,7,8+9", "5+6"])
def test_places_read_as_they_are_written(text):
    assert write_order(read_order(text)) == text


SPECIALS = "chop.5.7.R;chain.8.5.PR3;left.7.B;cong.9"


@pytest.mark.parametrize("text", ["", SPECIALS, "win.5"])
def test_specials_read_as_they_are_written_and_stored(text):
    assert write_specials(read_specials(text)) == text
    assert from_json(to_json(read_specials(text))) == read_specials(text)


@pytest.mark.parametrize(
    "text", ["x", "5,,6", "5,-6", "5,6.5", "5,²", ",".join("5" * 300), "9" * 20]
)
def test_other_texts_are_no_places(text):
    with pytest.raises(EntryError):
        read_order(text)


@pytest.mark.parametrize(
    "text", ["x", "chop.5", "chop.5.7", "chop.a.7.R", "cong", "win.5.6", ";".join(["cong.5"] * 21)]
)
def test_other_texts_are_no_specials(text):
    with pytest.raises(EntryError):
        read_specials(text)
