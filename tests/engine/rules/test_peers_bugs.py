"""Mistakes found in other programs for this game, one test each."""

from random import Random

import pytest

from engine.rules.game import IllegalAction, legal_actions, observe
from engine.rules.observation import Observation
from engine.rules.state import OVER, PLAY
from tests.engine.play import Table, rules
from tests.engine.walk import finished

SPADES = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S"
CLUBS, DIAMONDS = (SPADES.replace("S", suit) for suit in "CD")


def first_is_out(forward):
    """Three players; the first has just played his last card, a 2, in a trick of its own."""
    ruleset = rules("killa", forward=forward)
    table = Table(ruleset, SPADES, CLUBS, DIAMONDS, players=3, leader=0)
    table.play(0, "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS").passes(1, 2)
    if forward:
        table.passes(0)
    return table.play(0, "2S")


@pytest.mark.parametrize("forward", [True, False])
def test_the_seat_after_someone_who_went_out_is_not_skipped(forward):
    table = first_is_out(forward)
    assert table.turn == 1
    table.passes(1)
    assert table.turn == 2


@pytest.mark.parametrize("forward", [True, False])
def test_the_lead_never_goes_to_an_empty_hand(forward):
    table = first_is_out(forward).passes(1, 2)
    assert table.turn == 1
    for seed in range(40):
        state = finished((rules("thirteen", forward=forward), 4), Random(seed))
        assert state.phase == OVER


def test_play_goes_on_rightly_after_an_instant_win():
    """The winner is never asked again, and the game ends with complete places."""
    table = Table(rules("tien-len"), "3S", "2S 2C 2D 2H", instant=True)
    table.says(1, "declare")
    turns = set()
    while table.state.phase == PLAY:
        turns.add(table.turn)
        table.do(legal_actions(table.state)[0])
    assert turns == {0, 2, 3}
    assert table.result.placings[0] == (1,)
    assert sorted(seat for group in table.result.placings for seat in group) == [0, 1, 2, 3]


def test_a_locked_out_player_does_not_play_again_in_the_trick():
    table = Table(rules("tien-len"), "4S 9S", "5S AS", "6S", leader=0)
    table.play(0, "4S").passes(1).play(2, "6S").passes(3).play(0, "9S")
    with pytest.raises(IllegalAction):
        table.play(1, "AS")


@pytest.mark.parametrize(
    ("key", "on", "chop"),
    [
        ("tien-len", "2S", "5S 5C 6S 6C 7S 7C"),
        ("tien-len", "2S", "5S 5C 5D 5H"),
        ("tien-len", "2S 2C", "5S 5C 6S 6C 7S 7C 8S 8C"),
        ("tien-len", "2S 2C", "5S 5C 5D 5H 6S 6C 6D 6H"),
        ("killa", "2S", "5S 5C 6S 6C 7S 7C 8S 8C"),
        ("killa", "5S 5C 6S 6C 7S 7C", "9S 9C 9D 9H"),
        ("thirteen", "9S 9C 9D 9H", "5S 5C 6S 6C 7S 7C 8S 8C"),
        ("thirteen", "2S 2C 2D", "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C"),
    ],
)
def test_chops_are_reachable_by_the_generator(key, on, chop):
    table = Table(rules(key), on, chop, leader=0).play(0, on)
    assert chop in table.legal


def test_straights_of_every_length_are_listed():
    lengths = {len(text.split()) for text in Table(rules("tien-len"), SPADES, leader=0).legal}
    assert lengths == {1, *range(3, 13)}


def test_a_longer_straight_does_not_beat_a_shorter_one():
    table = Table(rules("tien-len"), "3S 4S 5S", "6C 7C 8C 9C", leader=0).play(0, "3S 4S 5S")
    assert "6C 7C 8C" in table.legal
    assert "6C 7C 8C 9C" not in table.legal


def test_suits_count_for_pairs_and_straights():
    table = Table(rules("tien-len"), "9S 9D", "9C 9H", leader=0).play(0, "9S 9D")
    assert "9C 9H" in table.legal
    table = Table(rules("tien-len"), "7S 8S 9H", "7H 8H 9D", leader=0).play(0, "7S 8S 9H")
    assert "7H 8H 9D" not in table.legal


def test_bots_never_see_the_true_hands_of_others():
    """A bot gets an Observation: no field of it holds another seat's cards."""
    table = Table(rules("killa"), "3S", "2S", "2C", "2D")
    hidden = {card for seat in (1, 2, 3) for card in table.hand(seat)}

    def cards_in(value):
        if isinstance(value, tuple):
            return {card for item in value for card in cards_in(item)}
        return {value} if isinstance(value, int) and not isinstance(value, bool) else set()

    seen = observe(table.state, 0)
    assert isinstance(seen, Observation)
    assert set(seen.hand) == set(table.hand(0))
    assert cards_in(seen.hand) & hidden == set()
    assert seen.history == ()
    assert observe(table.state, None).hand == ()
