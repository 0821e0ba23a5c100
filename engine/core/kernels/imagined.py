"""Imagined games with hands divided into groups: players split a group only to beat a play."""

from . import layout as L
from . import plan_layout as P
from .dice import next_fraction, next_word
from .games import after_seat
from .layout import Numbers
from .plans import divide, forget_when_full, least_cost, lowest_stretch


def sort_up(array: Numbers, at: int, n: int) -> None:
    """Sort `n` numbers from `at` on, lowest first."""
    for i in range(1, n):
        number = array[at + i]
        j = i - 1
        while j >= 0 and array[at + j] > number:
            array[at + j + 1] = array[at + j]
            j -= 1
        array[at + j + 1] = number


def first_above(dream: Numbers, at: int, n: int, code: int) -> int:
    """Return the index of the first of `n` sorted groups above a code, or `n`."""
    i = 0
    while i < n and dream[at + i] <= code:
        i += 1
    return i


def _take(dream: Numbers, seat: int, i: int) -> int:
    """Remove group `i` from a seat's hand; return its code."""
    at = P.GROUP + 32 * seat
    code = dream[at + i]
    dream[P.HELD_GROUPS + seat] -= 1
    for j in range(i, dream[P.HELD_GROUPS + seat]):
        dream[at + j] = dream[at + j + 1]
    return code


def _has(counts: int, shape: int, top: int) -> bool:
    """Return whether a hand, given by its ranks, has a play of a shape with this top rank."""
    if shape <= 4:
        return counts >> 4 * top & 15 >= shape
    each = 1 << (shape >> 4) - 1
    for rank in range(top + 1 - (shape & 15), top + 1):
        if counts >> 4 * rank & 15 < each:
            return False
    return True


def _first_top(shape: int, low: int) -> int:
    """Return the lowest top rank that a play of a shape can have, from `low` on."""
    return low if shape <= 4 else max(low, (shape & 15) - 1)


def _end_of(rules: Numbers, shape: int) -> int:
    """Return one past the highest rank that a shape may reach."""
    if shape <= 4:
        return 13
    return rules[L.STRAIGHT_END] if shape < 32 else rules[L.PAIR_END]


def _break(rules: Numbers, plan: Numbers, groups: int, held: int, top: int) -> int:
    """Find the best answer to `top` that breaks up groups; return its cache slot.

    `held` are the hand's cards of each rank. The first result for a hand and a top play stays for
    the whole decision, for every seat and number of groups.
    """
    key = held | top >> 2 << 52
    at = (key & 0x3FFFFFF) * 0x9E3779B1 + (key >> 26 & 0x3FFFFFF) * 0x85EBCA6B
    at = (at + (key >> 52) * 0xC2B2AE35 >> 17) & P.MOST_BROKEN - 1
    while plan[P.BROKEN_KEY + at] != 0 and plan[P.BROKEN_KEY + at] != key:
        at = at + 1 & P.MOST_BROKEN - 1
    if plan[P.BROKEN_KEY + at] == key:
        return at
    shape = top >> 6
    low = (top >> 2 & 15) + 1
    worth = -10_000
    best = 0
    if shape <= 4:
        left = held
        while left:
            part = lowest_stretch(left)
            left -= part
            if not part >> 4 * low:
                continue
            before = least_cost(rules, plan, part)
            for rank in range(low, 13):
                if part >> 4 * rank & 15 >= shape:
                    code = shape << 6 | rank << 2 | 1
                    after = least_cost(rules, plan, part - (shape << 4 * rank))
                    more = groups + (after & 63) - (before & 63)
                    value = (before >> 6) - (after >> 6) + plan[P.BONUS + code]
                    value += plan[P.CLOSING] * max(0, 4 - more)
                    if value > worth:
                        worth = value
                        best = code
    else:
        for rank in range(_first_top(shape, low), _end_of(rules, shape)):
            if _has(held, shape, rank):
                code = shape << 6 | rank << 2 | 1
                after = least_cost(rules, plan, held - plan[P.RANKS + code])
                value = (
                    plan[P.BONUS + code] - (after >> 6) + plan[P.CLOSING] * max(0, 4 - (after & 63))
                )
                if value > worth:
                    worth = value
                    best = code
        if best:
            worth += least_cost(rules, plan, held) >> 6
    plan[P.BROKEN_KEY + at] = key
    plan[P.BROKEN_WORTH + at] = worth
    plan[P.BROKEN_BEST + at] = best
    plan[P.BROKEN] += 1
    return at


