"""The master network's opinion in whole numbers: those of `mind` and `sums` have 32 bits.

In plain Python, `engine.core.mind` replaces `begin_sums` and `ask` with sums of long integers.
"""

from . import layout as L
from . import mind_layout as M
from . import plan_layout as P
from .inputs import choice_inputs, common_inputs, hand_inputs, played_inputs
from .layout import Numbers
from .planned import was_weighed
from .plans import forget_when_full


def begin_sums(mind: Numbers, sums: Numbers, notes: Numbers, end: int) -> None:
    """Write the first layer's sums over the `end` inputs that all choices share."""
    for j in range(M.MIND_FIRST):
        sums[j] = mind[M.M_BIAS + j]
    for k in range(end):
        at = M.MIND_FIRST * notes[M.N_INPUTS + k]
        for j in range(M.MIND_FIRST):
            sums[j] += mind[at + j]


def ask(mind: Numbers, sums: Numbers, notes: Numbers, start: int, less: int, end: int) -> None:
    """Run the network on one choice and write its chances to N_CHANCES, in units of 1 / CERTAIN.

    Of the listed inputs, those from `start` to `less` are taken off the shared sums and those from
    `less` to `end` are added.
    """
    for j in range(M.MIND_FIRST):
        sums[M.S_FIRST + j] = sums[j]
    for k in range(start, less):
        at = M.MIND_FIRST * notes[M.N_INPUTS + k]
        for j in range(M.MIND_FIRST):
            sums[M.S_FIRST + j] -= mind[at + j]
    for k in range(less, end):
        at = M.MIND_FIRST * notes[M.N_INPUTS + k]
        for j in range(M.MIND_FIRST):
            sums[M.S_FIRST + j] += mind[at + j]
    for k in range(M.MIND_SECOND):
        sums[M.S_SECOND + k] = mind[M.M_SECOND_BIAS + k]
    for j in range(M.MIND_FIRST):
        given = sums[M.S_FIRST + j]
        if given > 0:
            at = M.M_SECOND + M.MIND_SECOND * j
            for k in range(M.MIND_SECOND):
                sums[M.S_SECOND + k] += given * mind[at + k]
    for o in range(M.OPINIONS):
        total = mind[M.M_LAST_BIAS + o]
        for k in range(M.MIND_SECOND):
            if sums[M.S_SECOND + k] > 0:
                total += sums[M.S_SECOND + k] * mind[M.M_LAST + M.MIND_SECOND * o + k]
        at = total // M.CHANCE_STEP + M.CHANCES // 2
        notes[M.N_CHANCES + o] = mind[M.M_CHANCES + min(max(at, 0), M.CHANCES - 1)]


def look_at_choices(
    rules: Numbers, work: Numbers, notes: Numbers, mind: Numbers, sums: Numbers
) -> int:
    """Write the sums that the choices of the seat to act share; return the number of inputs."""
    turn = work[L.TURN]
    common = common_inputs(rules, work, notes, notes, M.N_INPUTS)
    low = work[L.HANDS + 2 * turn]
    high = work[L.HANDS + 2 * turn + 1]
    own = hand_inputs(rules, low, high, notes, common) - M.N_INPUTS
    begin_sums(mind, sums, notes, own)
    return own


def worth_of(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    dream: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    own: int,
    i: int,
) -> int:
    """Return the expected reward of listed play `i`, or a pass (-1), times CERTAIN."""
    less = own
    if i >= 0:
        less = played_inputs(rules, work, i, notes, M.N_INPUTS + own) - M.N_INPUTS
    end = choice_inputs(rules, plan, work, notes, i, notes, M.N_INPUTS + less) - M.N_INPUTS
    ask(mind, sums, notes, own, less, end)
    last = work[L.PLAYERS] - 1
    worth = M.CERTAIN * dream[P.D_REWARDS + last]
    for place in range(last):
        gain = dream[P.D_REWARDS + place] - dream[P.D_REWARDS + place + 1]
        worth += gain * notes[M.N_CHANCES + place]
    return worth


def choose_by_opinion(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    dream: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    n: int,
) -> int:
    """Return the value of the choice that the network rates best; N_BEST_CHOICE gets its index."""
    forget_when_full(plan)
    own = look_at_choices(rules, work, notes, mind, sums)
    plan[P.DECISIONS] += 1
    best = -1 << 62
    for i in range(0 if work[L.TOP_HIGH] == 0 else -1, n):
        if i >= 0 and was_weighed(plan, work[L.LIST_HIGH + i] >> L.CODE_AT):
            continue
        worth = worth_of(rules, plan, work, dream, notes, mind, sums, own, i)
        if worth > best:
            best = worth
            notes[M.N_BEST_CHOICE] = i
    return best


def place_of_last(work: Numbers, n: int) -> int:
    """Return the index of the listed play that empties the hand of the seat to act, or -1."""
    low = work[L.HANDS + 2 * work[L.TURN]]
    high = work[L.HANDS + 2 * work[L.TURN] + 1]
    for i in range(n):
        if work[L.LIST_LOW + i] == low and work[L.LIST_HIGH + i] & L.HIGH_MASK == high:
            return i
    return -1
