"""House rules that are neither chops, leads nor exchanges (tien-len-vc, "House rules")."""

import pytest

from engine.rules.game import observe
from tests.engine.play import Table, refused, rules


class TestLocks:
    """A straight flush locks the trick: only higher straight flushes may follow."""

    HANDS = ("3S 4S 5S 6D", "4C 5C 6C 5H 7D", "6S 7S 8S", "8D 9D TD 7C")

    def table(self, how):
        return Table(rules("tien-len", straight_flush_locks=how), *self.HANDS, leader=0)

    def test_a_straight_flush_always_locks_where_it_is_played_so(self):
        table = self.table("always").play(0, "3S 4S 5S")
        assert "4C 5C 6C" in table.legal
        assert "5C 6C 7D" not in table.legal
        assert "locked by 3S 4S 5S" in refused(table, 1, "5C 6C 7D")
        table.play(1, "4C 5C 6C").play(2, "6S 7S 8S")
        assert "locked by" in refused(table, 3, "8D 9D 7C") or table.turn == 3

    def test_an_ordinary_straight_does_not_lock(self):
        table = self.table("always").play(0, "4S 5S 6D")
        assert "5C 6C 7D" in table.legal

    def test_locking_may_be_the_players_choice(self):
        table = self.table("choice")
        assert "3S 4S 5S" in table.legal
        assert "lock 3S 4S 5S" in table.legal
        assert "lock 4S 5S 6D" not in table.legal
        table.says(0, "lock", "3S 4S 5S")
        assert [text for text in table.legal if "5C 6C 7D" in text] == []
        assert {"4C 5C 6C", "lock 4C 5C 6C"} <= set(table.legal)

    def test_a_higher_straight_flush_played_without_it_unlocks(self):
        table = self.table("choice").says(0, "lock", "3S 4S 5S").play(1, "4C 5C 6C")
        assert table.state.flush_lock is False

    def test_without_locks_nothing_is_locked(self):
        table = self.table("never").play(0, "3S 4S 5S")
        assert "5C 6C 7D" in table.legal
        with pytest.raises(Exception, match="straight flush can lock"):
            table.says(1, "lock", "4C 5C 6C")

    def test_a_new_trick_is_not_locked(self):
        table = self.table("always").play(0, "3S 4S 5S").passes(1, 2, 3, 0)
        assert not observe(table.state, 0).trick_locked


class TestAllLose:
    """ "Only the player who wins a round can begin a new round", game summary."""

    SPADES = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S"

    def table(self):
        hands = (self.SPADES, self.SPADES.replace("S", "C"), self.SPADES.replace("S", "H"))
        return Table(rules("tien-len", all_lose=True), *hands, players=3, leader=0)

    def test_all_others_share_the_last_place_when_last_cards_stay_unbeaten(self):
        table = self.table().play(0, "3S").passes(1, 2)
        for card in "456789TJQKA2":
            table.play(0, f"{card}S")
        assert table.result.placings == ((0,), (1, 2))
        assert table.result.dealer_next == 2

    def test_play_goes_on_when_they_are_beaten(self):
        table = self.table().play(0, "4S 5S 6S 7S 8S 9S TS JS QS KS AS").passes(1, 2, 0)
        table.play(0, "2S").passes(1, 2).passes(0).play(0, "3S")
        assert not table.result.finished
        table.play(1, "4C").passes(2)
        assert table.result.placings == ((0,),)
        assert table.turn == 1

    def test_the_rule_holds_for_whatever_place(self):
        table = self.table().play(0, "4S 5S 6S 7S 8S 9S TS JS QS KS AS").passes(1, 2, 0)
        table.play(0, "2S").passes(1, 2).passes(0).play(0, "3S")
        table.play(1, "4C").passes(2)
        for card in "56789TJQKA2":
            table.play(1, f"{card}C")
        table.passes(1).play(1, "3C")
        assert table.result.finished
        assert table.result.placings == ((0,), (1,), (2,))


def test_twos_may_top_straights():
    """tien-len-vc, "House rules": 2s at the top of a straight but not at the bottom."""
    table = Table(rules("tien-len", twos_top_straights=True), "KS AS 2S 3S 4S", leader=0)
    assert "KS AS 2S" in table.legal
    assert "combination" in refused(table, 0, "3S 4S 2S")
    assert "KS AS 2S" not in Table(rules("tien-len"), "KS AS 2S", leader=0).legal


def test_twos_may_top_pair_runs_and_quad_runs():
    """penguin-book, "Play": QQ-KK-AA-22; and "Viet Cong (VC)", point 3."""
    run = "KS KC AS AC 2S 2C"
    assert run in Table(rules("penguin"), run, leader=0).legal
    assert run in Table(rules("viet-cong"), run, leader=0).legal
    assert run not in Table(rules("killa"), run, leader=0).legal
    quads = "AS AC AD AH 2S 2C 2D 2H"
    assert quads in Table(rules("viet-cong"), quads, leader=0).legal
    assert quads not in Table(rules("tien-len"), quads, leader=0).legal


def test_penguins_straights_run_on_to_the_two():
    straights = Table(rules("penguin"), "QS KH AC 2D", leader=0).legal
    assert {"QS KH AC 2D", "KH AC 2D"} <= set(straights)
    assert "KH AC 2D" not in Table(rules("viet-cong"), "QS KH AC 2D", leader=0).legal


def test_killas_lowest_cards_may_be_revealed():
    """killa, "How to Play": each player reveals his lowest card."""
    table = Table(rules("killa", lowest_cards_revealed=True), "3S", "4S 3C")
    lowest = observe(table.state, 2).lowest_cards
    assert lowest == tuple(min(hand) for hand in table.result.hands)
    assert observe(Table(rules("killa"), "3S").state, 2).lowest_cards is None


def test_card_counts_are_public_or_hidden():
    """thirteen-guide, "Information Sharing"; family-rules, "Miscellaneous"."""
    assert observe(Table(rules("thirteen")).state, 0).counts == (13, 13, 13, 13)
    assert observe(Table(rules("family")).state, 0).counts == (13, None, None, None)
    assert observe(Table(rules("family")).state, None).counts == (None, None, None, None)


def test_with_two_decks_a_pair_of_one_colour_is_beaten_in_its_colour_whatever_its_suits():
    ruleset = rules("thirteen", pairs_match="colour", answers_match=True)
    table = Table(ruleset, "7S 7S 3D", "9C 9C", "9D 9H", players=5, leader=0).play(0, "7S 7S")
    assert "9C 9C" in table.legal
    assert "9D 9H" not in table.passes(1).legal
