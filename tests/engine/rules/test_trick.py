"""Turns, passes, lock-outs, going forward and going out."""

import pytest

from engine.rules.errors import GameOver, HasFinished, LockedOut, MustLead, NotYourTurn
from engine.rules.game import start
from tests.engine.play import Table, refused, rules, run_down


def four(ruleset, *hands):
    return Table(ruleset, *hands, leader=0)


def test_play_goes_round_in_order_of_seats():
    table = four(rules("killa"), "4S", "5S", "6S", "7S")
    for seat, card in enumerate(("4S", "5S", "6S", "7S")):
        assert table.turn == seat
        table.play(seat, card)
    assert table.turn == 0


def test_the_leader_may_not_pass():
    """killa, "How to Play": who leads starts the trick."""
    with pytest.raises(MustLead):
        four(rules("killa"), "4S").passes(0)


def test_a_pass_locks_out_until_the_trick_ends():
    """family-rules, "Passing"."""
    table = four(rules("family"), "4S 9S", "5S AS", "6S", "7S")
    table.play(0, "4S").passes(1).play(2, "6S").play(3, "7S").play(0, "9S")
    with pytest.raises(LockedOut):
        table.play(1, "AS")
    assert table.turn == 2


def test_who_is_not_locked_out_yet_is_told_that_it_is_not_his_turn():
    table = four(rules("family"), "4S", "5S", "6S")
    table.play(0, "4S")
    with pytest.raises(NotYourTurn):
        table.play(2, "6S")


def test_without_pass_locks_the_trick_ends_when_the_turn_comes_back():
    """tien-len-vc, "House rules": who passes does not forfeit his right to play."""
    table = four(rules("tien-len", pass_locks=False), "4S 9S", "5S AS", "6S", "7S")
    table.play(0, "4S").passes(1).play(2, "6S").passes(3).play(0, "9S")
    table.play(1, "AS").passes(2, 3)
    assert table.turn == 0
    table.passes(0)
    assert table.turn == 1
    assert table.state.top == 0


def test_without_pass_locks_nobody_goes_forward():
    table = four(rules("tien-len", pass_locks=False), "4S 9S")
    table.play(0, "4S").passes(1, 2, 3)
    assert (table.turn, table.state.top) == (0, 0)


def test_the_last_one_standing_may_go_forward_until_he_passes():
    """family-rules, "Tiến Lên": pairs beating one's own pair, never downwards."""
    table = four(rules("family"), "6D 6H 8S 8H TS TD 4S")
    table.play(0, "6D 6H").passes(1, 2, 3)
    assert table.turn == 0
    assert "pass" in table.legal
    table.play(0, "TS TD")
    assert refused(table, 0, "8S 8H") == "it does not beat TS TD"
    table.passes(0)
    assert table.turn == 0
    table.play(0, "8S 8H")
    assert table.turn == 1


def test_a_forward_player_is_asked_even_when_he_can_only_pass():
    table = four(rules("killa"), "2H")
    table.play(0, "2H").passes(1, 2, 3)
    assert [text for text in table.legal if len(text) == 2] == []
    assert table.legal[-1] == "pass"


def test_without_forward_the_trick_ends_at_once():
    """penguin-book, "Play": whoever played last leads to the next one."""
    table = four(rules("penguin"), "9S")
    table.play(0, "9S").passes(1, 2, 3)
    assert (table.turn, table.state.top) == (0, 0)


def out_after(ruleset, seat_cards="4S"):
    """Three players; seat 0 holds one kind only: its last card is on the table."""
    spades = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S"
    clubs = spades.replace("S", "C")
    table = Table(ruleset, spades, clubs, clubs.replace("C", "D"), players=3, leader=0)
    for card in ("AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S"):
        table.play(0, card).passes(1, 2)
        if ruleset.forward:
            table.passes(0)
    return table


def test_others_may_beat_the_last_play_of_who_goes_out():
    """killa, "Betting" 4: the player to the left has to beat it, or the next may."""
    table = out_after(rules("killa"))
    table.play(0, "2S")
    assert table.turn == 1
    table.play(1, "2C")
    assert table.turn == 2


def test_the_next_seat_leads_when_nobody_beats_the_last_play():
    table = out_after(rules("killa"))
    table.play(0, "2S").passes(1, 2)
    assert (table.turn, table.state.top) == (1, 0)


def test_running_out_while_forward_hands_the_lead_on_at_once():
    """family-rules, "Winning"; all others are locked out already."""
    table = Table(
        rules("killa"),
        "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S",
        "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2C",
        "3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2D",
        players=3,
        leader=0,
    )
    table.play(0, "3S").passes(1, 2)
    for card in "456789TJQKA":
        table.play(0, f"{card}S")
    table.play(0, "2S")
    assert table.result.placings == ((0,),)
    assert (table.turn, table.state.top) == (1, 0)


def test_the_lead_skips_seats_without_cards():
    """Peers gave the lead to an empty hand or skipped the seat after it."""
    table = out_after(rules("killa"))
    table.play(0, "2S").passes(1, 2)
    table.play(1, "3C").play(2, "4D")
    assert table.turn == 1
    with pytest.raises(HasFinished):
        table.passes(0)


def test_the_game_ends_when_one_player_is_left():
    table = run_down(out_after(rules("killa")))
    assert [len(group) for group in table.result.placings] == [1, 1, 1]
    assert table.result.finished
    assert table.result.dealer_next == table.result.placings[-1][0]
    with pytest.raises(GameOver):
        table.passes(0)


def test_the_last_card_may_beat_nothing_when_only_one_player_is_left():
    """The game ends at once, though the last player could have beaten the play."""
    spades = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S"
    table = Table(rules("killa"), spades, spades.replace("S", "H"), players=2, leader=0)
    table.play(0, "3S").passes(1)
    for card in "456789TJQKA2":
        table.play(0, f"{card}S")
    assert table.result.finished
    assert table.result.placings == ((0,), (1,))


def test_a_copy_is_independent_of_the_state():
    table = four(rules("killa"), "4S")
    twin = table.state.copy()
    table.play(0, "4S")
    assert (twin.turn, twin.top) == (0, 0)


@pytest.mark.parametrize(("players", "cards"), [(5, 13), (8, 13)])
def test_thirteen_is_played_by_five_and_more_with_two_decks(players, cards):
    """thirteen-guide, "Different Player Counts"."""
    table = Table(rules("thirteen"), players=players)
    assert [len(table.hand(seat)) for seat in range(players)] == [cards] * players


def test_with_two_decks_an_equal_card_does_not_beat():
    table = Table(rules("thirteen"), "9S", "9S", players=5, leader=0)
    table.play(0, "9S")
    assert refused(table, 1, "9S") == "it does not beat 9S"


def test_with_two_decks_equal_cards_are_one_choice():
    table = Table(rules("thirteen"), "9S 9S 9C", players=5, leader=0)
    assert [text for text in table.legal if set(text.split()) <= {"9S", "9C"}] == [
        "9C", "9S", "9S 9C", "9S 9S", "9S 9S 9C",
    ]  # fmt: skip


def test_start_refuses_wrong_deals():
    from engine.rules.errors import StartError

    ruleset = rules("killa")
    hand = tuple(range(13))
    with pytest.raises(StartError, match="3S appears 2 times"):
        start(ruleset, [hand, (0, *range(14, 26))])
    with pytest.raises(StartError, match="seat 1 has 12 cards"):
        start(ruleset, [hand, tuple(range(13, 25))])
    with pytest.raises(StartError, match="for 2 to 4 players"):
        start(ruleset, [hand])