def _is_beaten(rules: Numbers, dream: Numbers, turn: int, code: int, highest: int) -> bool:
    """Return whether another seat can beat a group; `highest` is the highest rank of the others."""
    shape = code >> 6
    rank = code >> 2 & 15
    if shape == 1 and rank < highest:
        return True
    for seat in range(dream[P.D_PLAYERS]):
        if not dream[P.LEFT + seat] or seat == turn:
            continue
        if shape > 1:
            for top in range(_first_top(shape, rank + 1), _end_of(rules, shape)):
                if _has(dream[P.HELD_RANKS + seat], shape, top):
                    return True
        elif rank == highest:
            for i in range(dream[P.HELD_GROUPS + seat]):
                if dream[P.GROUP + 32 * seat + i] & 63 > code & 63:
                    return True
    return False


def _way_out(rules: Numbers, dream: Numbers, turn: int) -> int:
    """Return a group that no other seat beats if at most one group can be beaten, else 0."""
    highest = 0
    for seat in range(dream[P.D_PLAYERS]):
        if dream[P.LEFT + seat] and seat != turn:
            for rank in range(12, highest, -1):
                if dream[P.HELD_RANKS + seat] >> 4 * rank & 15:
                    highest = rank
                    break
    sure = 0
    weak = 0
    for i in range(dream[P.HELD_GROUPS + turn]):
        code = dream[P.GROUP + 32 * turn + i]
        if not _is_beaten(rules, dream, turn, code, highest):
            sure = code
        elif weak:
            return 0
        else:
            weak = 1
    return sure


def _best_from(plan: Numbers, dream: Numbers, at: int, first: int, n: int, worths: int) -> int:
    """Return the index of the first group of the highest value, from index `first` on."""
    best = first
    for i in range(first + 1, n):
        if plan[worths + dream[at + i]] > plan[worths + dream[at + best]]:
            best = i
    return best


def _lead(rules: Numbers, plan: Numbers, dream: Numbers, turn: int, least: int, worths: int) -> int:
    at = P.GROUP + 32 * turn
    n = dream[P.HELD_GROUPS + turn]
    code = 0
    if 1 < n <= 4 and dream[at + 1] > 95:
        code = _way_out(rules, dream, turn)
    if code:
        i = 0
        while dream[at + i] != code:
            i += 1
    else:
        i = _best_from(plan, dream, at, 0, n, worths)
        if least == 1 and dream[at + i] < 128:
            more = first_above(dream, at, n, 128)
            i = _best_from(plan, dream, at, more, n, worths) if more < n else n - 1
    return _take(dream, turn, i)


def _answer(
    rules: Numbers, plan: Numbers, dream: Numbers, turn: int, top: int, least: int, temper: int
) -> int:
    """Take an answer that is worth playing from the hand; return its code, or 0 for a pass."""
    at = P.GROUP + 32 * turn
    n = dream[P.HELD_GROUPS + turn]
    i = first_above(dream, at, n, top)
    more = plan[P.DANGER] * (4 - least) if least < 4 else 0
    if i < n and dream[at + i] ^ top < 64:
        worth = plan[P.ANSWER + temper * P.CODES + dream[at + i]] + more
        if n < 5:
            worth += plan[P.CLOSING] * (5 - n)
        if worth > 0 or n == 1:
            return _take(dream, turn, i)
    elif dream[P.LEFT + turn] >= plan[P.CARDS + top]:
        held = dream[P.HELD_RANKS + turn]
        if top >= 128 or held >> 4 * ((top >> 2 & 15) + 1):
            found = _break(rules, plan, n, held, top)
            code = plan[P.BROKEN_BEST + found]
            if plan[P.BROKEN_WORTH + found] + plan[P.WHIM + temper * P.CODES + code] + more > 0:
                count = divide(rules, plan, held - plan[P.RANKS + code], dream, at)
                for j in range(at, at + count):
                    dream[j] = dream[j] << 2 | 1
                sort_up(dream, at, count)
                dream[P.HELD_GROUPS + turn] = count
                return code
    row = L.ROWS + L.ROW * rules[L.CHOP_ROW + top]
    for k in range(rules[row]):
        shape = rules[row + 1 + k]
        i = first_above(dream, at, n, shape << 6)
        if i < n and dream[at + i] >> 6 == shape:
            return _take(dream, turn, i)
    return 0


def _alone(plan: Numbers, dream: Numbers, turn: int, top: int) -> int:
    """Take a forward player's follow-up to its own play from the hand; return its code or 0."""
    at = P.GROUP + 32 * turn
    n = dream[P.HELD_GROUPS + turn]
    i = first_above(dream, at, n, top)
    if i < n and dream[at + i] ^ top < 64 and (plan[P.ALONE + dream[at + i]] > 0 or n == 1):
        return _take(dream, turn, i)
    return 0


