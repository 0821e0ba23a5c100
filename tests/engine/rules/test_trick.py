"""Who is out of cards, a game that is over, and copies of one that goes on."""

import pytest

from engine.rules.errors import GameOver, HasFinished
from tests.engine.play import Table, rules, run_down


@pytest.fixture
def table():
    """Three players, of whom the first is out of cards and the next one leads."""
    spades, clubs, diamonds = (" ".join(rank + suit for rank in "3456789TJQKA2") for suit in "SCD")
    table = Table(rules("killa"), spades, clubs, diamonds, players=3, leader=0)
    for card in reversed(spades.split()[:-1]):
        table.play(0, card).passes(1, 2, 0)
    return table.play(0, "2S").passes(1, 2)


def test_the_lead_skips_seats_without_cards(table):
    """Peers gave the lead to an empty hand or skipped the seat after it."""
    table.play(1, "3C").play(2, "4D")
    assert table.turn == 1
    with pytest.raises(HasFinished):
        table.passes(0)


def test_the_game_ends_when_one_player_is_left(table):
    run_down(table)
    assert [len(group) for group in table.result.placings] == [1, 1, 1]
    assert table.result.finished
    assert table.result.dealer_next == table.result.placings[-1][0]
    with pytest.raises(GameOver):
        table.passes(0)


def test_a_copy_is_independent_of_the_state():
    table = Table(rules("killa"), "4S", leader=0)
    twin = table.state.copy()
    table.play(0, "4S")
    assert (twin.turn, twin.top) == (0, 0)
