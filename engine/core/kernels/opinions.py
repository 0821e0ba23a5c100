"""What the master's network thinks: whole numbers, which are exact in floating arrays too.

As plain Python, `engine.core.mind` puts long integers in place of `begin_sums` and `ask`.
"""

from engine.core.kernels.inputs import (
    choice_inputs,
    common_inputs,
    hand_inputs,
    played_inputs,
)
from engine.core.kernels.layout import (
    CODE_AT,
    HANDS,
    HIGH_MASK,
    LIST_HIGH,
    LIST_LOW,
    PLAYERS,
    TOP_HIGH,
    TURN,
)
from engine.core.kernels.mind_layout import (
    CERTAIN,
    CHANCE_STEP,
    CHANCES,
    M_BIAS,
    M_CHANCES,
    M_LAST,
    M_LAST_BIAS,
    M_SECOND,
    M_SECOND_BIAS,
    MIND_FIRST,
    MIND_SECOND,
    N_BEST_CHOICE,
    N_CHANCES,
    N_INPUTS,
    OPINIONS,
    S_FIRST,
    S_SECOND,
)
from engine.core.kernels.plan_layout import D_REWARDS, DECISIONS
from engine.core.kernels.planned import was_weighed
from engine.core.kernels.plans import forget_when_full

Numbers = list[int]
Floats = list[float]


def begin_sums(mind: Floats, sums: Floats, notes: Numbers, end: int) -> None:
    """Sum up the columns of the inputs that all choices share."""
    for j in range(MIND_FIRST):
        sums[j] = mind[M_BIAS + j]
    for k in range(end):
        at = MIND_FIRST * notes[N_INPUTS + k]
        column = mind[at : at + MIND_FIRST]
        for j in range(MIND_FIRST):
            sums[j] += column[j]


def ask(mind: Floats, sums: Floats, notes: Numbers, start: int, less: int, end: int) -> None:
    """Write the chances for a choice: the inputs up to `less` go, those from there on come."""
    first = sums[S_FIRST:S_SECOND]
    for j in range(MIND_FIRST):
        first[j] = sums[j]
    for k in range(start, less):
        at = MIND_FIRST * notes[N_INPUTS + k]
        column = mind[at : at + MIND_FIRST]
        for j in range(MIND_FIRST):
            first[j] -= column[j]
    for k in range(less, end):
        at = MIND_FIRST * notes[N_INPUTS + k]
        column = mind[at : at + MIND_FIRST]
        for j in range(MIND_FIRST):
            first[j] += column[j]
    second = sums[S_SECOND : S_SECOND + MIND_SECOND]
    for k in range(MIND_SECOND):
        second[k] = mind[M_SECOND_BIAS + k]
    for j in range(MIND_FIRST):
        given = first[j]
        if given > 0:
            at = M_SECOND + MIND_SECOND * j
            column = mind[at : at + MIND_SECOND]
            for k in range(MIND_SECOND):
                second[k] += given * column[k]
    for o in range(OPINIONS):
        total = mind[M_LAST_BIAS + o]
        for k in range(MIND_SECOND):
            if second[k] > 0:
                total += second[k] * mind[M_LAST + MIND_SECOND * o + k]
        at = int(total) // CHANCE_STEP + CHANCES // 2
        notes[N_CHANCES + o] = int(mind[M_CHANCES + min(max(at, 0), CHANCES - 1)])


def look_at_choices(
    rules: Numbers, work: Numbers, notes: Numbers, mind: Floats, sums: Floats
) -> int:
    """Begin to weigh the choices of the seat to act; return how many inputs they share."""
    turn = work[TURN]
    common = common_inputs(rules, work, notes, notes, N_INPUTS)
    low = work[HANDS + 2 * turn]
    high = work[HANDS + 2 * turn + 1]
    own = hand_inputs(rules, low, high, notes, common) - N_INPUTS
    begin_sums(mind, sums, notes, own)
    return own


def worth_of(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    dream: Numbers,
    notes: Numbers,
    mind: Floats,
    sums: Floats,
    own: int,
    i: int,
) -> int:
    """Return what a listed play, or a pass (-1), is worth to the seat, in rewards by CERTAIN."""
    less = own
    if i >= 0:
        less = played_inputs(rules, work, i, notes, N_INPUTS + own) - N_INPUTS
    end = choice_inputs(rules, plan, work, notes, i, notes, N_INPUTS + less) - N_INPUTS
    ask(mind, sums, notes, own, less, end)
    last = work[PLAYERS] - 1
    worth = CERTAIN * dream[D_REWARDS + last]
    for place in range(last):
        gain = dream[D_REWARDS + place] - dream[D_REWARDS + place + 1]
        worth += gain * notes[N_CHANCES + place]
    return worth


def choose_by_opinion(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    dream: Numbers,
    notes: Numbers,
    mind: Floats,
    sums: Floats,
    n: int,
) -> int:
    """Return what the choice is worth that the network likes best; N_BEST_CHOICE is its place."""
    forget_when_full(plan)
    own = look_at_choices(rules, work, notes, mind, sums)
    plan[DECISIONS] += 1
    best = -1 << 62
    for i in range(0 if work[TOP_HIGH] == 0 else -1, n):
        if i >= 0 and was_weighed(plan, work[LIST_HIGH + i] >> CODE_AT):
            continue
        worth = worth_of(rules, plan, work, dream, notes, mind, sums, own, i)
        if worth > best:
            best = worth
            notes[N_BEST_CHOICE] = i
    return best


def place_of_last(work: Numbers, n: int) -> int:
    """Return the place of the listed play that ends the hand of the seat to act, or -1."""
    low = work[HANDS + 2 * work[TURN]]
    high = work[HANDS + 2 * work[TURN] + 1]
    for i in range(n):
        if work[LIST_LOW + i] == low and work[LIST_HIGH + i] & HIGH_MASK == high:
            return i
    return -1
