"""Imagined games of the master: cards, not groups, so that the others choose as planners would."""

from engine.core.kernels.explained import deal_explained, explain_next
from engine.core.kernels.games import list_plays, take_turn
from engine.core.kernels.imagined import shuffle_pool, sort_candidates
from engine.core.kernels.inputs import note_habit
from engine.core.kernels.layout import (
    BOMB,
    CHANGES,
    ENDED,
    EVENT,
    EVENT_LOG,
    EVENTS,
    FAULT,
    FINISHED,
    FIRST,
    HANDS,
    HIDDEN,
    LEADER,
    LIST_HIGH,
    LIST_LOW,
    LOCKED,
    MUST,
    OUT,
    OWED,
    PASSED,
    PLAYED,
    PLAYERS,
    SHAPE_AT,
    TOP_BY,
    TOP_HIGH,
    TOP_LOW,
    TURN,
    TURNS,
    UNPLAYED,
)
from engine.core.kernels.mind_layout import CERTAIN, HABITS, N_BEST_CHOICE
from engine.core.kernels.opinions import (
    choose_by_opinion,
    look_at_choices,
    place_of_last,
    worth_of,
)
from engine.core.kernels.past_layout import H_DECISIONS, H_REGRETS, H_SHARE
from engine.core.kernels.plan_layout import (
    C_SCORE,
    C_TOTAL,
    CANDIDATE,
    CANDIDATES,
    D_CANDIDATES,
    D_CHOP,
    D_DOUBT,
    D_FAR,
    D_HABITS,
    D_HANDS,
    D_KNOWN,
    D_KNOWN_CARDS,
    D_LOCKED,
    D_OUT,
    D_PASSED,
    D_PLAYERS,
    D_PLAYS,
    D_REWARDS,
    D_ROUND,
    D_ROUNDS,
    D_SEAT,
    D_SIZES,
    D_TOP_BY,
    D_TOP_HIGH,
    D_TOP_LOW,
    D_TRUST,
    D_UNPLAYED,
    ORDER,
    SCRATCH,
)
from engine.core.kernels.planned import choose_planned
from engine.core.kernels.plans import forget_when_full
from engine.core.kernels.plays import high_of, low_of

Numbers = list[int]
Floats = list[float]

# Hundredths of a turn that a decision of the others is taken to have cost, and of how many: before
# enough of theirs were seen.
_GUESSED_COST = 5
_GUESSES = 3


def _give(dream: Numbers, seat: int, card: int) -> None:
    dream[D_HANDS + 2 * seat] += low_of(card)
    dream[D_HANDS + 2 * seat + 1] += high_of(card)


def _deal_hands(dream: Numbers) -> None:
    """Deal the unknown cards to the other seats; the own hand stays."""
    shuffle_pool(dream)
    players = dream[D_PLAYERS]
    at = SCRATCH
    for step in range(1, players):
        seat = (dream[D_SEAT] + step) % players
        dream[D_HANDS + 2 * seat] = 0
        dream[D_HANDS + 2 * seat + 1] = 0
        if dream[D_OUT] >> seat & 1:
            continue
        known = dream[D_KNOWN + seat]
        for i in range(known):
            _give(dream, seat, dream[D_KNOWN_CARDS + 32 * seat + i])
        for i in range(at, at + dream[D_SIZES + seat] - known):
            _give(dream, seat, dream[i])
        at += dream[D_SIZES + seat] - known


def _list_candidate(work: Numbers, dream: Numbers, number: int, at: int) -> int:
    """List a candidate alone, as the play at a place; return the place, or -1 for a pass."""
    work[LIST_LOW + at] = dream[D_PLAYS + 2 * number]
    work[LIST_HIGH + at] = dream[D_PLAYS + 2 * number + 1]
    return at if work[LIST_HIGH + at] else -1


def _stand(work: Numbers, dream: Numbers, notes: Numbers) -> None:
    """Put the deal on the table as it is before the decision, and what seats did before it."""
    for i in range(HABITS):
        notes[i] = dream[D_HABITS + i]
    me = dream[D_SEAT]
    work[PLAYERS] = dream[D_PLAYERS]
    for seat in range(dream[D_PLAYERS]):
        work[HANDS + 2 * seat] = dream[D_HANDS + 2 * seat]
        work[HANDS + 2 * seat + 1] = dream[D_HANDS + 2 * seat + 1]
        work[HIDDEN + seat] = 0
    work[TURN] = me
    work[LEADER] = me
    work[TOP_LOW] = dream[D_TOP_LOW]
    work[TOP_HIGH] = dream[D_TOP_HIGH]
    work[TOP_BY] = dream[D_TOP_BY]
    work[LOCKED] = dream[D_LOCKED]
    work[PASSED] = dream[D_PASSED]
    work[UNPLAYED] = dream[D_UNPLAYED]
    work[UNPLAYED + 1] = dream[D_UNPLAYED + 1]
    work[OUT] = dream[D_OUT]
    work[FIRST] = 0
    work[MUST] = -1
    work[PLAYED] = 0
    work[FINISHED] = 0
    work[EVENTS] = 0
    work[TURNS] = 0
    work[OWED] = 0
    work[CHANGES] = 0
    work[FAULT] = 0


