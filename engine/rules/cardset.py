"""Sets of cards as one integer: two bits per card count its copies, so two decks fit.

A rank is one byte of the integer; adding and removing cards is plain addition and subtraction.
With one deck every count is 0 or 1.
"""

from collections.abc import Iterable

BITS = 104
MASK = (1 << BITS) - 1
RANK_BYTES = 13
CARD = tuple(1 << (2 * card) for card in range(52))
DECK = sum(CARD)


def pack(cards: Iterable[int]) -> int:
    """Return the packed form of cards; no card may occur more than twice."""
    return sum([CARD[card] for card in cards])


def unpack(packed: int) -> tuple[int, ...]:
    """Return the cards of a packed set, low to high, a card held twice listed twice."""
    cards: list[int] = []
    while packed:
        low = packed & -packed
        card = (low.bit_length() - 1) >> 1
        cards.append(card)
        packed -= CARD[card]
    return tuple(cards)


def size(packed: int) -> int:
    """Return the number of cards."""
    return (packed & _ONES).bit_count() + 2 * (packed & ~_ONES).bit_count()


def holds(packed: int, part: int) -> bool:
    """Return whether `packed` holds every card of `part` at least as often."""
    if packed & part == part and not (packed | part) & _TWICE:
        return True
    return not missing(packed, part)


def missing(packed: int, part: int) -> tuple[int, ...]:
    """Return the cards of `part` that `packed` lacks, each once."""
    cards = sorted(set(unpack(part)))
    return tuple(c for c in cards if (part >> 2 * c) & 3 > (packed >> 2 * c) & 3)


def lowest(packed: int) -> int:
    """Return the lowest card of a non-empty set."""
    return ((packed & -packed).bit_length() - 1) >> 1


def lowest_ranks(packed: int) -> int:
    """Return the cards of the lowest rank and of the ranks that follow it without a gap."""
    held = packed.to_bytes(RANK_BYTES, "little")
    gap = held.find(0, lowest(packed) >> 2)
    return packed & ((1 << 8 * gap) - 1) if gap >= 0 else packed


def highest(packed: int) -> int:
    """Return the highest card of a non-empty set."""
    return (packed.bit_length() - 1) >> 1


def distinct(packed: int) -> tuple[int, ...]:
    """Return the different cards of a set, low to high."""
    return tuple(c for c in range(52) if (packed >> 2 * c) & 3)


def rank_counts(packed: int) -> bytes:
    """Return a set's number of cards of each of the thirteen ranks."""
    return packed.to_bytes(RANK_BYTES, "little").translate(BYTE_SIZE)


_ONES = int("01" * 52, 2)
_TWICE = MASK ^ _ONES
# For bytes.translate: maps a rank byte to its number of cards.
BYTE_SIZE = bytes(sum((byte >> 2 * suit) & 3 for suit in range(4)) for byte in range(256))
