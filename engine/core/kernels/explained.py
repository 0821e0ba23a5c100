"""Random deals that explain the others' decisions.

A seat that passes is unlikely to hold what a planner would have played. The deals form a Markov
chain: a step swaps cards between two hands if the regret of these seats' decisions does not rise,
or sometimes if it rises a little. Regret is measured by the planner's scores.
"""

from . import layout as L
from . import past_layout as H
from . import plan_layout as P
from .dice import next_word
from .games import list_plays
from .imagined import shuffle_pool
from .layout import Numbers
from .planned import bonus, was_weighed
from .plans import forget_when_full, least_cost
from .plays import high_of, low_of, ranks_of


def regret(
    rules: Numbers, plan: Numbers, work: Numbers, past: Numbers, number: int, low: int, high: int
) -> int:
    """Return a decision's regret in hundredths of a turn, if the seat now holds this hand.

    It is the planner's best score less the score of the actual choice, at most H_MOST; H_MOST if
    that hand could not have made the choice.
    """
    at = H.H_DECISION + H.H_ROW * number
    turn = past[at]
    low += past[at + 7]
    high += past[at + 8]
    work[L.TURN] = turn
    work[L.HANDS + 2 * turn] = low
    work[L.HANDS + 2 * turn + 1] = high
    work[L.TOP_LOW] = past[at + 1]
    work[L.TOP_HIGH] = past[at + 2]
    work[L.TOP_BY] = past[at + 3]
    work[L.LOCKED] = past[at + 4]
    work[L.UNPLAYED] = past[at + 5]
    work[L.UNPLAYED + 1] = past[at + 6]
    work[L.FIRST] = past[at + 11] >= 0
    work[L.MUST] = past[at + 11]
    work[L.FAULT] = 0
    n = list_plays(rules, work)
    leads = work[L.TOP_HIGH] == 0
    if not n or work[L.FAULT] or (leads and n == 1):
        return 0
    forget_when_full(plan)
    held = ranks_of(low, high)
    before = least_cost(rules, plan, held) >> 6
    plan[P.DECISIONS] += 1
    decided = past[at + 9] >> 2
    found = not decided
    own = 0
    best = -1000000 if leads else 0
    for i in range(n):
        code = work[L.LIST_HIGH + i] >> L.CODE_AT
        if was_weighed(plan, code):
            continue
        left = least_cost(rules, plan, held - plan[P.RANKS + code])
        score = before - (left >> 6) + bonus(plan, work, code, left & 63, past[at + 10])
        best = max(best, score)
        if code >> 2 == decided:
            own = score
            found = True
    return min(past[H.H_MOST], best - own) if found else past[H.H_MOST]


def _regrets(
    rules: Numbers, plan: Numbers, work: Numbers, past: Numbers, seat: int, low: int, high: int
) -> int:
    total = 0
    for number in range(past[H.H_DECISIONS]):
        if past[H.H_DECISION + H.H_ROW * number] == seat:
            total += regret(rules, plan, work, past, number, low, high)
    return total


