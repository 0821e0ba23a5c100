"""Cards that change hands before play: why one is refused, and what the documents leave open."""

import pytest

from engine.rules.actions import action_text
from engine.rules.cards import format_cards
from engine.rules.errors import AlreadyRefused, NotInHand, NoTrade, WrongCount, WrongPhase
from engine.rules.game import legal_actions
from engine.rules.inherited import PastChop, Previous
from tests.engine.play import Table, rules

ORDER = ((0,), (1,), (2,), (3,))
# Seat 1 chopped a single 2 of seat 0.
CHOP = PastChop(by=1, of=0, level=1, twos=1)


def after(*chops, **more):
    return Previous(placings=ORDER, chops=chops, **more)


def test_a_rank_is_asked_for_once():
    table = Table(rules("family"), "7S 7D", "4S", previous=after(CHOP))
    missing = next(rank for rank in "3456789TJQKA2" if rank not in format_cards(table.hand(0)))
    table.says(1, "ask", missing)
    with pytest.raises(AlreadyRefused):
        table.says(1, "ask", missing)


def test_as_many_cards_are_returned_as_were_taken_and_of_ones_own():
    table = Table(rules("thirteen", exchange=["winner_takes"]), previous=after())
    with pytest.raises(WrongCount):
        table.says(0, "return", format_cards(table.hand(0)[:1]))
    with pytest.raises(NotInHand):
        table.says(0, "return", format_cards(table.hand(1)[:2]))


class TestNegotiated:
    """tien-len-vc, "Instant wins" (trading); penguin-book, "Viet Cong (VC)", point 5."""

    def test_of_trades_beyond_the_limits_it_is_told_who_would_hold_or_give_too_much(self):
        table = Table(rules("tien-len", exchange=["negotiated"]), "3S 4S 5S 6S", "9S")
        table.trades(0, 1, "3S 4S 5S", "9S")
        with pytest.raises(NoTrade, match="seat 0 would have given 3 cards more"):
            table.trades(0, 2, "6S", "")
        with pytest.raises(NoTrade, match="seat 1 would hold 16 cards"):
            table.trades(2, 1, format_cards(table.hand(2)[:1]), "")

    def test_nobody_swaps_nothing_or_with_oneself_or_what_another_holds(self):
        table = Table(rules("viet-cong", exchange=["negotiated"]), "3S 4S", "9S TS")
        with pytest.raises(NoTrade):
            table.trades(1, 0, "", "")
        with pytest.raises(NoTrade):
            table.trades(1, 1, "9S", "TS")
        with pytest.raises(NotInHand):
            table.trades(1, 0, "3S", "9S")

    def test_no_trades_where_they_are_not_played(self):
        with pytest.raises(WrongPhase):
            Table(rules("tien-len"), "3S", "9S").trades(0, 1, "3S", "9S")

    def test_automatic_wins_are_decided_anew_by_a_trade(self):
        table = Table(
            rules("thirteen", exchange=["negotiated"]), "2S 2C 2D 2H 9S", "9H", instant=True
        )  # fmt: skip
        assert table.result.placings == ((0,),)
        table.trades(0, 1, "9S", "9H")
        assert table.result.placings == ()


def test_a_debtor_who_lacks_a_two_owes_no_more():
    """tien-len-vc, "House rules": the person chopped owes cards in the next game."""
    ruleset = rules("tien-len", exchange=["chop_debt"], chop_debt_cards="any_two")
    table = Table(ruleset, "4S", "2S 2C", "2D 2H", previous=after(CHOP))
    assert table.state.phase == "play"


def test_several_exchanges_are_settled_in_the_order_of_the_ruleset():
    previous = after(CHOP, twos_left=(0, 0, 0, 1))
    ruleset = rules("tien-len", exchange=["twos_left", "chop_debt"])
    table = Table(ruleset, "2S", "4S", "", "2H", previous=previous)
    assert table.turn == 0
    table.do(legal_actions(table.state)[0])
    assert table.turn == 1
    assert action_text(legal_actions(table.state)[0]).startswith("return")


def test_twos_left_are_no_debt_to_or_of_a_new_player():
    ruleset = rules("tien-len", exchange=["twos_left"])
    previous = after(twos_left=(0, 0, 0, 1), gone=frozenset({3}))
    assert Table(ruleset, "", "", "", "2S", previous=previous).state.phase == "play"
