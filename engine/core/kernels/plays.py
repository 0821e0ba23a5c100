"""Lists of plays, in the order of `engine.rules.plays`.

A list stands in `work` from LIST_LOW and LIST_HIGH on. A kernel that appends to it takes the number
of plays `n` and returns the new number. On overflow it sets FAULT and returns the number so far.
"""

from . import layout as L
from .layout import Numbers


def byte_of(low: int, high: int, rank: int) -> int:
    """Return the byte of one rank in a set: the number of cards of each suit, two bits per suit."""
    return low >> 8 * rank & 255 if rank < 7 else high >> 8 * (rank - 7) & 255


def low_at(cards: int, rank: int) -> int:
    """Return the lower word of the byte `cards` at a rank; 0 from rank 7 on."""
    return cards << 8 * rank if rank < 7 else 0


def high_at(cards: int, rank: int) -> int:
    """Return the upper word of the byte `cards` at a rank; 0 below rank 7."""
    return cards << 8 * (rank - 7) if rank >= 7 else 0


def low_of(card: int) -> int:
    return low_at(1 << 2 * (card & 3), card >> 2)


def high_of(card: int) -> int:
    """Return the upper word of one card."""
    return high_at(1 << 2 * (card & 3), card >> 2)


def _counts(cards: int) -> int:
    """Return the number of cards of each rank of a word, a byte each."""
    pairs = (cards & L.PAIRS) + (cards >> 2 & L.PAIRS)
    return pairs + (pairs >> 4) & L.NIBBLES


def _ranks_with(cards: int, count: int) -> int:
    enough = _counts(cards) + (128 - count) * L.ONES >> 7 & L.ONES
    return enough * L.GATHER >> 49 & 127


def ranks_with(low: int, high: int, count: int) -> int:
    """Return the ranks of which a set holds at least `count` cards, one bit per rank."""
    return _ranks_with(low, count) | _ranks_with(high, count) << 7


def _in_nibbles(counts: int) -> int:
    counts = (counts | counts >> 4) & 0xFF00FF00FF00FF
    counts = (counts | counts >> 8) & 0xFFFF0000FFFF
    return (counts | counts >> 16) & 0xFFFFFFF


def ranks_of(low: int, high: int) -> int:
    """Return the number of cards of each rank, four bits per rank."""
    return _in_nibbles(_counts(low)) | _in_nibbles(_counts(high)) << 28


def number_of_cards(low: int, high: int) -> int:
    """Return the number of cards in a set, of up to two decks."""
    return (_counts(low) + _counts(high)) * L.ONES >> 48 & 255


def add_group(
    rules: Numbers, work: Numbers, n: int, byte: int, rank: int, size: int, above: int
) -> int:
    """Append the groups of `size` cards of a rank with a code above `above`."""
    row = size * 256 + byte
    for i in range(rules[L.SUBSETS + row]):
        code = size << 6 | 4 * rank + rules[L.SUBSET_TOP + 20 * row + i]
        if code > above:
            cards = rules[L.SUBSET + 20 * row + i]
            work[L.LIST_LOW + n] = low_at(cards, rank)
            work[L.LIST_HIGH + n] = code << L.CODE_AT | high_at(cards, rank)
            n += 1
    return n


def add_shape(
    rules: Numbers, work: Numbers, n: int, low: int, high: int, shape: int, above: int
) -> int:
    """Append a hand's plays of a shape with a code above `above`, a code of that shape or -1."""
    first = (above & 63) >> 2 if above >= 0 else 0
    if shape <= 4:
        for rank in range(first, 13):
            byte = byte_of(low, high, rank)
            if byte:
                n = add_group(rules, work, n, byte, rank, shape, above)
        return n
    base = shape >> 4
    length = shape & 15
    each = 1 << base - 1
    end = rules[L.STRAIGHT_END] if base == 1 else rules[L.PAIR_END]
    held = ranks_with(low, high, each)
    run = (1 << length) - 1
    for top in range(max(length - 1, first), end):
        start = top - length + 1
        if held >> start & run == run:
            n = _add_run(rules, work, n, low, high, shape, each, start, top, above)
    return n


