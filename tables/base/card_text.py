"""Cards as codes for templates (`TD`) and as text for people (10♦)."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.rules.cards import format_card

_SUITS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
SUIT_NAMES = {
    "S": gettext_lazy("spades"),
    "C": pgettext_lazy("card suit", "clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
}
_RANK_NAMES = {
    "T": gettext_lazy("10"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
    "A": gettext_lazy("ace"),
}


def codes(cards: tuple[int, ...]) -> list[str]:
    """Return the cards' codes, as the card templates take them."""
    return [format_card(card) for card in cards]


def spoken(cards: tuple[int, ...]) -> str:
    """Return the cards as one text, such as 10♦ J♦."""
    return " ".join(written(code) for code in codes(cards))


def written(code: str) -> str:
    """Return a card as people write it, such as 10♦."""
    return rank(code[0]) + _SUITS[code[1]]


def named(code: str) -> str:
    """Return a card's spoken name, such as 10 of diamonds."""
    said = {"rank": _RANK_NAMES.get(code[0], code[0]), "suit": SUIT_NAMES[code[1]]}
    return _("%(rank)s of %(suit)s") % said


def rank(letter: str) -> str:
    """Return a rank as printed on cards."""
    return "10" if letter == "T" else letter
