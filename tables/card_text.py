"""Cards as codes for pages (`TD`) and as people write them (10♦)."""

from __future__ import annotations

from engine.cards import format_card

_SUITS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}


def codes(cards: tuple[int, ...]) -> list[str]:
    """Return each card as the templates of cards take it."""
    return [format_card(card) for card in cards]


def spoken(cards: tuple[int, ...]) -> str:
    """Return the cards as one text, as in 10♦ J♦."""
    return " ".join(rank(code[0]) + _SUITS[code[1]] for code in codes(cards))


def rank(letter: str) -> str:
    """Return a rank's letter as it is printed on cards."""
    return "10" if letter == "T" else letter