def _add_suited(work: Numbers, n: int, low: int, high: int, end: int) -> int:
    """Append all straights in one suit, by top rank."""
    runs = 0  # By suit the number of consecutive ranks up to this one, four bits each.
    for top in range(end):
        byte = byte_of(low, high, top)
        held = 0
        for suit in range(4):
            run = (runs >> 4 * suit & 15) + 1 if byte >> 2 * suit & 3 else 0
            held |= run << 4 * suit
            if run < 3:
                continue
            cards_low = 0
            cards_high = 0
            for ranks in range(1, run + 1):
                cards_low += low_at(1 << 2 * suit, top + 1 - ranks)
                cards_high += high_at(1 << 2 * suit, top + 1 - ranks)
                if ranks >= 3:
                    at = n + run - ranks
                    code = 16 + ranks << 6 | 4 * top + suit
                    work[L.LIST_LOW + at] = cards_low
                    work[L.LIST_HIGH + at] = code << L.CODE_AT | cards_high
            n += run - 2
        runs = held
    return n


def _add_run(
    rules: Numbers,
    work: Numbers,
    n: int,
    low: int,
    high: int,
    shape: int,
    each: int,
    start: int,
    top: int,
    above: int,
) -> int:
    """Append the runs from `start` to `top`, `each` cards per rank, with a code above `above`."""
    work[L.STEM_LOW] = 0
    work[L.STEM_HIGH] = 0
    stems = 1
    at = 0
    for rank in range(start, top):
        row = each * 256 + byte_of(low, high, rank)
        subsets = rules[L.SUBSETS + row]
        if stems * subsets > L.HALF:
            work[L.FAULT] = 1
            return n
        to = L.HALF - at
        k = to
        for i in range(at, at + stems):
            for j in range(subsets):
                cards = rules[L.SUBSET + 20 * row + j]
                work[L.STEM_LOW + k] = work[L.STEM_LOW + i] + low_at(cards, rank)
                work[L.STEM_HIGH + k] = work[L.STEM_HIGH + i] + high_at(cards, rank)
                k += 1
        stems = k - to
        at = to
    row = each * 256 + byte_of(low, high, top)
    for j in range(rules[L.SUBSETS + row]):
        code = shape << 6 | 4 * top + rules[L.SUBSET_TOP + 20 * row + j]
        if code > above:
            if n + stems > L.MOST_PLAYS:
                work[L.FAULT] = 1
                return n
            cards = rules[L.SUBSET + 20 * row + j]
            crown_low = low_at(cards, top)
            crown_high = high_at(cards, top) | code << L.CODE_AT
            for i in range(at, at + stems):
                work[L.LIST_LOW + n] = crown_low + work[L.STEM_LOW + i]
                work[L.LIST_HIGH + n] = crown_high + work[L.STEM_HIGH + i]
                n += 1
    return n