def _least_left(dream: Numbers) -> int:
    least = 999
    for seat in range(dream[P.D_PLAYERS]):
        if dream[P.LEFT + seat] and dream[P.LEFT + seat] < least:
            least = dream[P.LEFT + seat]
    return least


def _place_money(plan: Numbers, out: int) -> int:
    """Return the money of the next place; `out` are the seats that went out, as bits."""
    gone = 0
    while out:
        gone += out & 1
        out >>= 1
    return plan[P.PLACE_MONEY + gone]


def play_on(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    temper: int,
    turn: int,
    top: int,
    top_by: int,
    locked: int,
    out: int,
) -> int:
    """Play the deal to its end from here; return the deciding seat's reward for chops and place."""
    players = dream[P.D_PLAYERS]
    me = dream[P.D_SEAT]
    leads = P.LEAD + temper * P.CODES
    money = 0
    least = _least_left(dream)
    while True:
        if not top:
            code = _lead(rules, plan, dream, turn, least, leads)
        elif turn == top_by:
            code = _alone(plan, dream, turn, top)
        else:
            code = _answer(rules, plan, dream, turn, top, least, temper)
        if code:
            if top and code ^ top >= 64:
                if turn == me:
                    money += plan[P.CHOP_MONEY]
                if top_by == me:
                    money -= plan[P.CHOP_MONEY]
            top = code
            top_by = turn
            if not rules[L.PASS_LOCKS]:
                locked = 0
            left = dream[P.LEFT + turn] - plan[P.CARDS + code]
            dream[P.LEFT + turn] = left
            if left:
                dream[P.HELD_RANKS + turn] -= plan[P.RANKS + code]
                least = min(least, left)
            else:
                if turn == me:
                    return money + _place_money(plan, out)
                out |= 1 << turn
                if out | 1 << me == (1 << players) - 1:
                    return money + plan[P.PLACE_MONEY + players - 1]
                least = _least_left(dream)
        elif turn == top_by:
            top = 0
            locked = 0
            continue
        else:
            locked |= 1 << turn
        after = after_seat(turn, locked | out | 1 << top_by, players)
        if after >= 0:
            turn = after
        elif out >> top_by & 1:
            turn = after_seat(top_by, out, players)
            top = 0
            locked = 0
        else:
            turn = top_by
            if not rules[L.FORWARD]:
                top = 0
                locked = 0


def shuffle_pool(dream: Numbers) -> None:
    """Write the unknown cards to SCRATCH in the order of `sorted(pool, key=random)`."""
    n = dream[P.D_POOL]
    for i in range(n):
        high = next_word(dream, P.D_DIE) >> 5
        key = high << 26 | next_word(dream, P.D_DIE) >> 6
        card = dream[P.D_CARDS + i]
        j = i - 1
        while j >= 0 and dream[P.D_KEYS + j] > key:
            dream[P.D_KEYS + j + 1] = dream[P.D_KEYS + j]
            dream[P.SCRATCH + j + 1] = dream[P.SCRATCH + j]
            j -= 1
        dream[P.D_KEYS + j + 1] = key
        dream[P.SCRATCH + j + 1] = card


def _add_card(dream: Numbers, card: int) -> int:
    dream[P.SUITS + (card >> 2)] |= 1 << (card & 3)
    return 1 << 4 * (card >> 2)


def _deal_unknown(rules: Numbers, plan: Numbers, dream: Numbers) -> None:
    """Deal the unknown cards to the other seats and divide their hands into groups."""
    shuffle_pool(dream)
    players = dream[P.D_PLAYERS]
    at = P.SCRATCH
    for step in range(1, players):
        seat = (dream[P.D_SEAT] + step) % players
        if dream[P.D_OUT] >> seat & 1:
            continue
        for rank in range(13):
            dream[P.SUITS + rank] = 0
        counts = 0
        known = dream[P.D_KNOWN + seat]
        for i in range(known):
            counts += _add_card(dream, dream[P.D_KNOWN_CARDS + 32 * seat + i])
        for i in range(at, at + dream[P.D_SIZES + seat] - known):
            counts += _add_card(dream, dream[i])
        at += dream[P.D_SIZES + seat] - known
        first = P.DEAL_GROUP + 32 * seat
        n = divide(rules, plan, counts, dream, first)
        for i in range(first, first + n):
            group = dream[i]
            suits = dream[P.SUITS + (group & 15)]
            suit = 0
            if group >> 4 > 4:
                while not suits >> suit & 1:
                    suit += 1
            else:
                suit = 3
                while not suits >> suit & 1:
                    suit -= 1
            dream[i] = group << 2 | suit
        sort_up(dream, first, n)
        dream[P.DEAL_GROUPS + seat] = n
        dream[P.DEAL_RANKS + seat] = counts


