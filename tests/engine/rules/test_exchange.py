"""Cards that change hands before play."""

import pytest

from engine.rules.actions import action_text
from engine.rules.cards import format_cards, parse_cards
from engine.rules.errors import (
    AlreadyRefused,
    IllegalAction,
    NotInHand,
    NoTrade,
    WrongCount,
    WrongPhase,
)
from engine.rules.game import legal_actions, observe
from engine.rules.inherited import PastChop, Previous
from tests.engine.play import Table, rules

ORDER = ((0,), (1,), (2,), (3,))
# Seat 1 chopped a single 2 of seat 0.
CHOP = PastChop(by=1, of=0, level=1, twos=1)
ON_TOP = PastChop(by=2, of=1, level=2, twos=0)


def after(*chops, placings=ORDER, **more):
    return Previous(placings=placings, chops=chops, **more)


def fish(*chops, hands=("7S 7D", "4S"), **more):
    return Table(rules("family"), *hands, previous=after(*chops, **more))


class TestGoFish:
    """family-rules, "House Rule - Go Fish"."""

    def test_the_chopper_asks_for_a_rank_until_it_is_there(self):
        table = fish(CHOP)
        assert (table.state.phase, table.turn) == ("exchange", 1)
        assert len(table.legal) == 13
        missing = next(
            rank for rank in "3456789TJQKA2"
            if rank not in format_cards(table.hand(0))
        )  # fmt: skip
        table.says(1, "ask", missing)
        assert f"ask {missing}" not in table.legal
        with pytest.raises(AlreadyRefused):
            table.says(1, "ask", missing)
        table.says(1, "ask", "7")
        assert table.legal == [
            f"return {card}" for card in sorted(format_cards(table.hand(1)).split())
        ]

    def test_the_highest_card_of_the_rank_is_given_and_any_card_returned(self):
        table = fish(CHOP, hands=("7S 7D", "4S 7C 7H"))
        table.says(1, "ask", "7")
        assert parse_cards("7D")[0] in table.hand(1)
        table.says(1, "return", "7D")
        assert parse_cards("7D")[0] in table.hand(0)
        assert (table.state.phase, table.turn) == ("play", 0)

    def test_debts_are_settled_in_the_order_of_the_chops(self):
        table = fish(CHOP, PastChop(by=0, of=3, level=1, twos=1))
        assert table.turn == 1
        table.says(1, "ask", "7").says(1, "return", "4S")
        assert table.turn == 0

    def test_a_chop_on_a_chop_gets_one_card_more_from_the_player_it_beat(self):
        table = fish(CHOP, ON_TOP, hands=("7S", "8S 9S", "TS JS"))
        table.says(1, "ask", "7").says(1, "return", "7S")
        for _ in range(2):
            assert next((step.do, step.seat, step.other) for step in table.state.steps) == (
                "ask", 2, 1,
            )  # fmt: skip
            table.says(2, "ask", format_cards(table.hand(1)[:1])[0])
            table.says(2, "return", format_cards(table.hand(2)[-1:]))
        assert table.state.phase == "play"

    @pytest.mark.parametrize(
        "chop",
        [CHOP._replace(of=1), CHOP._replace(twos=0)],
        ids=["own bomb", "on a led bomb"],
    )
    def test_nothing_is_owed(self, chop):
        assert fish(chop).state.phase == "play"

    def test_a_debt_lapses_when_either_player_is_gone(self):
        assert fish(CHOP, gone=frozenset({0})).state.phase == "play"
        assert fish(CHOP, gone=frozenset({1})).state.phase == "play"
        assert fish(CHOP, gone=frozenset({2})).state.phase == "exchange"

    def test_ranks_are_public_and_cards_are_not(self):
        table = fish(CHOP)
        table.says(1, "ask", "7").says(1, "return", "4S")
        assert [e.action.do for e in observe(table.state, 3).history] == ["ask"]
        assert [e.action.do for e in observe(table.state, 0).history] == ["ask", "give", "return"]

    def test_who_gave_or_received_may_not_declare(self):
        table = Table(
            rules("family"), "2S 2C 2D 2H", "4S", previous=after(CHOP), instant=True
        )  # fmt: skip
        table.says(1, "ask", "2").says(1, "return", "2H")
        assert parse_cards("2H")[0] in table.hand(0)
        assert table.state.phase == "play"


