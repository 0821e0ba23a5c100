"""Imagined games: `engine.bots.search` deals them so, `engine.bots.rollout` plays them so."""

from engine.core.kernels.dice import next_fraction, next_word
from engine.core.kernels.games import after_seat
from engine.core.kernels.layout import (
    CHOP_ROW,
    FORWARD,
    PAIR_END,
    PASS_LOCKS,
    ROW,
    ROWS,
    STRAIGHT_END,
)
from engine.core.kernels.plan_layout import (
    ALONE,
    ANSWER,
    BONUS,
    BROKEN,
    BROKEN_BEST,
    BROKEN_KEY,
    BROKEN_WORTH,
    C_CARDS,
    C_GROUP,
    C_GROUPS,
    C_RANKS,
    C_SCORE,
    C_SHAPE,
    C_TOP,
    C_TOTAL,
    CANDIDATE,
    CANDIDATES,
    CARDS,
    CHOP_MONEY,
    CLOSING,
    CODES,
    D_CANDIDATES,
    D_CARDS,
    D_DIE,
    D_KEYS,
    D_KNOWN,
    D_KNOWN_CARDS,
    D_LOCKED,
    D_OUT,
    D_PLAYERS,
    D_POOL,
    D_ROUND,
    D_ROUNDS,
    D_SEAT,
    D_SIZES,
    D_TOP,
    D_TOP_BY,
    DANGER,
    DEAL_GROUP,
    DEAL_GROUPS,
    DEAL_RANKS,
    GROUP,
    HELD_GROUPS,
    HELD_RANKS,
    LEAD,
    LEFT,
    MOST_BROKEN,
    ORDER,
    PLACE_AT,
    PLACE_MONEY,
    RANKS,
    SCRATCH,
    SUITS,
    SUMS,
    TEMPERS,
    WHIM,
)
from engine.core.kernels.plans import divide, forget_when_full, least_cost, lowest_stretch

Numbers = list[int]


def sort_up(array: Numbers, at: int, n: int) -> None:
    """Sort some numbers of an array, the lowest first."""
    for i in range(1, n):
        number = array[at + i]
        j = i - 1
        while j >= 0 and array[at + j] > number:
            array[at + j + 1] = array[at + j]
            j -= 1
        array[at + j + 1] = number


def first_above(dream: Numbers, at: int, n: int, code: int) -> int:
    """Return how many of some sorted groups are not above a code."""
    i = 0
    while i < n and dream[at + i] <= code:
        i += 1
    return i


def _take(dream: Numbers, seat: int, i: int) -> int:
    """Take a group out of a seat's hand."""
    at = GROUP + 32 * seat
    code = dream[at + i]
    dream[HELD_GROUPS + seat] -= 1
    for j in range(i, dream[HELD_GROUPS + seat]):
        dream[at + j] = dream[at + j + 1]
    return code


def _has(counts: int, shape: int, top: int) -> bool:
    """Tell whether a hand has a play of a shape with that top rank."""
    if shape <= 4:
        return counts >> 4 * top & 15 >= shape
    each = 1 << (shape >> 4) - 1
    for rank in range(top + 1 - (shape & 15), top + 1):
        if counts >> 4 * rank & 15 < each:
            return False
    return True


def _first_top(shape: int, low: int) -> int:
    """Return the lowest top rank of a shape, from `low` on."""
    return low if shape <= 4 else max(low, (shape & 15) - 1)


def _end_of(rules: Numbers, shape: int) -> int:
    """Return one past the highest rank that a shape may reach."""
    if shape <= 4:
        return 13
    return rules[STRAIGHT_END] if shape < 32 else rules[PAIR_END]