def _forget_broken_when_full(plan: Numbers) -> None:
    if plan[P.BROKEN] > P.MOST_BROKEN // 2:
        for at in range(P.MOST_BROKEN):
            plan[P.BROKEN_KEY + at] = 0
        plan[P.BROKEN] = 0


def _reward(rules: Numbers, plan: Numbers, dream: Numbers, number: int, temper: int) -> int:
    """Play out a candidate in this deal and return the deciding seat's reward."""
    _forget_broken_when_full(plan)
    players = dream[P.D_PLAYERS]
    me = dream[P.D_SEAT]
    candidate = P.CANDIDATES + P.CANDIDATE * number
    for seat in range(players):
        dream[P.LEFT + seat] = dream[P.D_SIZES + seat]
        if seat == me:
            from_at = candidate + P.C_GROUP
            n = dream[candidate + P.C_GROUPS]
            dream[P.HELD_RANKS + seat] = dream[candidate + P.C_RANKS]
        else:
            from_at = P.DEAL_GROUP + 32 * seat
            n = dream[P.DEAL_GROUPS + seat]
            dream[P.HELD_RANKS + seat] = dream[P.DEAL_RANKS + seat]
        dream[P.HELD_GROUPS + seat] = n
        for i in range(n):
            dream[P.GROUP + 32 * seat + i] = dream[from_at + i]
    out = dream[P.D_OUT]
    locked = dream[P.D_LOCKED]
    top = dream[P.D_TOP]
    top_by = dream[P.D_TOP_BY]
    shape = dream[candidate + P.C_SHAPE]
    earned = 0
    if shape:
        if top and shape != top >> 6 and top_by != me:
            earned = plan[P.CHOP_MONEY]
        top = shape << 6 | dream[candidate + P.C_TOP]
        top_by = me
        dream[P.LEFT + me] -= dream[candidate + P.C_CARDS]
        if not dream[P.LEFT + me]:
            return earned + _place_money(plan, out)
    elif top_by == me:
        return play_on(rules, plan, dream, temper, me, 0, me, 0, out)
    else:
        locked |= 1 << me
    after = after_seat(me, locked | out | 1 << top_by, players)
    if after < 0:
        is_out = out >> top_by & 1
        if is_out or not rules[L.FORWARD]:
            top = 0
            locked = 0
        after = after_seat(top_by, out, players) if is_out else top_by
    return earned + play_on(rules, plan, dream, temper, after, top, top_by, locked, out)


def sort_candidates(dream: Numbers, n: int) -> None:
    """Sort the first `n` candidates by total, highest first; ties go by their own score."""
    for i in range(1, n):
        number = dream[P.ORDER + i]
        total = dream[P.CANDIDATES + P.CANDIDATE * number + P.C_TOTAL]
        score = dream[P.CANDIDATES + P.CANDIDATE * number + P.C_SCORE]
        j = i - 1
        while j >= 0:
            other = P.CANDIDATES + P.CANDIDATE * dream[P.ORDER + j]
            if dream[other + P.C_TOTAL] > total:
                break
            if dream[other + P.C_TOTAL] == total and dream[other + P.C_SCORE] >= score:
                break
            dream[P.ORDER + j + 1] = dream[P.ORDER + j]
            j -= 1
        dream[P.ORDER + j + 1] = number


def imagine(rules: Numbers, plan: Numbers, dream: Numbers) -> int:
    """Play the imagined games of a decision; return the number of the best candidate."""
    candidates = dream[P.D_CANDIDATES]
    for number in range(candidates):
        dream[P.ORDER + number] = number
    for turn in range(dream[P.D_ROUNDS]):
        candidates = min(candidates, dream[P.D_ROUND + 2 * turn])
        for _ in range(dream[P.D_ROUND + 2 * turn + 1]):
            forget_when_full(plan)
            _deal_unknown(rules, plan, dream)
            temper = int(next_fraction(dream, P.D_DIE) * P.TEMPERS)
            for i in range(candidates):
                number = dream[P.ORDER + i]
                reward = _reward(rules, plan, dream, number, temper)
                dream[P.CANDIDATES + P.CANDIDATE * number + P.C_TOTAL] += 100 * reward
        sort_candidates(dream, candidates)
    return dream[P.ORDER]