class TestWinnerTakes:
    """thirteen-guide, "Card Trading Variant"."""

    def table(self, *hands, players=4, placings=ORDER, **more):
        ruleset = rules("thirteen", exchange=["winner_takes"])
        return Table(
            ruleset, *hands, players=players, instant=True,
            previous=after(placings=placings, **more),
        )  # fmt: skip

    def test_first_and_second_take_the_highest_then_return(self):
        table = self.table("3S", "3C", "AH 2D", "2S 2H")
        assert (table.turn, table.state.phase) == (0, "exchange")
        assert {"2S", "2H"} <= set(format_cards(table.hand(0)).split())
        assert "2D" in format_cards(table.hand(1))
        low = format_cards(table.hand(0)[:2])
        table.says(0, "return", low)
        assert table.turn == 1
        table.says(1, "return", "2D")
        assert "2D" in format_cards(table.hand(2))
        assert table.state.phase == "play"
        assert [len(table.hand(seat)) for seat in range(4)] == [13] * 4

    def test_every_choice_of_two_cards_is_listed(self):
        assert len(self.table().legal) == 15 * 14 // 2

    def test_with_three_players_only_the_first_takes(self):
        table = self.table(players=3, placings=((0,), (1,), (2,)))
        assert len(table.state.steps) == 1

    def test_shared_placings_exchange_nothing(self):
        table = self.table(placings=((0,), (1, 2, 3)))
        assert table.state.phase == "play"

    def test_instant_wins_are_off(self):
        table = self.table("2S 2C 2D 2H", placings=((1,), (0, 2, 3)))
        assert table.result.placings == ()

    def test_the_number_returned_must_be_right(self):
        table = self.table()
        with pytest.raises(WrongCount):
            table.says(0, "return", format_cards(table.hand(0)[:1]))
        with pytest.raises(NotInHand):
            table.says(0, "return", format_cards(table.hand(1)[:2]))


class TestNegotiated:
    """tien-len-vc, "Instant wins" (trading); penguin-book, "Viet Cong (VC)", point 5."""

    def test_tien_len_trades_up_to_two_cards_net(self):
        table = Table(rules("tien-len", exchange=["negotiated"]), "3S 4S 5S 6S", "9S")
        table.trades(0, 1, "3S 4S 5S", "9S")
        assert [len(table.hand(seat)) for seat in range(2)] == [11, 15]
        with pytest.raises(NoTrade, match="seat 0 would have given 3 cards more"):
            table.trades(0, 2, "6S", "")
        with pytest.raises(NoTrade, match="seat 1 would hold 16 cards"):
            table.trades(2, 1, format_cards(table.hand(2)[:1]), "")

    def test_the_lowest_card_is_determined_after_trades(self):
        table = Table(rules("tien-len", exchange=["negotiated"]), "3S", "9S")
        assert table.turn == 0
        table.trades(0, 1, "3S", "9S")
        assert table.turn == 1

    def test_viet_cong_swaps_equal_numbers(self):
        table = Table(rules("viet-cong", exchange=["negotiated"]), "3S 4S", "9S TS")
        table.trades(1, 0, "9S TS", "3S 4S")
        with pytest.raises(NoTrade):
            table.trades(1, 0, "3S", "")
        with pytest.raises(NoTrade):
            table.trades(1, 0, "", "")
        with pytest.raises(NotInHand):
            table.trades(1, 0, "9S", "3S")
        with pytest.raises(NoTrade):
            table.trades(1, 1, "3S", "4S")

    def test_trades_end_with_the_first_play(self):
        table = Table(rules("viet-cong", exchange=["negotiated"]), "3S 4S", "9S")
        table.play(0, "3S")
        with pytest.raises(WrongPhase):
            table.trades(0, 1, "4S", "9S")

    def test_no_trades_where_they_are_not_played(self):
        with pytest.raises(WrongPhase):
            Table(rules("tien-len"), "3S", "9S").trades(0, 1, "3S", "9S")

    def test_who_traded_may_not_declare(self):
        table = Table(
            rules("tien-len", exchange=["negotiated"]), "2S 2C 2D 2H 9S", "9H", instant=True
        )  # fmt: skip
        assert table.state.phase == "instant_win"
        table.trades(0, 1, "9S", "9H").trades(0, 1, "9H", "9S")
        assert table.state.phase == "play"

    def test_only_the_ultimate_dragon_counts_after_a_trade(self):
        """tien-len-vc, "Instant wins": the only exception."""
        table = Table(
            rules("tien-len", exchange=["negotiated"]),
            "3S 4C 5D 6H 7S 8C 9D TH JS QC KD 4D 5H", "AH", instant=True,
        )  # fmt: skip
        assert table.state.phase == "play"
        table.trades(0, 1, "5H", "AH")
        assert (table.state.phase, table.turn) == ("instant_win", 0)

    def test_automatic_wins_are_decided_anew_by_a_trade(self):
        table = Table(
            rules("thirteen", exchange=["negotiated"]), "2S 2C 2D 2H 9S", "9H", instant=True
        )  # fmt: skip
        assert table.result.placings == ((0,),)
        table.trades(0, 1, "9S", "9H")
        assert table.result.placings == ()

    def test_trades_are_open(self):
        table = Table(rules("viet-cong", exchange=["negotiated"]), "3S", "9S")
        table.trades(0, 1, "3S", "9S")
        assert observe(table.state, 3).history == observe(table.state, 0).history


