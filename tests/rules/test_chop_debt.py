"""Document `tien-len`, house rules: cards owed for chops and for twos."""

from tests.rules.games import chop, table
from tests.rules.hands import FOUR_TWOS, PR3, PR3_HIGHER, PR4, PR4_HIGHER
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

OFF = {"exchange": []}


def indebted(*hands: str, chops: list[dict] | None = None, **options) -> Sheet:
    """Return the game after one in which seat 1 chopped seat 0's 2, or in which `chops` were."""
    previous = {"placings": [[3], [2], [1], [0]], "chops": chops or [chop(by=1, of=0)]}
    options = {"exchange": ["chop_debt"], **options}
    return table("tien-len", *hands, leader=None, previous=previous, options=options)


CHAIN = [chop(by=1, of=0), chop(by=2, of=1, on=PR3, cards=PR3_HIGHER, level=2)]
ON_A_PAIR = [
    chop(by=1, of=0, on="2S 2C", cards=PR4),
    chop(by=2, of=1, on=PR4, cards=PR4_HIGHER, level=2),
]


@rule("tien-len/house-rules/9", flip=[OFF, {"chop_debt_owed_by": "last"}])
def test_chop_debt_each_victim_of_a_chain_owes_cards():
    hands = ("2S 5C", "3S 2C 2D", "4S 4C", "2H")
    sheet = indebted(*hands, chops=CHAIN, chop_debt_owed_by="each").asks_seat(1, "exchange")
    sheet.holds(1, "2S").lacks(0, "2S").returns(1, "3S").holds(0, "3S")
    sheet.asks_seat(2, "exchange").holds(2, "2C 2D").returns(2, "4S 4C").asks_seat(3, "play")


@rule("tien-len/house-rules/9", flip=[OFF, {"chop_debt_owed_by": "each"}])
def test_chop_debt_may_be_owed_by_the_last_victim_only():
    hands = ("2S 5C", "3S 2C 2D", "4S 4C", "2H")
    sheet = indebted(*hands, chops=CHAIN, chop_debt_owed_by="last").asks_seat(2, "exchange")
    sheet.holds(0, "2S").holds(2, "2C 2D").returns(2, "4S 4C").asks_seat(3, "play")


@rule("tien-len/house-rules/10", flip=OFF)
def test_chop_debt_receiver_returns_any_card():
    sheet = indebted("2S 5C", "3S AH").asks_seat(1, "exchange")
    sheet.may("return 3S", "return AH", "return 2S").may_not("return 3S AH")
    sheet.returns(1, "AH").holds(0, "AH").asks_seat(3, "play")


@rule("tien-len/house-rules/11", flip=OFF)
def test_chop_debt_four_twos_count_when_dealt_and_nothing_is_owed():
    owing = indebted(FOUR_TWOS, "3S").returns(1, "3S").asks_seat(3, "play")
    owing.holds(0, "2S 2C 2D").holds(1, "2H")
    indebted("3S", FOUR_TWOS).asks_seat(1, "instant_win")
    gained = indebted("2H 3S", "2S 2C 2D 4S").holds(1, "2S 2C 2D 2H").returns(1, "4S")
    gained.asks_seat(3, "play")


@rule("tien-len/house-rules/13", flip=[OFF, {"chop_debt_cards": "any_two"}])
def test_chop_debt_highest_two_moves_by_itself():
    sheet = indebted("2S 2D AH", "3S", chop_debt_cards="highest_two")
    sheet.asks_seat(1, "exchange").holds(1, "2D").holds(0, "2S AH")


@rule("tien-len/house-rules/14", flip=[OFF, {"chop_debt_cards": "highest_two"}])
def test_chop_debt_any_two_is_chosen_by_the_debtor():
    sheet = indebted("2S 2D 3C", "3S 2C 2H", chop_debt_cards="any_two").asks_seat(0, "exchange")
    sheet.may_only("give 2S", "give 2D").gives(0, "2S").holds(1, "2S")
    sheet.asks_seat(1, "exchange").returns(1, "3S").asks_seat(3, "play")


@rule("tien-len/house-rules/15", flip=[OFF, {"chop_debt_cards": "highest_two"}])
def test_chop_debt_may_be_the_highest_card():
    hands = ("AH KS 3S 5C", "2S 2C", "2D 2H")
    sheet = indebted(*hands, chop_debt_cards="highest_card").asks_seat(1, "exchange")
    sheet.holds(1, "AH").lacks(0, "AH").holds(0, "KS")


def owed_after(chops: list[dict], count: str) -> int:
    """Return how many cards the last victim of a chain owes, and gets back."""
    hands = ("", "2S 2C 2D 2H AH KS", "3S 4S 5S 6S 3C")
    options = {"chop_debt_cards": "highest_card", "chop_debt_owed_by": "last"}
    sheet = indebted(*hands, chops=chops, **options, chop_debt_count=count)
    return len(sheet.asks_seat(2, "exchange").choices[0].split()) - 1


@rule(
    "tien-len/house-rules/17", flip=[{"chop_debt_count": "doubling"}, {"chop_debt_count": "none"}]
)
def test_chop_debt_stacking_adds_a_card_for_each_two_and_chop():
    assert owed_after(CHAIN, "stacking") == 2
    assert owed_after(ON_A_PAIR, "stacking") == 3


@rule(
    "tien-len/house-rules/18", flip=[{"chop_debt_count": "stacking"}, {"chop_debt_count": "none"}]
)
def test_chop_debt_doubling_doubles_for_each_two_and_chop():
    assert owed_after(CHAIN, "doubling") == 2
    assert owed_after(ON_A_PAIR, "doubling") == 4


@rule(
    "tien-len/house-rules/19", "tien-len/house-rules/20",
    flip=[{"chop_debt_count": "stacking"}, {"chop_debt_count": "doubling"}],
)  # fmt: skip
def test_chop_debt_without_stacking_is_one_card_for_each_two():
    assert owed_after(CHAIN, "none") == 1
    assert owed_after(ON_A_PAIR, "none") == 2


@rule("tien-len/house-rules/21", "tien-len/house-rules/22", flip=OFF)
def test_twos_left_are_owed_to_the_winner_one_for_one():
    def after(left: str, *hands: str) -> Sheet:
        previous = {"placings": [[3], [2], [1], [0]], "chops": [], "hands": [left, "", "", ""]}
        options = {"exchange": ["twos_left"]}
        return table("tien-len", *hands, leader=None, previous=previous, options=options)

    hands = ("2S 2D AH", "", "", "3S 4S")
    one = after("2C 5D", *hands).asks_seat(3, "exchange").holds(3, "2D").holds(0, "2S")
    one.may("return 3S").returns(3, "3S").asks_seat(3, "play")
    two = after("2C 2D 5D", *hands).asks_seat(3, "exchange").holds(3, "2S 2D").lacks(0, "2S 2D")
    two.returns(3, "3S 4S").holds(0, "3S 4S").asks_seat(3, "play")
    after("5D 6D", *hands).asks_seat(3, "play")