def _break(rules: Numbers, plan: Numbers, groups: int, held: int, top: int) -> int:
    """Find the best answer of a hand that takes groups apart; return where it is remembered.

    What is found first stays for the decision, for any asker: as in `engine.bots.rollout`.
    """
    key = held | top >> 2 << 52
    at = (key & 0x3FFFFFF) * 0x9E3779B1 + (key >> 26 & 0x3FFFFFF) * 0x85EBCA6B
    at = (at + (key >> 52) * 0xC2B2AE35 >> 17) & MOST_BROKEN - 1
    while plan[BROKEN_KEY + at] != 0 and plan[BROKEN_KEY + at] != key:
        at = at + 1 & MOST_BROKEN - 1
    if plan[BROKEN_KEY + at] == key:
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
                    value = (before >> 6) - (after >> 6) + plan[BONUS + code]
                    value += plan[CLOSING] * max(0, 4 - more)
                    if value > worth:
                        worth = value
                        best = code
    else:
        for rank in range(_first_top(shape, low), _end_of(rules, shape)):
            if _has(held, shape, rank):
                code = shape << 6 | rank << 2 | 1
                after = least_cost(rules, plan, held - plan[RANKS + code])
                value = plan[BONUS + code] - (after >> 6) + plan[CLOSING] * max(0, 4 - (after & 63))
                if value > worth:
                    worth = value
                    best = code
        if best:
            worth += least_cost(rules, plan, held) >> 6
    plan[BROKEN_KEY + at] = key
    plan[BROKEN_WORTH + at] = worth
    plan[BROKEN_BEST + at] = best
    plan[BROKEN] += 1
    return at


def _is_beaten(rules: Numbers, dream: Numbers, turn: int, code: int, highest: int) -> bool:
    """Tell whether another seat has something above a group."""
    shape = code >> 6
    rank = code >> 2 & 15
    if shape == 1 and rank < highest:
        return True
    for seat in range(dream[D_PLAYERS]):
        if not dream[LEFT + seat] or seat == turn:
            continue
        if shape > 1:
            for top in range(_first_top(shape, rank + 1), _end_of(rules, shape)):
                if _has(dream[HELD_RANKS + seat], shape, top):
                    return True
        elif rank == highest:
            for i in range(dream[HELD_GROUPS + seat]):
                if dream[GROUP + 32 * seat + i] & 63 > code & 63:
                    return True
    return False


def _way_out(rules: Numbers, dream: Numbers, turn: int) -> int:
    """Return a group that nobody else beats, where at most one other can be beaten; or 0."""
    highest = 0
    for seat in range(dream[D_PLAYERS]):
        if dream[LEFT + seat] and seat != turn:
            for rank in range(12, highest, -1):
                if dream[HELD_RANKS + seat] >> 4 * rank & 15:
                    highest = rank
                    break
    sure = 0
    weak = 0
    for i in range(dream[HELD_GROUPS + turn]):
        code = dream[GROUP + 32 * turn + i]
        if not _is_beaten(rules, dream, turn, code, highest):
            sure = code
        elif weak:
            return 0
        else:
            weak = 1
    return sure


def _best_from(plan: Numbers, dream: Numbers, at: int, first: int, n: int, worths: int) -> int:
    """Return the place of the first of the groups that are worth most, from `first` on."""
    best = first
    for i in range(first + 1, n):
        if plan[worths + dream[at + i]] > plan[worths + dream[at + best]]:
            best = i
    return best


def _lead(rules: Numbers, plan: Numbers, dream: Numbers, turn: int, least: int, worths: int) -> int:
    at = GROUP + 32 * turn
    n = dream[HELD_GROUPS + turn]
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
    """Take out what beats the top play and is worth it; 0 for nothing."""
    at = GROUP + 32 * turn
    n = dream[HELD_GROUPS + turn]
    i = first_above(dream, at, n, top)
    more = plan[DANGER] * (4 - least) if least < 4 else 0
    if i < n and dream[at + i] ^ top < 64:
        worth = plan[ANSWER + temper * CODES + dream[at + i]] + more
        if n < 5:
            worth += plan[CLOSING] * (5 - n)
        if worth > 0 or n == 1:
            return _take(dream, turn, i)
    elif dream[LEFT + turn] >= plan[CARDS + top]:
        held = dream[HELD_RANKS + turn]
        if top >= 128 or held >> 4 * ((top >> 2 & 15) + 1):
            found = _break(rules, plan, n, held, top)
            code = plan[BROKEN_BEST + found]
            if plan[BROKEN_WORTH + found] + plan[WHIM + temper * CODES + code] + more > 0:
                count = divide(rules, plan, held - plan[RANKS + code], dream, at)
                for j in range(at, at + count):
                    dream[j] = dream[j] << 2 | 1
                sort_up(dream, at, count)
                dream[HELD_GROUPS + turn] = count
                return code
    row = ROWS + ROW * rules[CHOP_ROW + top]
    for k in range(rules[row]):
        shape = rules[row + 1 + k]
        i = first_above(dream, at, n, shape << 6)
        if i < n and dream[at + i] >> 6 == shape:
            return _take(dream, turn, i)
    return 0