def _add_runs(
    rules: Numbers, work: Numbers, n: int, low: int, high: int, base: int, end: int, longest: int
) -> int:
    """Append all straights (`base` 1) or pair runs (`base` 2), by top rank."""
    each = base
    held = ranks_with(low, high, each) & (1 << end) - 1
    starts = held & held >> 1 & held >> 2
    start = 0
    while starts >> start:
        if not starts >> start & 1:
            start += 1
            continue
        # A stem is two or more ranks of a run and ends one rank below; `ones` is that rank's row.
        below = each * 256 + byte_of(low, high, start)
        ones = each * 256 + byte_of(low, high, start + 1)
        stems = 0
        at = 0
        for i in range(rules[L.SUBSETS + ones]):
            one = rules[L.SUBSET + 20 * ones + i]
            for j in range(rules[L.SUBSETS + below]):
                cards = rules[L.SUBSET + 20 * below + j]
                work[L.STEM_LOW + stems] = low_at(one, start + 1) + low_at(cards, start)
                work[L.STEM_HIGH + stems] = (
                    high_at(one, start + 1) + high_at(cards, start) + 2 * L.LONGER
                )
                stems += 1
        rank = start + 2
        while rank < end and held >> rank & 1:
            row = each * 256 + byte_of(low, high, rank)
            subsets = rules[L.SUBSETS + row]
            if n + stems * subsets > L.MOST_PLAYS:
                work[L.FAULT] = 1
                return n
            for j in range(subsets):
                cards = rules[L.SUBSET + 20 * row + j]
                crown = (
                    16 * base + 1 << 6 | 4 * rank + rules[L.SUBSET_TOP + 20 * row + j]
                ) << L.CODE_AT
                crown_low = low_at(cards, rank)
                crown += high_at(cards, rank)
                for i in range(at, at + stems):
                    play = crown + work[L.STEM_HIGH + i]
                    if play >> L.SHAPE_AT <= 16 * base + longest:
                        work[L.LIST_LOW + n] = crown_low + work[L.STEM_LOW + i]
                        work[L.LIST_HIGH + n] = play
                        n += 1
            if rank + 1 >= end or not held >> rank + 1 & 1:
                break
            below_subsets = rules[L.SUBSETS + ones]
            if stems + below_subsets > L.HALF or (stems + below_subsets) * subsets > L.HALF:
                work[L.FAULT] = 1
                return n
            for i in range(below_subsets):
                one = rules[L.SUBSET + 20 * ones + i]
                work[L.STEM_LOW + at + stems] = low_at(one, rank - 1)
                work[L.STEM_HIGH + at + stems] = high_at(one, rank - 1) + L.LONGER
                stems += 1
            to = L.HALF - at
            k = to
            for j in range(subsets):
                cards = rules[L.SUBSET + 20 * row + j]
                step_low = low_at(cards, rank)
                step_high = high_at(cards, rank) + L.LONGER
                for i in range(at, at + stems):
                    work[L.STEM_LOW + k] = step_low + work[L.STEM_LOW + i]
                    work[L.STEM_HIGH + k] = step_high + work[L.STEM_HIGH + i]
                    k += 1
            stems = k - to
            at = to
            ones = row
            rank += 1
        start = rank + 1
    return n


def _add_quad_runs(rules: Numbers, work: Numbers, n: int, low: int, high: int) -> int:
    """Append the runs of two or more quads, by top rank."""
    held = ranks_with(low, high, 4) & (1 << rules[L.PAIR_END]) - 1
    stems = 0
    at = 0
    for rank in range(13):
        if not held >> rank & 1:
            stems = 0
            continue
        row = 4 * 256 + byte_of(low, high, rank)
        subsets = rules[L.SUBSETS + row]
        if n + stems * subsets > L.MOST_PLAYS or (stems + 1) * subsets > L.HALF:
            work[L.FAULT] = 1
            return n
        to = L.HALF - at
        k = to
        work[L.STEM_LOW + at + stems] = 0
        work[L.STEM_HIGH + at + stems] = 0
        for j in range(subsets):
            cards = rules[L.SUBSET + 20 * row + j]
            crown = (49 << 6 | 4 * rank + rules[L.SUBSET_TOP + 20 * row + j]) << L.CODE_AT
            for i in range(at, at + stems):
                work[L.LIST_LOW + n] = low_at(cards, rank) + work[L.STEM_LOW + i]
                work[L.LIST_HIGH + n] = crown + high_at(cards, rank) + work[L.STEM_HIGH + i]
                n += 1
            for i in range(at, at + stems + 1):
                work[L.STEM_LOW + k] = low_at(cards, rank) + work[L.STEM_LOW + i]
                work[L.STEM_HIGH + k] = high_at(cards, rank) + L.LONGER + work[L.STEM_HIGH + i]
                k += 1
        stems = k - to
        at = to
    return n


def list_leads(rules: Numbers, work: Numbers, low: int, high: int) -> int:
    """List every combination of a hand; return their number."""
    n = 0
    for rank in range(13):
        byte = byte_of(low, high, rank)
        for size in range(1, min(rules[L.BYTE_CARDS + byte], 4) + 1):
            n = add_group(rules, work, n, byte, rank, size, -1)
    groups = n
    if groups < 3:
        return n
    if rules[L.STRAIGHTS_MATCH]:
        n = _add_suited(work, n, low, high, rules[L.STRAIGHT_END])
    else:
        n = _add_runs(rules, work, n, low, high, 1, rules[L.STRAIGHT_END], 13)
    if groups < 6:
        return n
    n = _add_runs(rules, work, n, low, high, 2, rules[L.PAIR_END], rules[L.LONGEST])
    if rules[L.QUAD_RUNS]:
        n = _add_quad_runs(rules, work, n, low, high)
    return n


