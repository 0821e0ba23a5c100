"""Cards as numbers: four times the rank plus the suit, so that a higher number is a higher card."""

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
TWO = RANKS.index("2")
ACE = RANKS.index("A")


def rank(card: int) -> int:
    return card // 4


def suit(card: int) -> int:
    return card % 4


def text(cards) -> str:
    """The cards low to high, as records print them: `3S 3C TD`."""
    return " ".join(RANKS[rank(card)] + SUITS[suit(card)] for card in sorted(cards))


def parse(words: str) -> tuple[int, ...]:
    """The cards of a line such as `3S 3C TD`, sorted."""
    return tuple(sorted(RANKS.index(word[0]) * 4 + SUITS.index(word[1]) for word in words.split()))


def without(hand, cards) -> list[int]:
    """The hand when the cards are taken out, one copy each; an error if one is not there."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return left


def counts(cards) -> dict[int, int]:
    """How many of each rank."""
    held: dict[int, int] = {}
    for card in cards:
        held[rank(card)] = held.get(rank(card), 0) + 1
    return held
