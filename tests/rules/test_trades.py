"""Document `tien-len`, trades: what two players may swap before play."""

from tests.rules.games import rules, table
from tests.rules.hands import SIX_PAIRS
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

OFF = {"exchange": []}

TRADES = {"exchange": ["negotiated"]}


def trading(*hands: str, **options) -> Sheet:
    """Return a table where trades are allowed and nobody has played yet."""
    return table("tien-len", *hands, options=TRADES | options)


@rule("tien-len/trade/1", flip=OFF)
def test_trade_swaps_cards_that_two_players_agree_on():
    sheet = trading("5S 6S", "7S").trades(0, 1, give="5S 6S", take="7S")
    sheet.holds(0, "7S").holds(1, "5S 6S").lacks(0, "5S 6S").lacks(1, "7S")


@rule("tien-len/trade/2")
def test_trade_is_never_a_duty():
    trading("5S").asks_seat(0, "play").plays(0, "5S").asks_seat(1)


@rule("tien-len/trade/5", flip={"trade_net": 3})
def test_trade_gives_at_most_two_cards_for_nothing():
    twelve = trading("5S 6S 8S", "9S").trades(1, 2, give="9S", take="")
    twelve.refuses_trade(0, 1, give="5S 6S 8S", take="")
    trading("5S 6S 8S", "7S").trades(0, 1, give="5S 6S", take="").holds(1, "5S 6S")
    trading("5S 6S 8S", "7S").trades(0, 1, give="5S 6S 8S", take="7S").holds(1, "5S 6S 8S")


@rule("tien-len/trade/6", flip={"trade_seconds": 60})
def test_trade_is_agreed_within_thirty_seconds():
    assert rules("tien-len", **TRADES)["trade_seconds"] == 30


@rule("tien-len/trade/7", flip={"trade_hand": 16})
def test_trade_leaves_nobody_with_more_than_fifteen_cards():
    sheet = trading("5S 6S", "7S", "8S").trades(0, 1, give="5S 6S", take="")
    sheet.refuses_trade(2, 1, give="8S", take="")
    sheet.trades(2, 1, give="8S", take="7S").holds(1, "8S")


@rule("tien-len/trade/8")
def test_trade_has_no_largest_hand_in_games_of_more_cards():
    options = TRADES | {"cards_each": {"3": 17}}
    sheet = table("tien-len", "5S 6S", "7S", players=3, each=17, options=options)
    sheet.trades(0, 1, give="5S 6S", take="").holds(1, "5S 6S 7S")
    assert sheet.counts(1) == [15, 19, 17]


@rule("tien-len/trade/10", "tien-len/instant/9")
def test_traded_hand_wins_nothing_at_once():
    nearly = SIX_PAIRS.replace("QD", "AH")
    trading("QD", nearly).trades(0, 1, give="QD", take="AH").asks_seat(0, "play")
    dealt = trading("3S", SIX_PAIRS).asks_seat(1, "instant_win").trades(0, 1, give="3S", take="KS")
    dealt.asks_seat(0, "play")


@rule("tien-len/trade/11", flip={"ultimate_dragon_by_trade": False})
def test_traded_ultimate_dragon_wins_at_once():
    nearly = "3S 4D 5S 6H 7C 8S 9D TH JC QH KC AC 2D"
    sheet = trading("AH", nearly).trades(0, 1, give="AH", take="2D").asks_seat(1, "instant_win")
    sheet.declares(1).places(1)


@rule("tien-len/trade/14")
def test_trade_is_told_to_everybody():
    sheet = trading("5S", "7S").trades(0, 1, give="5S", take="7S")
    for seat in (0, 1, 2, 3, None):
        assert sheet.told(seat) == ["0 trade 5S for 7S with seat 1"]
