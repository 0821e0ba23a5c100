"""The planner's choice of a play, scored as in `engine.bots.candidates`."""

from . import layout as L
from . import plan_layout as P
from .layout import Numbers
from .plans import forget_when_full, least_cost
from .plays import number_of_cards, ranks_of

_FINISH = 100_000


def _shortest_hand(work: Numbers) -> int:
    """Return the size of the smallest other hand in play, as the seat to act can count it."""
    least = 64
    for seat in range(work[L.PLAYERS]):
        if seat == work[L.TURN] or work[L.OUT] >> seat & 1:
            continue
        cards = number_of_cards(work[L.HANDS + 2 * seat], work[L.HANDS + 2 * seat + 1])
        least = min(least, max(cards - work[L.HIDDEN + seat], 1))
    return least


def _is_highest(work: Numbers, card: int) -> bool:
    """Return whether `card` is above all cards that the seat to act has not seen."""
    low = work[L.UNPLAYED] - work[L.HANDS + 2 * work[L.TURN]]
    high = work[L.UNPLAYED + 1] - work[L.HANDS + 2 * work[L.TURN] + 1]
    if card < 28:
        return not high and not low >> 2 * card + 2
    return not high >> 2 * (card - 28) + 2


def bonus(plan: Numbers, work: Numbers, code: int, groups: int, least: int) -> int:
    """Return a play's bonus in hundredths of a turn; it leaves `groups` groups in the hand.

    `least` is the fewest cards of another seat.
    """
    if not groups:
        return _FINISH
    shape = code >> 6
    rank = (code & 63) >> 2
    cards = plan[P.CARDS + code]
    if groups == 1 and shape == 1 and _is_highest(work, code & 63):
        return _FINISH // 2
    worth = plan[P.P_CARDS] * cards
    top = work[L.TOP_HIGH] >> L.CODE_AT
    if top:
        if work[L.TURN] == work[L.TOP_BY]:
            return worth - plan[P.P_FORWARD]
        worth += plan[P.P_BEAT] + plan[P.P_BEAT_RANK] * rank
        worth += plan[P.P_DANGER] * max(0, 4 - least)
        worth += plan[P.P_CLOSING] * max(0, 4 - groups)
        if shape == 4 or shape >= 32 or (top >> 6 <= 4 and (top & 63) >> 2 == L.TWO):
            worth += plan[P.P_CHOP]
    elif cards > least:
        worth += plan[P.P_UNANSWERABLE]
    elif least <= 2:
        worth += plan[P.P_LAST_CARD] * (rank - L.TWO)
    return worth


def _is_lower(work: Numbers, i: int, j: int) -> bool:
    """Return whether listed play `i` sorts before play `j`, by their cards from the lowest on."""
    for half in range(2):
        at = L.LIST_HIGH if half else L.LIST_LOW
        some = work[at + i] & L.HIGH_MASK if half else work[at + i]
        others = work[at + j] & L.HIGH_MASK if half else work[at + j]
        if some == others:
            continue
        bit = 0
        while some >> bit & 3 == others >> bit & 3:
            bit += 2
        more = some >> bit & 3 > others >> bit & 3
        # The play that ends first sorts first.
        rest = others >> bit + 2 if more else some >> bit + 2
        ended = not rest and (half == 1 or not work[L.LIST_HIGH + (j if more else i)] & L.HIGH_MASK)
        return more != ended
    return False


def was_weighed(plan: Numbers, code: int) -> bool:
    """Return whether this decision has weighed a play of these ranks, and mark it as weighed.

    The first of the plays that differ only in suits stands for all.
    """
    if plan[P.WEIGHED + (code >> 2)] == plan[P.DECISIONS]:
        return True
    plan[P.WEIGHED + (code >> 2)] = plan[P.DECISIONS]
    return False


def choose_planned(rules: Numbers, plan: Numbers, work: Numbers, n: int) -> int:
    """Return the index of the play that the planner chooses of `n`, or -1 for a pass."""
    leads = work[L.TOP_HIGH] == 0
    if leads and n == 1:
        return 0
    forget_when_full(plan)
    held = ranks_of(work[L.HANDS + 2 * work[L.TURN]], work[L.HANDS + 2 * work[L.TURN] + 1])
    before = least_cost(rules, plan, held) >> 6
    least = _shortest_hand(work)
    plan[P.DECISIONS] += 1
    best = -1
    best_score = 0
    for i in range(n):
        code = work[L.LIST_HIGH + i] >> L.CODE_AT
        if was_weighed(plan, code):
            continue
        left = least_cost(rules, plan, held - plan[P.RANKS + code])
        score = before - (left >> 6) + bonus(plan, work, code, left & 63, least)
        if best < 0:
            better = leads or score > 0
        else:
            better = score > best_score or (score == best_score and _is_lower(work, i, best))
        if better:
            best = i
            best_score = score
    return best
