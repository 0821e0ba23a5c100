"""Cards as integers 0..51 and their text form.

A card is ``4 * rank + suit``: rank 0 is the 3 and rank 12 the 2, suits rise spades, clubs,
diamonds, hearts. So a higher card is a higher number.
"""

from collections.abc import Iterable

from .texts import InputError
from .texts import mark as _

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
TWO = 12
ACE = 11

_SYMBOLS = str.maketrans("♠♣♦♥♤♧♢♡", "SCDHSCDH", "\ufe0e\ufe0f")
_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_NUMBERS = {name: card for card, name in enumerate(_NAMES)}


class CardError(InputError):
    """A text that is not a card or a rank."""


def parse_card(text: str) -> int:
    """Return the card that `text` names; lower case, ``10`` and suit symbols are accepted.

    >>> parse_card("3S"), parse_card("10♥")
    (0, 31)
    """
    card = _NUMBERS.get(text)
    if card is not None:  # Fast path: most texts are in the program's own form.
        return card
    name = text.translate(_SYMBOLS).upper()
    if name.startswith("10"):
        name = "T" + name[2:]
    card = _NUMBERS.get(name)
    if card is None:
        raise CardError(
            _("%(text)s is not a card: a card is a rank (%(ranks)s) and a suit (%(suits)s)"),
            text=repr(text[:12]),
            ranks=RANKS,
            suits=SUITS,
        )
    return card


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards of a space-separated text, low to high.

    >>> parse_cards("tc 3S")
    (0, 29)
    """
    return tuple(sorted(parse_card(word) for word in text.split()))


def format_card(card: int) -> str:
    """Return the text form of a card, ``3S`` to ``2H``."""
    return _NAMES[card]


def format_cards(cards: Iterable[int]) -> str:
    """Return the text form of cards, low to high with one space between.

    >>> format_cards((29, 0))
    '3S TC'
    """
    return " ".join([_NAMES[card] for card in sorted(cards)])


def parse_rank(text: str) -> int:
    """Return the rank 0..12 that a letter (or ``10``) names."""
    name = "T" if text == "10" else text.upper()
    if len(name) != 1 or name not in RANKS:
        raise CardError(
            _("%(text)s is not a rank: use one of %(ranks)s"), text=repr(text[:12]), ranks=RANKS
        )
    return RANKS.index(name)
