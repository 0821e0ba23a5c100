"""House rules that are neither chops, leads nor exchanges (tien-len-vc, "House rules")."""

import pytest

from engine.rules.game import IllegalAction, observe
from tests.engine.play import Table, refused, rules


@pytest.fixture
def table():
    """A straight flush is led, which locks the trick."""
    options = {"straight_flush_locks": "always"}
    hands = ("3S 4S 5S", "4C 5C 6C 7D")
    return Table(rules("tien-len", **options), *hands, leader=0).play(0, "3S 4S 5S")


def test_who_may_not_play_in_a_locked_trick_is_told_by_what_it_is_locked(table):
    assert "locked by 3S 4S 5S" in refused(table, 1, "5C 6C 7D")


def test_a_new_trick_is_not_locked(table):
    table.passes(1, 2, 3, 0)
    assert not observe(table.state, 0).trick_locked


def test_where_nothing_locks_nobody_locks():
    table = Table(rules("tien-len"), "3S 4S 5S", leader=0)
    with pytest.raises(IllegalAction, match="straight flush can lock"):
        table.says(0, "lock", "3S 4S 5S")


def test_with_two_decks_a_pair_of_one_colour_is_beaten_in_its_colour_whatever_its_suits():
    ruleset = rules("thirteen", pairs_match="colour", answers_match=True)
    table = Table(ruleset, "7S 7S 3D", "9C 9C", "9D 9H", players=5, leader=0).play(0, "7S 7S")
    assert "9C 9C" in table.legal
    assert "9D 9H" not in table.passes(1).legal
