"""Filters on listed plays: matching suits, as in `engine.rules.matching`, and restricted plays."""

from . import layout as L
from .layout import Numbers
from .plays import byte_of


def forms(rules: Numbers, low: int, high: int) -> bool:
    """Return whether a play's suits or colours match as the ruleset asks; any pair of 2s does."""
    code = high >> L.CODE_AT
    shape = code >> 6
    cards = high & L.HIGH_MASK
    if shape == 2:
        if not rules[L.PAIRS_MATCH] or (code & 63) >> 2 == L.TWO:
            return True
        return not (low & L.RED_LOW or cards & L.RED_HIGH) or not (
            low & ~L.RED_LOW or cards & ~L.RED_HIGH
        )
    if 16 < shape < 32 and rules[L.STRAIGHTS_MATCH]:
        suit = 2 * (code & 3)
        return not low & ~(L.SUIT_LOW << suit) and not cards & ~(L.SUIT_HIGH << suit)
    if 32 < shape < 48:
        if rules[L.PAIR_RUNS_MATCH]:
            red = low & L.RED_LOW or cards & L.RED_HIGH
            return not red or not (low & ~L.RED_LOW or cards & ~L.RED_HIGH)
        if rules[L.PAIRS_MATCH]:
            for rank in range(L.TWO):
                byte = byte_of(low, cards, rank)
                if byte & 15 and byte >> 4:
                    return False
    return True


def suits_of(low: int, high: int) -> int:
    """Return the number of cards of each suit in a set, a byte per suit."""
    counts = 0
    for suit in range(4):
        cards = (low >> 2 * suit & L.SUIT_LOW) + (high >> 2 * suit & L.SUIT_HIGH)
        counts = counts << 8 | cards * L.ONES >> 48 & 255
    return counts


def follows(rules: Numbers, low: int, high: int, top_low: int, top_high: int) -> bool:
    """Return whether a higher play has the top play's suits; chops, bombs and 2s are exempt."""
    code = high >> L.CODE_AT
    shape = code >> 6
    if shape != top_high >> L.SHAPE_AT or shape == 4 or shape > 32:
        return True
    if shape > 20 and rules[L.LONG_STRAIGHTS]:
        return True
    if not rules[L.ANSWERS_MATCH] & (8 if shape > 4 else 1 << shape - 1):
        return True
    if shape < 4 and (code & 63) >> 2 == L.TWO:
        return True
    if shape == 1:
        return not (code ^ top_high >> L.CODE_AT) & 3
    if shape == 2 and rules[L.PAIRS_MATCH]:
        red = low & L.RED_LOW or high & L.RED_HIGH
        return bool(red) == bool(top_low & L.RED_LOW or top_high & L.RED_HIGH)
    return suits_of(low, high & L.HIGH_MASK) == suits_of(top_low, top_high & L.HIGH_MASK)


def keep_matching(rules: Numbers, work: Numbers, n: int) -> int:
    """Drop listed plays with suits that do not match; return how many are left.

    The suits within a play must match and, if the ruleset asks, those of the top play.
    """
    top_low = work[L.TOP_LOW]
    top_high = work[L.TOP_HIGH]
    answers = top_high != 0 and rules[L.ANSWERS_MATCH] != 0
    kept = 0
    for i in range(n):
        low = work[L.LIST_LOW + i]
        high = work[L.LIST_HIGH + i]
        if forms(rules, low, high) and (
            not answers or follows(rules, low, high, top_low, top_high)
        ):
            work[L.LIST_LOW + kept] = low
            work[L.LIST_HIGH + kept] = high
            kept += 1
    return kept


def may_end_with_twos(rules: Numbers, low: int, high: int) -> bool:
    """Return whether a hand may be one play with a 2 on top (no false negatives)."""
    below = low or high & L.TWOS_BELOW
    return high > L.TWOS_BELOW and (
        not below or rules[L.STRAIGHT_END] > L.TWO or rules[L.PAIR_END] > L.TWO
    )


def keep_unrestricted(rules: Numbers, work: Numbers, n: int, low: int, high: int) -> int:
    """Drop plays that may not be led or not be the last; return how many are left.

    If a leader has no other play, all stay: a leader must play.
    """
    leads = work[L.TOP_HIGH] == 0
    no_bombs = leads and rules[L.NO_BOMBS_LEAD] != 0
    no_twos = rules[L.LAST_NO_TWOS] != 0 and may_end_with_twos(rules, low, high)
    if not no_bombs and not no_twos:
        return n
    kept = 0
    for i in range(n):
        play_low = work[L.LIST_LOW + i]
        play_high = work[L.LIST_HIGH + i]
        shape = play_high >> L.SHAPE_AT
        if no_bombs and (shape == 4 or shape > 32):
            continue
        if no_twos and play_low == low and play_high & L.HIGH_MASK == high:
            continue
        work[L.LIST_LOW + kept] = play_low
        work[L.LIST_HIGH + kept] = play_high
        kept += 1
    return kept if kept or not leads else n


def keep_allowed(rules: Numbers, work: Numbers, n: int, low: int, high: int) -> int:
    """Drop listed plays that are illegal for the seat to act; return how many are left."""
    # A list of answers that ends with a single has only singles, and these match as listed.
    if (
        rules[L.MATCHED]
        and n
        and not (work[L.TOP_HIGH] and work[L.LIST_HIGH + n - 1] >> L.SHAPE_AT == 1)
    ):
        n = keep_matching(rules, work, n)
    return keep_unrestricted(rules, work, n, low, high)