def list_first(rules: Numbers, work: Numbers, low: int, high: int, must: int) -> int:
    """List the plays that may open the game; return their number.

    `must` is the card that they must contain, or -1.
    """
    n = list_leads(rules, work, low, high)
    kinds = rules[L.FIRST_KINDS] if must >= 0 else 0
    kept = 0
    for i in range(n):
        play_low = work[L.LIST_LOW + i]
        play_high = work[L.LIST_HIGH + i]
        shape = play_high >> L.SHAPE_AT
        if must >= 0:
            held = byte_of(play_low, play_high & L.HIGH_MASK, must >> 2)
            if not held >> 2 * (must & 3) & 3:
                continue
        if kinds == 1 and shape != 1:
            continue
        if kinds == 2 and not (shape <= 2 or 16 < shape < 32):
            continue
        if rules[L.FIRST_NO_PAIR_RUN] and 32 < shape < 48:
            continue
        work[L.LIST_LOW + kept] = play_low
        work[L.LIST_HIGH + kept] = play_high
        kept += 1
    return kept


def may_hold_bombs(low: int, high: int) -> bool:
    """Return whether a hand has three consecutive pairs or four of a rank."""
    pairs = ranks_with(low, high, 2)
    return bool(pairs & pairs >> 1 & pairs >> 2 or (pairs and ranks_with(low, high, 4)))


def add_chops(rules: Numbers, work: Numbers, n: int, low: int, high: int, code: int) -> int:
    """Append the plays that chop the play with this code."""
    row = L.ROWS + L.ROW * rules[L.CHOP_ROW + code]
    shapes = rules[row]
    if (
        shapes
        and rules[row + 1] > 3
        and not rules[L.LONG_STRAIGHTS]
        and not may_hold_bombs(low, high)
    ):
        return n
    for i in range(shapes):
        n = add_shape(rules, work, n, low, high, rules[row + 1 + i], -1)
    return n


def list_answers(rules: Numbers, work: Numbers, low: int, high: int, code: int) -> int:
    """List the plays that beat a code: higher ones of its shape, then its chops."""
    n = (
        0
        if code >> 2 == rules[L.UNBEATEN]
        else add_shape(rules, work, 0, low, high, code >> 6, code)
    )
    return add_chops(rules, work, n, low, high, code)


def list_suited_answers(rules: Numbers, work: Numbers, low: int, high: int, code: int) -> int:
    """List the answers to a single where suits must match: its suit, higher 2s, its chops."""
    n = 0
    card = code & 63
    for rank in range((card >> 2) + 1, L.TWO):
        if byte_of(low, high, rank) >> 2 * (card & 3) & 3:
            one = 1 << 2 * (card & 3)
            work[L.LIST_LOW + n] = low_at(one, rank)
            work[L.LIST_HIGH + n] = 64 + 4 * rank + (card & 3) << L.CODE_AT | high_at(one, rank)
            n += 1
    for two in range(max(4 * L.TWO, card + 1), 52):
        if high >> 2 * (two - 28) & 3:
            work[L.LIST_LOW + n] = 0
            work[L.LIST_HIGH + n] = 64 + two << L.CODE_AT | 1 << 2 * (two - 28)
            n += 1
    return add_chops(rules, work, n, low, high, code)


def list_locked_answers(rules: Numbers, work: Numbers, low: int, high: int, code: int) -> int:
    """List the chops that a locked-out seat may play on a code; return their number."""
    n = 0
    if rules[L.LOCKED_ROW + code] >= 0:
        row = L.ROWS + L.ROW * rules[L.LOCKED_ROW + code]
        for i in range(rules[row]):
            n = add_shape(rules, work, n, low, high, rules[row + 1 + i], -1)
    return n