def _alone(plan: Numbers, dream: Numbers, turn: int, top: int) -> int:
    """Take out what a forward player plays on his own play; 0 for nothing."""
    at = GROUP + 32 * turn
    n = dream[HELD_GROUPS + turn]
    i = first_above(dream, at, n, top)
    if i < n and dream[at + i] ^ top < 64 and (plan[ALONE + dream[at + i]] > 0 or n == 1):
        return _take(dream, turn, i)
    return 0


def _least_left(dream: Numbers) -> int:
    least = 999
    for seat in range(dream[D_PLAYERS]):
        if dream[LEFT + seat] and dream[LEFT + seat] < least:
            least = dream[LEFT + seat]
    return least


def _place_money(plan: Numbers, out: int) -> int:
    """Return what the next place is worth."""
    gone = 0
    while out:
        gone += out & 1
        out >>= 1
    return plan[PLACE_MONEY + gone]


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
    """Return the reward of the seat that decides when all play on from here."""
    players = dream[D_PLAYERS]
    me = dream[D_SEAT]
    leads = LEAD + temper * CODES
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
                    money += plan[CHOP_MONEY]
                if top_by == me:
                    money -= plan[CHOP_MONEY]
            top = code
            top_by = turn
            if not rules[PASS_LOCKS]:
                locked = 0
            left = dream[LEFT + turn] - plan[CARDS + code]
            dream[LEFT + turn] = left
            if left:
                dream[HELD_RANKS + turn] -= plan[RANKS + code]
                least = min(least, left)
            else:
                if turn == me:
                    return money + _place_money(plan, out)
                out |= 1 << turn
                if out | 1 << me == (1 << players) - 1:
                    return money + plan[PLACE_MONEY + players - 1]
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
            if not rules[FORWARD]:
                top = 0
                locked = 0


def shuffle_pool(dream: Numbers) -> None:
    """Order the unknown cards as `sorted(pool, key=random)`, from their own order."""
    n = dream[D_POOL]
    for i in range(n):
        high = next_word(dream, D_DIE) >> 5
        key = high << 26 | next_word(dream, D_DIE) >> 6
        card = dream[D_CARDS + i]
        j = i - 1
        while j >= 0 and dream[D_KEYS + j] > key:
            dream[D_KEYS + j + 1] = dream[D_KEYS + j]
            dream[SCRATCH + j + 1] = dream[SCRATCH + j]
            j -= 1
        dream[D_KEYS + j + 1] = key
        dream[SCRATCH + j + 1] = card


def _add_card(dream: Numbers, card: int) -> int:
    dream[SUITS + (card >> 2)] |= 1 << (card & 3)
    return 1 << 4 * (card >> 2)


def _deal_unknown(rules: Numbers, plan: Numbers, dream: Numbers) -> None:
    """Deal the unknown cards to the other seats and divide their hands."""
    shuffle_pool(dream)
    players = dream[D_PLAYERS]
    at = SCRATCH
    for step in range(1, players):
        seat = (dream[D_SEAT] + step) % players
        if dream[D_OUT] >> seat & 1:
            continue
        for rank in range(13):
            dream[SUITS + rank] = 0
        counts = 0
        known = dream[D_KNOWN + seat]
        for i in range(known):
            counts += _add_card(dream, dream[D_KNOWN_CARDS + 32 * seat + i])
        for i in range(at, at + dream[D_SIZES + seat] - known):
            counts += _add_card(dream, dream[i])
        at += dream[D_SIZES + seat] - known
        first = DEAL_GROUP + 32 * seat
        n = divide(rules, plan, counts, dream, first)
        for i in range(first, first + n):
            group = dream[i]
            suits = dream[SUITS + (group & 15)]
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
        dream[DEAL_GROUPS + seat] = n
        dream[DEAL_RANKS + seat] = counts