def deal_explained(
    rules: Numbers, plan: Numbers, work: Numbers, dream: Numbers, past: Numbers
) -> None:
    """Deal the unknown cards at random and make the chain's first swaps.

    Cards left over belong to no seat and are swapped too.
    """
    shuffle_pool(dream)
    for i in range(dream[P.D_POOL]):
        past[H.H_CARDS + i] = dream[P.SCRATCH + i]
    players = dream[P.D_PLAYERS]
    at = H.H_CARDS
    for step in range(1, players):
        seat = (dream[P.D_SEAT] + step) % players
        past[H.H_COUNTS + seat] = 0
        past[H.H_HANDS + 2 * seat] = 0
        past[H.H_HANDS + 2 * seat + 1] = 0
        if dream[P.D_OUT] >> seat & 1:
            past[H.H_REGRETS + seat] = _regrets(rules, plan, work, past, seat, 0, 0)
            continue
        low = 0
        high = 0
        known = dream[P.D_KNOWN + seat]
        for i in range(known):
            card = dream[P.D_KNOWN_CARDS + 32 * seat + i]
            low += low_of(card)
            high += high_of(card)
        count = dream[P.D_SIZES + seat] - known
        past[H.H_AT + seat] = at
        past[H.H_COUNTS + seat] = count
        for i in range(at, at + count):
            low += low_of(past[i])
            high += high_of(past[i])
        at += count
        past[H.H_HANDS + 2 * seat] = low
        past[H.H_HANDS + 2 * seat + 1] = high
        past[H.H_REGRETS + seat] = _regrets(rules, plan, work, past, seat, low, high)
    past[H.H_COUNTS + dream[P.D_SEAT]] = 0
    past[H.H_AT + players] = at
    past[H.H_COUNTS + players] = H.H_CARDS + dream[P.D_POOL] - at
    past[H.H_HANDS + 2 * players] = 0
    past[H.H_HANDS + 2 * players + 1] = 0
    past[H.H_REGRETS + players] = 0
    for _ in range(past[H.H_FIRST]):
        _swap(rules, plan, work, dream, past)


def explain_next(
    rules: Numbers, plan: Numbers, work: Numbers, dream: Numbers, past: Numbers
) -> None:
    """Advance the chain to the next deal and copy its hands to `dream`."""
    for _ in range(past[H.H_BETWEEN]):
        _swap(rules, plan, work, dream, past)
    for seat in range(dream[P.D_PLAYERS]):
        if seat != dream[P.D_SEAT]:
            dream[P.D_HANDS + 2 * seat] = past[H.H_HANDS + 2 * seat]
            dream[P.D_HANDS + 2 * seat + 1] = past[H.H_HANDS + 2 * seat + 1]


def _doubt(dream: Numbers, unit: int) -> int:
    """Return a random tolerance: n times `unit` or more with a chance of 2 ** -n."""
    word = next_word(dream, P.D_DIE)
    bits = 0
    while bits < 20 and not word >> 31 - bits & 1:
        bits += 1
    return unit * bits


def _swap(rules: Numbers, plan: Numbers, work: Numbers, dream: Numbers, past: Numbers) -> None:
    """Swap two cards of two hands unless these seats' regret rises too much."""
    total = 0
    for seat in range(dream[P.D_PLAYERS] + 1):
        total += past[H.H_COUNTS + seat]
    if not total:
        return
    i = next_word(dream, P.D_DIE) % total
    one = 0
    while i >= past[H.H_COUNTS + one]:
        i -= past[H.H_COUNTS + one]
        one += 1
    total -= past[H.H_COUNTS + one]
    if not total:
        return
    j = next_word(dream, P.D_DIE) % total
    other = 0
    while other == one or j >= past[H.H_COUNTS + other]:
        if other != one:
            j -= past[H.H_COUNTS + other]
        other += 1
    i += past[H.H_AT + one]
    j += past[H.H_AT + other]
    card = past[i]
    instead = past[j]
    low = low_of(instead) - low_of(card)
    high = high_of(instead) - high_of(card)
    most = past[H.H_REGRETS + one] + past[H.H_REGRETS + other] + _doubt(dream, past[H.H_UNIT])
    one_low = past[H.H_HANDS + 2 * one] + low
    one_high = past[H.H_HANDS + 2 * one + 1] + high
    of_one = _regrets(rules, plan, work, past, one, one_low, one_high)
    if of_one > most:
        return
    other_low = past[H.H_HANDS + 2 * other] - low
    other_high = past[H.H_HANDS + 2 * other + 1] - high
    of_other = _regrets(rules, plan, work, past, other, other_low, other_high)
    if of_one + of_other > most:
        return
    past[i] = instead
    past[j] = card
    past[H.H_HANDS + 2 * one] = one_low
    past[H.H_HANDS + 2 * one + 1] = one_high
    past[H.H_HANDS + 2 * other] = other_low
    past[H.H_HANDS + 2 * other + 1] = other_high
    past[H.H_REGRETS + one] = of_one
    past[H.H_REGRETS + other] = of_other
