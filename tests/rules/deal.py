"""Deals for the examples: named cards, the rest filled in always the same way."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
ATTEMPTS = 3000


def sort_cards(text: str) -> str:
    """Return cards low to high, the form the engine writes."""
    return " ".join(sorted(text.split(), key=PACK.index))


def fill(named: Sequence[str], sizes: Sequence[int], *, decks: int, avoid: str) -> Iterator[list]:
    """Yield deals that hold the named cards; no hand filled up is an instant win anywhere."""
    given = [text.split() for text in named]
    rest = PACK * decks
    for card in [*(card for hand in given for card in hand), *avoid.split()]:
        rest.remove(card)
    for attempt in range(ATTEMPTS):
        cards = rest.copy()
        random.Random(attempt).shuffle(cards)
        hands = [
            own + [cards.pop() for _ in range(n - len(own))]
            for own, n in zip(given, sizes, strict=True)
        ]
        if all(own == hand or _is_plain(hand, own) for own, hand in zip(given, hands, strict=True)):
            yield [sort_cards(" ".join(hand)) for hand in hands]


def _is_plain(hand: list[str], own: list[str]) -> bool:
    """Tell whether a hand of thirteen wins nothing at once that its own cards do not win."""
    if len(hand) != 13:
        return True
    most = [max(pair) for pair in zip((3, 4, 2), _features(own), strict=True)]
    if any(has > at_most for has, at_most in zip(_features(hand), most, strict=True)):
        return False
    reds = sum(card[1] in "DH" for card in hand)
    return len({card[0] for card in hand}) < 12 and 0 < reds < 13


def _features(hand: list[str]) -> tuple[int, int, int]:
    """Return the number of twos, of pairs and of ranks held three times."""
    ranks = Counter(card[0] for card in hand)
    pairs = sum(count // 2 for count in ranks.values())
    return ranks["2"], pairs, sum(count >= 3 for count in ranks.values())


def run_down(hands: Sequence[str], left: Sequence[str]) -> list[tuple[int, str]] | None:
    """Return who plays which single until only `left` is held and seat 0 has the lead.

    Each seat leads its cards from the top while the others pass; the next seat beats the last
    of them with its highest, and seat 0 keeps its highest to beat the last seat's last. Returns
    None where the deal does not allow it.
    """
    spare = {seat: _spare(hand, left, seat) for seat, hand in enumerate(hands)}
    spare = {seat: cards for seat, cards in spare.items() if cards}
    if set(spare) <= {0}:
        return [(0, card) for card in spare.get(0, [])]
    if len(spare.get(0, [])) < 2:
        raise ValueError("name at most eleven cards of seat 0")
    back = spare[0].pop(0)
    turns = [(seat, cards) for seat, cards in sorted(spare.items())] + [(0, [back])]
    for (_, before), (_, after) in pairwise(turns):
        if PACK.index(after[0]) <= PACK.index(before[-1]):
            return None
    return [(seat, card) for seat, cards in turns for card in cards]


def _spare(hand: str, left: Sequence[str], seat: int) -> list[str]:
    kept = left[seat].split() if seat < len(left) else []
    return [card for card in reversed(hand.split()) if card not in kept]
