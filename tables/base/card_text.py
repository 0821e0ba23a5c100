"""Cards as codes for templates (`TD`) and as text for people (10♦)."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.rules.cards import RANKS, format_card, parse_card

_SUITS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
SUIT_NAMES = {
    "S": gettext_lazy("spades"),
    "C": pgettext_lazy("card suit", "clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
}
_WRITTEN = re.compile("(10|[2-9JQKA])([♠♣♦♥])")
_RANK_NAMES = {
    "T": gettext_lazy("10"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
    "A": gettext_lazy("ace"),
    "2": pgettext_lazy("card rank", "2"),
}
_PLURALS = {
    "T": pgettext_lazy("card ranks", "10s"),
    "J": gettext_lazy("jacks"),
    "Q": gettext_lazy("queens"),
    "K": gettext_lazy("kings"),
    "A": gettext_lazy("aces"),
    "2": pgettext_lazy("card ranks", "2s"),
}


def codes(cards: tuple[int, ...]) -> list[str]:
    """Return the cards' codes, as the card templates take them."""
    return [format_card(card) for card in cards]


def spoken(cards: tuple[int, ...]) -> str:
    """Return the cards as one text, such as 10♦ J♦."""
    return " ".join(written(code) for code in codes(cards))


def listed(cards: tuple[int, ...]) -> str:
    """Return the cards' names, such as 10 of diamonds, jack of diamonds."""
    return ", ".join(map(named, codes(cards)))


def in_words(text: str) -> str:
    """Return a text whose cards as people write them are named instead: 3♠ is 3 of spades."""
    letters = {sign: letter for letter, sign in _SUITS.items()}
    return _WRITTEN.sub(lambda card: named(card[1].replace("10", "T") + letters[card[2]]), text)


def written(code: str) -> str:
    """Return a card as people write it, such as 10♦."""
    return rank(code[0]) + _SUITS[code[1]]


def named(code: str) -> str:
    """Return a card's spoken name, such as 10 of diamonds."""
    return _("%(rank)s of %(suit)s") % {"rank": rank_word(code[0]), "suit": SUIT_NAMES[code[1]]}


def rank_word(letter: str) -> str:
    """Return a rank as people say it."""
    return str(_RANK_NAMES.get(letter, letter))


def ranks_word(letter: str) -> str:
    """Return several cards of a rank as people say them, such as 7s."""
    return str(_PLURALS.get(letter) or _("%(rank)ss") % {"rank": letter})


def kind(cards: Sequence[str], *, highest: bool = False) -> str:
    """Return what a play is called, such as "straight, 8 to queen"; "" for cards that are no play.

    A single card has its name. With `highest` the name ends with the highest card's suit, which
    decides what beats the play.
    """
    ordered = sorted(cards, key=parse_card)
    ranks = sorted({card[0] for card in cards}, key=RANKS.index)
    if not cards or len(cards) == 1:
        return named(cards[0]) if cards else ""
    top = named(ordered[-1]) if highest else rank_word(ranks[-1])
    said = {"n": len(ranks), "ranks": ranks_word(ranks[0]), "low": rank_word(ranks[0]), "top": top}
    if len(ranks) == 1:
        pair = _("pair of %(ranks)s, %(top)s high") if highest else _("pair of %(ranks)s")
        names = {2: pair, 3: _("three %(ranks)s"), 4: _("four %(ranks)s")}
        return names.get(len(cards), "") % said
    if len(ranks) == len(cards):
        return _("straight, %(low)s to %(top)s") % said
    if len(cards) == 4 * len(ranks):
        return _("%(n)s consecutive fours of a kind, %(low)s to %(top)s") % said
    return _("%(n)s consecutive pairs, %(low)s to %(top)s") % said


def full(cards: Sequence[str]) -> str:
    """Return what a play is called, and every card of it."""
    ordered = sorted(cards, key=parse_card)
    if len(ordered) < 2:
        return kind(ordered)
    return f"{kind(ordered)}: {', '.join(map(named, ordered))}"


def rank(letter: str) -> str:
    """Return a rank as printed on cards."""
    return "10" if letter == "T" else letter