def _earned(work: Numbers, dream: Numbers) -> int:
    """Return what the seat has won of chops so far."""
    money = 0
    for i in range(work[EVENTS]):
        at = EVENT_LOG + EVENT * i
        on = work[at + 5]
        if work[at] == BOMB and on and on >> SHAPE_AT != work[at + 3] >> SHAPE_AT:
            if work[at + 1] == dream[D_SEAT]:
                money += dream[D_CHOP]
            if work[at + 6] == dream[D_SEAT]:
                money -= dream[D_CHOP]
    return money


def _place(work: Numbers, dream: Numbers) -> int:
    """Return what the seat's place is worth when the game is over for it."""
    gone = 0
    for seat in range(dream[D_PLAYERS]):
        gone += dream[D_OUT] >> seat & 1
    place = dream[D_PLAYERS] - 1
    for i in range(work[FINISHED]):
        if work[ENDED + i] == dream[D_SEAT]:
            place = gone + i
    return dream[D_REWARDS + place]


def _reward_of(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    work: Numbers,
    notes: Numbers,
    mind: Floats,
    sums: Floats,
    number: int,
) -> int:
    """Return what the seat gets, by CERTAIN, that takes a candidate in this deal.

    The others play on as planners, the seat as the network likes best; after some choices of its
    own the network says how it will end.
    """
    me = dream[D_SEAT]
    _stand(work, dream, notes)
    i = _list_candidate(work, dream, number, 0)
    far = dream[D_FAR]
    while True:
        note_habit(work, notes, i)
        over = take_turn(rules, work, i)
        # Somebody may still chop what the seat went out with.
        if over or (work[OUT] >> me & 1 and work[TOP_BY] != me):
            break
        n = list_plays(rules, work)
        if work[FAULT]:
            break
        if n < 2 and (n == 0 or not work[TOP_HIGH]):
            i = n - 1
            continue
        if work[TURN] != me:
            i = choose_planned(rules, plan, work, n)
            continue
        i = place_of_last(work, n)
        if i < 0:
            worth = choose_by_opinion(rules, plan, work, dream, notes, mind, sums, n)
            if not far:
                return worth + CERTAIN * _earned(work, dream)
            far -= 1
            i = notes[N_BEST_CHOICE]
    return CERTAIN * (_place(work, dream) + _earned(work, dream))


def _trust(dream: Numbers, past: Numbers, share: int) -> int:
    """Return as how many deals the network's opinion counts.

    Imagined games are right about planners. The more the others' decisions would have cost
    planners, the less these games tell; of whom little was seen, it is guessed.
    """
    cost = _GUESSES * _GUESSED_COST
    count = _GUESSES
    if share:
        count += past[H_DECISIONS]
        for step in range(1, dream[D_PLAYERS]):
            cost += past[H_REGRETS + (dream[D_SEAT] + step) % dream[D_PLAYERS]]
    return max(dream[D_TRUST], dream[D_DOUBT] * cost * cost // (count * count))


def foresee(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    work: Numbers,
    notes: Numbers,
    mind: Floats,
    sums: Floats,
    past: Numbers,
) -> int:
    """Weigh the plays of a decision by the network and by imagined games; return the best's number.

    The network says which are imagined at all: as many as the first round has room for. Of a
    hundred deals a share explains the past; the others are any that may be.
    """
    candidates = dream[D_CANDIDATES]
    forget_when_full(plan)
    _deal_hands(dream)  # For how many cards the others hold: the network sees no more of it.
    _stand(work, dream, notes)
    own = look_at_choices(rules, work, notes, mind, sums)
    for number in range(candidates):
        i = _list_candidate(work, dream, number, number)
        worth = worth_of(rules, plan, work, dream, notes, mind, sums, own, i)
        row = CANDIDATES + CANDIDATE * number
        dream[row + C_SCORE] = worth
        dream[row + C_TOTAL] = worth
        dream[ORDER + number] = number
    sort_candidates(dream, candidates)
    share = past[H_SHARE] if past[H_DECISIONS] and dream[D_ROUNDS] else 0
    explained = 0
    if share:
        deal_explained(rules, plan, work, dream, past)
    trust = _trust(dream, past, share)
    for number in range(candidates):
        dream[CANDIDATES + CANDIDATE * number + C_TOTAL] *= trust
    for turn in range(dream[D_ROUNDS]):
        candidates = min(candidates, dream[D_ROUND + 2 * turn])
        for _ in range(dream[D_ROUND + 2 * turn + 1]):
            forget_when_full(plan)
            explained += share
            if explained >= 100:
                explained -= 100
                explain_next(rules, plan, work, dream, past)
            else:
                _deal_hands(dream)
            for i in range(candidates):
                number = dream[ORDER + i]
                dream[CANDIDATES + CANDIDATE * number + C_TOTAL] += _reward_of(
                    rules, plan, dream, work, notes, mind, sums, number
                )
        sort_candidates(dream, candidates)
    return dream[ORDER]
