"""Which of the listed plays may be made: as `engine.rules.matching`, and what may not be last."""

from engine.core.kernels.layout import (
    ANSWERS_MATCH,
    CODE_AT,
    HIGH_MASK,
    LAST_NO_TWOS,
    LIST_HIGH,
    LIST_LOW,
    MATCHED,
    NO_BOMBS_LEAD,
    PAIR_END,
    PAIR_RUNS_MATCH,
    PAIRS_MATCH,
    RED_HIGH,
    RED_LOW,
    SHAPE_AT,
    STRAIGHT_END,
    STRAIGHTS_MATCH,
    SUIT_HIGH,
    SUIT_LOW,
    TOP_HIGH,
    TOP_LOW,
    TWO,
    TWOS_BELOW,
)
from engine.core.kernels.plays import byte_of

Numbers = list[int]


def forms(rules: Numbers, low: int, high: int) -> bool:
    """Tell whether the cards of a play go together; any 2s do."""
    code = high >> CODE_AT
    shape = code >> 6
    cards = high & HIGH_MASK
    if shape == 2:
        if not rules[PAIRS_MATCH] or (code & 63) >> 2 == TWO:
            return True
        return not (low & RED_LOW or cards & RED_HIGH) or not (low & ~RED_LOW or cards & ~RED_HIGH)
    if 16 < shape < 32 and rules[STRAIGHTS_MATCH]:
        suit = 2 * (code & 3)
        return not low & ~(SUIT_LOW << suit) and not cards & ~(SUIT_HIGH << suit)
    if 32 < shape < 48:
        if rules[PAIR_RUNS_MATCH]:
            red = low & RED_LOW or cards & RED_HIGH
            return not red or not (low & ~RED_LOW or cards & ~RED_HIGH)
        if rules[PAIRS_MATCH]:
            for rank in range(TWO):
                byte = byte_of(low, cards, rank)
                if byte & 15 and byte >> 4:
                    return False
    return True


def suits_of(low: int, high: int) -> int:
    """Return how many cards of each suit a set holds, at most fifteen, four bits for each."""
    counts = 0
    for rank in range(13):
        byte = byte_of(low, high, rank)
        counts += byte & 3 | (byte & 12) << 2 | (byte & 48) << 4 | (byte & 192) << 6
    return counts


def follows(rules: Numbers, low: int, high: int, top_low: int, top_high: int) -> bool:
    """Tell whether a higher play is of the suits of the one below; chops, bombs and 2s are free."""
    code = high >> CODE_AT
    shape = code >> 6
    if shape != top_high >> SHAPE_AT or shape == 4 or shape > 32:
        return True
    if shape < 4 and (code & 63) >> 2 == TWO:
        return True
    if shape == 1:
        return not (code ^ top_high >> CODE_AT) & 3
    if shape == 2 and rules[PAIRS_MATCH]:
        red = low & RED_LOW or high & RED_HIGH
        return bool(red) == bool(top_low & RED_LOW or top_high & RED_HIGH)
    return suits_of(low, high & HIGH_MASK) == suits_of(top_low, top_high & HIGH_MASK)


def keep_matching(rules: Numbers, work: Numbers, n: int) -> int:
    """Keep those of the listed plays that match in themselves and with what they answer."""
    top_low = work[TOP_LOW]
    top_high = work[TOP_HIGH]
    answers = top_high != 0 and rules[ANSWERS_MATCH] != 0
    kept = 0
    for i in range(n):
        low = work[LIST_LOW + i]
        high = work[LIST_HIGH + i]
        if forms(rules, low, high) and (
            not answers or follows(rules, low, high, top_low, top_high)
        ):
            work[LIST_LOW + kept] = low
            work[LIST_HIGH + kept] = high
            kept += 1
    return kept


def may_end_with_twos(rules: Numbers, low: int, high: int) -> bool:
    """Tell, never missing it, whether a hand is one play with a 2 on top."""
    below = low or high & TWOS_BELOW
    return high > TWOS_BELOW and (not below or rules[STRAIGHT_END] > TWO or rules[PAIR_END] > TWO)


def keep_unrestricted(rules: Numbers, work: Numbers, n: int, low: int, high: int) -> int:
    """Keep those that may be led, and be the last; who leads must play, be it a lone 2."""
    leads = work[TOP_HIGH] == 0
    no_bombs = leads and rules[NO_BOMBS_LEAD] != 0
    no_twos = rules[LAST_NO_TWOS] != 0 and may_end_with_twos(rules, low, high)
    if not no_bombs and not no_twos:
        return n
    kept = 0
    for i in range(n):
        play_low = work[LIST_LOW + i]
        play_high = work[LIST_HIGH + i]
        shape = play_high >> SHAPE_AT
        if no_bombs and (shape == 4 or shape > 32):
            continue
        if no_twos and play_low == low and play_high & HIGH_MASK == high:
            continue
        work[LIST_LOW + kept] = play_low
        work[LIST_HIGH + kept] = play_high
        kept += 1
    return kept if kept or not leads else n


def keep_allowed(rules: Numbers, work: Numbers, n: int, low: int, high: int) -> int:
    """Keep those of the listed plays that the seat to act may make with its hand."""
    # Answers that end with a single card are single cards, listed as they match.
    if rules[MATCHED] and n and not (work[TOP_HIGH] and work[LIST_HIGH + n - 1] >> SHAPE_AT == 1):
        n = keep_matching(rules, work, n)
    return keep_unrestricted(rules, work, n, low, high)
