"""Check words: six letters by which a misdealt hand is found."""

from collections.abc import Iterable

PRIME, VOWELS, CONSONANTS = 61, "AEIOU", "BCDGHKLMNPRSTVX"


def check_word(cards: Iterable[int]) -> str:
    """Return a hand's word of three syllables, which are the sums of three powers of its cards.

    The first alone finds every exchange of one card for another: the 52 cards differ modulo 61.
    """
    held = list(cards)
    sums = (sum((card + 1) ** power for card in held) % PRIME for power in (1, 2, 3))
    return "".join(CONSONANTS[at // len(VOWELS)] + VOWELS[at % len(VOWELS)] for at in sums)