def _reward(rules: Numbers, plan: Numbers, dream: Numbers, number: int, temper: int) -> int:
    """Return what the seat gets that takes a candidate in this deal, when all play on."""
    players = dream[D_PLAYERS]
    me = dream[D_SEAT]
    candidate = CANDIDATES + CANDIDATE * number
    for seat in range(players):
        dream[LEFT + seat] = dream[D_SIZES + seat]
        if seat == me:
            from_at = candidate + C_GROUP
            n = dream[candidate + C_GROUPS]
            dream[HELD_RANKS + seat] = dream[candidate + C_RANKS]
        else:
            from_at = DEAL_GROUP + 32 * seat
            n = dream[DEAL_GROUPS + seat]
            dream[HELD_RANKS + seat] = dream[DEAL_RANKS + seat]
        dream[HELD_GROUPS + seat] = n
        for i in range(n):
            dream[GROUP + 32 * seat + i] = dream[from_at + i]
    out = dream[D_OUT]
    locked = dream[D_LOCKED]
    top = dream[D_TOP]
    top_by = dream[D_TOP_BY]
    shape = dream[candidate + C_SHAPE]
    earned = 0
    if shape:
        if top and shape != top >> 6 and top_by != me:
            earned = plan[CHOP_MONEY]
        top = shape << 6 | dream[candidate + C_TOP]
        top_by = me
        dream[LEFT + me] -= dream[candidate + C_CARDS]
        if not dream[LEFT + me]:
            return earned + _place_money(plan, out)
    elif top_by == me:
        return play_on(rules, plan, dream, temper, me, 0, me, 0, out)
    else:
        locked |= 1 << me
    after = after_seat(me, locked | out | 1 << top_by, players)
    if after < 0:
        is_out = out >> top_by & 1
        if is_out or not rules[FORWARD]:
            top = 0
            locked = 0
        after = after_seat(top_by, out, players) if is_out else top_by
    return earned + play_on(rules, plan, dream, temper, after, top, top_by, locked, out)


def sort_candidates(dream: Numbers, n: int) -> None:
    """Sort by totals, the highest first; equal ones by their own score."""
    for i in range(1, n):
        number = dream[ORDER + i]
        total = dream[CANDIDATES + CANDIDATE * number + C_TOTAL]
        score = dream[CANDIDATES + CANDIDATE * number + C_SCORE]
        j = i - 1
        while j >= 0:
            other = CANDIDATES + CANDIDATE * dream[ORDER + j]
            if dream[other + C_TOTAL] > total:
                break
            if dream[other + C_TOTAL] == total and dream[other + C_SCORE] >= score:
                break
            dream[ORDER + j + 1] = dream[ORDER + j]
            j -= 1
        dream[ORDER + j + 1] = number


def _forget_broken(plan: Numbers) -> None:
    for at in range(MOST_BROKEN):
        plan[BROKEN_KEY + at] = 0
    plan[BROKEN] = 0


def imagine_all(rules: Numbers, plan: Numbers, dream: Numbers, deals: int) -> int:
    """Play each candidate on so many deals and write the sums; the rewards are of a ledger.

    It returns 1 where more answers came up than can be remembered, else 0.
    """
    _forget_broken(plan)
    candidates = dream[D_CANDIDATES]
    for i in range(4 * candidates):
        dream[SUMS + i] = 0
    for _ in range(deals):
        forget_when_full(plan)
        _deal_unknown(rules, plan, dream)
        temper = int(next_fraction(dream, D_DIE) * TEMPERS)
        for number in range(candidates):
            reward = _reward(rules, plan, dream, number, temper)
            place = reward + (1 << PLACE_AT - 1) >> PLACE_AT
            money = reward - (place << PLACE_AT)
            at = SUMS + 4 * number
            dream[at] += place
            dream[at + 1] += place * place
            dream[at + 2] += money
            dream[at + 3] += money * money
        if plan[BROKEN] > MOST_BROKEN // 2:
            return 1
    return 0


def imagine(rules: Numbers, plan: Numbers, dream: Numbers) -> int:
    """Play the imagined games of a decision; return the number of the best candidate.

    It returns -1 where more answers came up than can be remembered: the die has been thrown.
    """
    _forget_broken(plan)
    candidates = dream[D_CANDIDATES]
    for number in range(candidates):
        dream[ORDER + number] = number
    for turn in range(dream[D_ROUNDS]):
        candidates = min(candidates, dream[D_ROUND + 2 * turn])
        for _ in range(dream[D_ROUND + 2 * turn + 1]):
            forget_when_full(plan)
            _deal_unknown(rules, plan, dream)
            temper = int(next_fraction(dream, D_DIE) * TEMPERS)
            for i in range(candidates):
                number = dream[ORDER + i]
                reward = _reward(rules, plan, dream, number, temper)
                dream[CANDIDATES + CANDIDATE * number + C_TOTAL] += 100 * reward
            if plan[BROKEN] > MOST_BROKEN // 2:
                return -1
        sort_candidates(dream, candidates)
    return dream[ORDER]
