"""What a seat can work out of its observation about the hidden cards."""

from engine.bots.belief import read
from engine.rules.cards import format_cards, parse_card, parse_cards
from engine.rules.cardset import unpack
from engine.rules.game import observe, start
from engine.rules.inherited import PastChop
from engine.rules.outcome import as_previous, outcome
from tests.engine.play import Table, rules


def test_cards_neither_held_nor_played_are_unseen():
    game = Table(rules("tien-len"), "3S 4S", "5S KD", leader=0).play(0, "4S").play(1, "5S")
    reading = read(observe(game.state, 2))
    hand = unpack(game.state.hands[2])
    gone = {*hand, *parse_cards("4S 5S")}
    assert reading.unseen == tuple(card for card in range(52) if card not in gone)
    assert reading.opponents == (3, 0, 1)


def test_with_two_decks_a_card_that_was_played_may_be_unseen_once_more():
    game = Table(rules("thirteen"), "3S 4S", players=5, leader=0).play(0, "4S")
    reading = read(observe(game.state, 1))
    four = parse_card("4S")
    held = unpack(game.state.hands[1]).count(four)
    assert reading.unseen.count(four) == 2 - 1 - held


def test_hidden_counts_are_worked_out_from_the_plays():
    game = Table(rules("family", exchange=[]), "3S 4S 4C", "5S 5C", leader=0)
    game.play(0, "4S 4C").play(1, "5S 5C")
    observation = observe(game.state, 2)
    assert observation.counts == (None, None, 13, None)
    assert read(observation).counts == (11, 11, 13, 13)


def test_a_card_that_was_given_away_is_known_until_it_is_played():
    ruleset = rules("family", instant_wins=[])
    first = Table(ruleset, "3S").state
    previous = as_previous(outcome(first))._replace(
        placings=((0,), (1,), (2,), (3,)), chops=(PastChop(by=0, of=1, level=1, twos=1),)
    )
    hands = [tuple(range(seat, 52, 4)) for seat in range(4)]
    game = Table.__new__(Table)
    game.state = start(ruleset, hands, previous=previous)
    game.says(0, "ask", "2").says(0, "return", "3S")
    assert format_cards(read(observe(game.state, 0)).known[1]) == "3S"
    assert format_cards(read(observe(game.state, 1)).known[0]) == "2C"
    assert read(observe(game.state, 2)).known == {}
    game.play(0, "2C")
    assert read(observe(game.state, 1)).known == {}
