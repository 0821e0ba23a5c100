"""Document `family`, house rule: who chopped asks for cards in the next game."""

from tests.rules.games import chop, table
from tests.rules.hands import PR3, PR3_HIGHER
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

OFF = {"exchange": []}
# Without a 7: what seat 1 holds where a request is to be refused.
NO_SEVEN = "4S 4C 5D 6H 8S 9C TD JH QS QD KC AH 2S"


def after(*chops: dict, first: int = 0, hands: tuple[str, ...] = (), **record) -> Sheet:
    """Return the next game after one with these chops, won by seat `first`."""
    placings = [[(first + place) % 4] for place in range(4)]
    previous = {"placings": placings, "chops": list(chops)}
    return table("family", *hands, leader=None, previous=previous, **record)


@rule("family/go-fish/4", flip=OFF)
def test_go_fish_chopper_is_owed_a_card_in_the_next_game():
    before = table("family", "2S", PR3).plays(0, "2S").plays(1, PR3)
    before.chopped((1, 0, PR3, "2S", 1))
    after(*before.result["chops"], first=2).asks_seat(1, "exchange")
    after(first=2).asks_seat(2, "play")


@rule("family/go-fish/5", flip=OFF)
def test_go_fish_chopper_names_a_rank_before_play():
    sheet = after(chop(by=2, of=1), hands=("", "7S 7D"))
    sheet.asks_seat(2, "exchange").may_only(*(f"ask {rank}" for rank in "3456789TJQKA2"))
    sheet.asks(2, "7").asks_seat(2, "exchange")


@rule("family/go-fish/6", flip=OFF)
def test_go_fish_highest_suit_of_the_rank_is_given():
    sheet = after(chop(by=2, of=1), hands=("7H", "7S 7C 7D"))
    sheet.asks(2, "7").holds(2, "7D").holds(1, "7S 7C").lacks(1, "7D")


@rule("family/go-fish/7", flip=OFF)
def test_go_fish_another_rank_is_asked_when_there_is_none():
    sheet = after(chop(by=2, of=1), hands=("", NO_SEVEN)).asks(2, "7").asks_seat(2, "exchange")
    sheet.may_not("ask 7").may("ask 9").asks(2, "9").holds(2, "9C")


@rule("family/go-fish/9", flip=OFF)
def test_go_fish_any_card_is_handed_back():
    hand = "3S 4D 5C 6D 7S 8D 9S TS JS QC KD KH 2C"
    sheet = after(chop(by=2, of=1), hands=("", NO_SEVEN, hand)).asks(2, "9")
    sheet.may_only(*(f"return {card}" for card in [*hand.split(), "9C"]))
    sheet.returns(2, "3S").holds(1, "3S").lacks(2, "3S").asks_seat(0, "play")


@rule("family/go-fish/10", flip=OFF)
def test_go_fish_ranks_are_heard_and_cards_are_hidden():
    sheet = after(chop(by=2, of=1), hands=("", NO_SEVEN, "3S")).asks(2, "9").returns(2, "3S")
    told = {seat: sheet.told(seat) for seat in range(4)}
    assert told[0] == told[3] == ["2 ask 9"]
    assert told[1] == told[2] == ["2 ask 9", "1 give 9C", "2 return 3S"]


@rule("family/go-fish/11", "family/go-fish/12", flip=OFF)
def test_go_fish_debts_are_settled_in_the_order_of_the_chops():
    sheet = after(chop(by=0, of=1), chop(by=1, of=2), hands=("3S", "7S", "8S"))
    sheet.asks_seat(0, "exchange").asks(0, "7").returns(0, "3S")
    sheet.asks_seat(1, "exchange").asks(1, "8").returns(1, "3S").asks_seat(0, "play")


@rule("family/go-fish/13", "family/go-fish/14", "family/go-fish/16", flip=OFF)
def test_go_fish_chop_on_a_chop_is_owed_one_card_more():
    before = table("family", "2S", PR3, PR3_HIGHER).plays(0, "2S").plays(1, PR3)
    before.plays(2, PR3_HIGHER).chopped((1, 0, PR3, "2S", 1), (2, 1, PR3_HIGHER, PR3, 2))
    sheet = after(*before.result["chops"], first=3, hands=("4S 4C", "5S 5C 5D", "6S 6C 6D"))
    sheet.asks_seat(1, "exchange").asks(1, "4").returns(1, "5S")
    sheet.asks_seat(2, "exchange").asks(2, "5").returns(2, "6S")
    sheet.asks_seat(2, "exchange").asks(2, "5").returns(2, "6C").asks_seat(3, "play")


@rule("family/go-fish/15", "family/go-fish/17", flip=OFF)
def test_go_fish_first_request_is_finished_before_the_second():
    chain = (chop(by=1, of=0), chop(by=2, of=1, level=2, on=PR3))
    hands = ("4S 4C", "5S 5C 9D", "6S 6C")
    sheet = after(*chain, first=3, hands=hands).asks(1, "4").returns(1, "9D")
    sheet.asks(2, "5").asks_seat(2, "exchange").may_not("ask 5", "ask 9", "return 6S 6C")
    sheet.returns(2, "6S").may("ask 5", "ask 9").asks(2, "5").returns(2, "6C")
    sheet.asks_seat(3, "play")


@rule("family/misc/1", flip={"card_counts": "public"})
def test_family_card_counts_are_hidden():
    sheet = table("family", "5S").plays(0, "5S")
    assert sheet.counts(1) == [None, 13, None, None]
