"""Imagined games of the judge: the network plays all seats, and every game's result is kept.

Halves and errors of differences need single deals, so nothing is summed up. Where whole games are
played the network wavers, as it would otherwise end all games of one deal alike: each choice's
value is raised by a number that follows from the game, the turn and the play alone. Games that go
the same way therefore stay the same, and differences lose most of their noise.
"""

from . import layout as L
from . import mind_layout as M
from . import past_layout as H
from . import plan_layout as P
from .explained import deal_explained, explain_next
from .foreseen import deal_unknown, earned, list_candidate, stand
from .games import list_plays, take_turn
from .inputs import note_habit
from .layout import Numbers
from .opinions import choose_by_opinion, look_at_choices, place_of_last, worth_of
from .planned import was_weighed
from .plans import forget_when_full

# Array `cfg`: the number of deals; the number of the seat's own choices after which the network
# tells the end, or -1; whether the choice of a wavering player is one more candidate; whether the
# hands are known; the seed of wavering, or -1; the turns played before; the card that the first
# play must contain, -1 if any will do, or -2 if it was made. Then how far choices waver.
J_DEALS = 0
J_FAR = 1
J_FREE = 2
J_OPEN = 3
J_SEED = 4
J_TURNS = 5
J_MUST = 6
J_WAVER = 8
WAVERS = 1024
# A row of `out`: of a candidate the chances of coming first, among the first two and three, in
# units of 1 / CERTAIN, and the money from chops; where the hands are known, each seat's place.
J_ROW = 4
_WORD = 0xFFFFFFFF


def _mixed(number: int) -> int:
    number = (number ^ number >> 16) * 0x45D9F3B & _WORD
    number = (number ^ number >> 16) * 0x45D9F3B & _WORD
    return number ^ number >> 16


def _choose_wavering(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    dream: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    cfg: Numbers,
    n: int,
    seed: int,
) -> int:
    """Return the index of the play that the network likes best, or nearly so; -1 is a pass."""
    forget_when_full(plan)
    own = look_at_choices(rules, work, notes, mind, sums)
    plan[P.DECISIONS] += 1
    seed = _mixed(seed + cfg[J_TURNS] + work[L.TURNS] & _WORD)
    best = -1 << 62
    found = -1
    for i in range(0 if work[L.TOP_HIGH] == 0 else -1, n):
        code = work[L.LIST_HIGH + i] >> L.CODE_AT if i >= 0 else 0
        if i >= 0 and was_weighed(plan, code):
            continue
        worth = worth_of(rules, plan, work, dream, notes, mind, sums, own, i)
        worth += cfg[J_WAVER + _mixed(seed + code & _WORD) % WAVERS]
        if worth > best:
            best = worth
            found = i
    return found


def _choose_as_net(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    dream: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    cfg: Numbers,
    n: int,
    seed: int,
) -> int:
    """Return the index of the network's choice of `n` plays, or -1 for a pass."""
    if n < 2 and (n == 0 or not work[L.TOP_HIGH]):
        return n - 1
    last = place_of_last(work, n)
    if last >= 0:
        return last
    if seed >= 0:
        return _choose_wavering(rules, plan, work, dream, notes, mind, sums, cfg, n, seed)
    choose_by_opinion(rules, plan, work, dream, notes, mind, sums, n)
    return notes[M.N_BEST_CHOICE]


def _is_told(work: Numbers, n: int) -> bool:
    """Return whether the seat to act has a choice, none of which ends the game for it."""
    return (n > 1 or (n == 1 and work[L.TOP_HIGH] != 0)) and place_of_last(work, n) < 0


def _play_out(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    work: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    cfg: Numbers,
    number: int,
    seed: int,
    out: Numbers,
    at: int,
) -> None:
    """Play a candidate, or the network's choice (-1), in this deal; write what came of it."""
    me = dream[P.D_SEAT]
    players = dream[P.D_PLAYERS]
    stand(work, dream, notes)
    far = cfg[J_FAR]
    if number >= 0:
        i = list_candidate(work, dream, number, 0)
    else:
        work[L.FIRST] = cfg[J_MUST] >= -1
        work[L.MUST] = max(cfg[J_MUST], -1)
        i = _choose_as_net(
            rules, plan, work, dream, notes, mind, sums, cfg, list_plays(rules, work), seed
        )
    while True:
        note_habit(work, notes, i)
        # Another seat may still chop the play that this seat went out with.
        if take_turn(rules, work, i):
            break
        if not cfg[J_OPEN] and work[L.OUT] >> me & 1 and work[L.TOP_BY] != me:
            break
        n = list_plays(rules, work)
        if work[L.FAULT]:
            break
        if work[L.TURN] == me and far >= 0 and _is_told(work, n):
            choose_by_opinion(rules, plan, work, dream, notes, mind, sums, n)
            i = notes[M.N_BEST_CHOICE]
            if not far:
                own = look_at_choices(rules, work, notes, mind, sums)
                worth_of(rules, plan, work, dream, notes, mind, sums, own, i)
                for k in range(3):
                    out[at + k] = notes[M.N_CHANCES + k] if k < players - 1 else M.CERTAIN
                out[at + 3] = earned(work, dream)
                return
            far -= 1
        else:
            i = _choose_as_net(rules, plan, work, dream, notes, mind, sums, cfg, n, seed)
    gone = 0
    for seat in range(players):
        gone += dream[P.D_OUT] >> seat & 1
    if cfg[J_OPEN]:
        for seat in range(players):
            out[at + seat] = players - 1
        for i in range(work[L.FINISHED]):
            out[at + work[L.ENDED + i]] = gone + i
        return
    place = players - 1
    for i in range(work[L.FINISHED]):
        if work[L.ENDED + i] == me:
            place = gone + i
    for k in range(3):
        out[at + k] = M.CERTAIN if place <= k else 0
    out[at + 3] = earned(work, dream)


def judge(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    work: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    past: Numbers,
    cfg: Numbers,
    out: Numbers,
) -> int:
    """Write what comes of each candidate in each deal; return the number of rows.

    All candidates meet the same deals.
    """
    forget_when_full(plan)
    share = past[H.H_SHARE] if past[H.H_DECISIONS] and not cfg[J_OPEN] else 0
    explained = 0
    if share:
        deal_explained(rules, plan, work, dream, past)
    rows = 0
    for deal in range(cfg[J_DEALS]):
        forget_when_full(plan)
        explained += share
        if explained >= 100:
            explained -= 100
            explain_next(rules, plan, work, dream, past)
        elif not cfg[J_OPEN]:
            deal_unknown(dream)
        seed = _mixed(cfg[J_SEED] + deal & _WORD) if cfg[J_SEED] >= 0 else -1
        for number in range(-cfg[J_FREE], dream[P.D_CANDIDATES]):
            _play_out(
                rules, plan, dream, work, notes, mind, sums, cfg, number, seed, out, J_ROW * rows
            )
            rows += 1
    return rows