class TestChopDebt:
    """tien-len-vc, "House rules": the person chopped owes cards in the next game."""

    def table(self, *chops, hands=("2S 2H AS", "4S"), **options):
        ruleset = rules("tien-len", exchange=["chop_debt"], **options)
        return Table(ruleset, *hands, previous=after(*chops))

    def test_the_highest_two_moves_and_any_card_comes_back(self):
        table = self.table(CHOP)
        assert "2H" in format_cards(table.hand(1))
        assert table.turn == 1
        table.says(1, "return", "4S")
        assert "4S" in format_cards(table.hand(0))
        assert table.state.phase == "play"

    @pytest.mark.parametrize(
        ("count", "expected"),
        [("stacking", 2 + 3 - 1), ("doubling", 2 ** (2 + 3 - 2)), ("none", 2)],
    )
    def test_how_many_are_owed(self, count, expected):
        """Two 2s under the chain and a chop of level three."""
        chain = (
            CHOP._replace(twos=2), ON_TOP, PastChop(by=3, of=2, level=3, twos=0),
        )  # fmt: skip
        table = self.table(
            *chain, chop_debt_count=count, chop_debt_owed_by="last",
            chop_debt_cards="highest_card",
        )  # fmt: skip
        (step,) = table.state.steps
        assert (step.do, step.seat, step.other, step.number) == ("return", 3, 2, expected)

    def test_each_victim_owes_at_his_link_or_only_the_last(self):
        steps = self.table(CHOP, ON_TOP, hands=("2S", "2H")).state.steps
        assert [(s.seat, s.other) for s in steps] == [(1, 0), (2, 1)]
        last = self.table(CHOP, ON_TOP, hands=("2S", "2H"), chop_debt_owed_by="last")
        assert [(s.seat, s.other) for s in last.state.steps] == [(2, 1)]

    def test_any_two_is_the_debtors_choice(self):
        table = self.table(CHOP, chop_debt_cards="any_two")
        assert (table.turn, table.legal) == (0, ["give 2H", "give 2S"])
        with pytest.raises(IllegalAction):
            table.says(0, "give", "AS")
        table.says(0, "give", "2S")
        assert table.turn == 1
        assert "2S" in format_cards(table.hand(1))

    def test_who_lacks_a_two_owes_no_more(self):
        for cards in ("highest_two", "any_two"):
            table = self.table(CHOP, hands=("4S", "2S 2C", "2D 2H"), chop_debt_cards=cards)
            assert table.state.phase == "play"

    def test_highest_card_moves_whatever_it_is(self):
        table = self.table(
            CHOP, hands=("AH", "2S 2C", "2D 2H"), chop_debt_cards="highest_card"
        )  # fmt: skip
        assert "AH" in format_cards(table.hand(1))

    def test_a_debtor_may_not_claim_four_twos_but_other_hands_as_dealt(self):
        def started(hand):
            ruleset = rules("tien-len", exchange=["chop_debt"])
            table = Table(ruleset, hand, previous=after(CHOP), instant=True)
            if table.state.phase == "exchange":
                table.do(legal_actions(table.state)[0])
            return table.state.phase

        assert started("2S 2C 2D 2H 3S 4C 5D 7H 8S TC QD") == "play"
        assert started("3S 3C 5S 5C 6S 6C 8S 8C TS TC 2S 2C QD") == "instant_win"

    def test_chains_that_began_on_a_led_bomb_owe_nothing(self):
        assert self.table(CHOP._replace(twos=0), ON_TOP).state.phase == "play"


class TestTwosLeft:
    """tien-len-vc, "House rules": the loser owes a 2 for each 2 he was left with."""

    def table(self, *hands, left, **more):
        ruleset = rules("tien-len", exchange=["twos_left"])
        return Table(ruleset, *hands, previous=after(twos_left=left, **more))

    def test_the_losers_highest_twos_go_to_the_winner(self):
        table = self.table("3S 4S", "", "", "2S 2D 2H", left=(0, 0, 0, 2))
        assert {"2D", "2H"} <= set(format_cards(table.hand(0)).split())
        assert table.turn == 0
        table.says(0, "return", "3S 4S")
        assert {"2S", "3S", "4S"} <= set(format_cards(table.hand(3)).split())

    def test_nothing_is_owed_without_twos_left(self):
        assert self.table(left=(0, 1, 0, 0)).state.phase == "play"

    def test_the_debt_lapses_with_a_new_player(self):
        table = self.table("", "", "", "2S", left=(0, 0, 0, 1), gone=frozenset({3}))
        assert table.state.phase == "play"


def test_several_exchanges_are_settled_in_the_order_of_the_ruleset():
    previous = after(CHOP, twos_left=(0, 0, 0, 1))
    ruleset = rules("tien-len", exchange=["twos_left", "chop_debt"])
    table = Table(ruleset, "2S", "4S", "", "2H", previous=previous)
    assert table.turn == 0
    table.do(legal_actions(table.state)[0])
    assert table.turn == 1
    assert action_text(legal_actions(table.state)[0]).startswith("return")
