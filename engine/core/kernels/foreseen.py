"""Imagined games that planners play: cards, not groups, so that all choose as planners would."""

from engine.core.kernels.games import after_seat, next_turn, play_game, put_down
from engine.core.kernels.imagined import shuffle_pool, sort_candidates
from engine.core.kernels.layout import (
    ALL_LOSE,
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
    PASS_LOCKS,
    PASSED,
    PLANNER,
    PLAYED,
    PLAYERS,
    POLICIES,
    SHAPE_AT,
    TOP_BY,
    TOP_HIGH,
    TOP_LOW,
    TURN,
    TURNS,
    UNPLAYED,
)
from engine.core.kernels.plan_layout import (
    C_TOTAL,
    CANDIDATE,
    CANDIDATES,
    CHOP_MONEY,
    D_CANDIDATES,
    D_HANDS,
    D_KNOWN,
    D_KNOWN_CARDS,
    D_LOCKED,
    D_OUT,
    D_PASSED,
    D_PLAYERS,
    D_PLAYS,
    D_ROUND,
    D_ROUNDS,
    D_SEAT,
    D_SIZES,
    D_TOP_BY,
    D_TOP_HIGH,
    D_TOP_LOW,
    D_UNPLAYED,
    ORDER,
    PLACE_MONEY,
    SCRATCH,
)
from engine.core.kernels.plans import forget_when_full

Numbers = list[int]


def _give(dream: Numbers, seat: int, card: int) -> None:
    if card < 28:
        dream[D_HANDS + 2 * seat] += 1 << 2 * card
    else:
        dream[D_HANDS + 2 * seat + 1] += 1 << 2 * (card - 28)


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


def _stand(work: Numbers, dream: Numbers) -> None:
    """Put the deal on the table as it is before the decision."""
    me = dream[D_SEAT]
    work[PLAYERS] = dream[D_PLAYERS]
    for seat in range(dream[D_PLAYERS]):
        work[HANDS + 2 * seat] = dream[D_HANDS + 2 * seat]
        work[HANDS + 2 * seat + 1] = dream[D_HANDS + 2 * seat + 1]
        work[POLICIES + seat] = PLANNER
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


def _decide(rules: Numbers, work: Numbers, dream: Numbers, number: int) -> bool:
    """Take a candidate and pass the turn on; tell whether the game goes on for the seat."""
    me = work[TURN]
    after = -1
    if dream[D_PLAYS + 2 * number + 1]:
        work[LIST_LOW] = dream[D_PLAYS + 2 * number]
        work[LIST_HIGH] = dream[D_PLAYS + 2 * number + 1]
        put_down(work, 0)
        if not work[HANDS + 2 * me] and not work[HANDS + 2 * me + 1]:
            work[ENDED] = me
            work[FINISHED] = 1
            return False
        after = next_turn(rules, work)
    elif me != work[TOP_BY]:
        work[PASSED] |= 1 << me
        work[LOCKED] |= 1 << me if rules[PASS_LOCKS] else 0
        after = next_turn(rules, work)
    if after < 0:
        after = work[TOP_BY]
        if work[OUT] >> after & 1:
            if rules[ALL_LOSE]:
                return False
            after = after_seat(after, work[OUT], work[PLAYERS])
        work[LEADER] = after
        work[TOP_LOW] = 0
        work[TOP_HIGH] = 0
        work[TOP_BY] = -1
        work[LOCKED] = 0
        work[PASSED] = 0
    work[TURN] = after
    return True


def _earned(plan: Numbers, work: Numbers, dream: Numbers) -> int:
    """Return what the seat has of a game that is over: its place, and what was chopped."""
    me = dream[D_SEAT]
    gone = 0
    for seat in range(dream[D_PLAYERS]):
        gone += dream[D_OUT] >> seat & 1
    place = dream[D_PLAYERS] - 1
    for i in range(work[FINISHED]):
        if work[ENDED + i] == me:
            place = gone + i
    money = plan[PLACE_MONEY + place]
    for i in range(work[EVENTS]):
        at = EVENT_LOG + EVENT * i
        on = work[at + 5]
        if work[at] == BOMB and on and on >> SHAPE_AT != work[at + 3] >> SHAPE_AT:
            if work[at + 1] == me:
                money += plan[CHOP_MONEY]
            if work[at + 6] == me:
                money -= plan[CHOP_MONEY]
    return money


def foresee(rules: Numbers, plan: Numbers, dream: Numbers, work: Numbers) -> int:
    """Play the imagined games of a decision; return the number of the best candidate."""
    candidates = dream[D_CANDIDATES]
    for number in range(candidates):
        dream[ORDER + number] = number
    for turn in range(dream[D_ROUNDS]):
        candidates = min(candidates, dream[D_ROUND + 2 * turn])
        for _ in range(dream[D_ROUND + 2 * turn + 1]):
            forget_when_full(plan)
            _deal_hands(dream)
            for i in range(candidates):
                number = dream[ORDER + i]
                _stand(work, dream)
                if _decide(rules, work, dream, number):
                    play_game(rules, plan, work)
                at = CANDIDATES + CANDIDATE * number + C_TOTAL
                dream[at] += 100 * _earned(plan, work, dream)
        sort_candidates(dream, candidates)
    return dream[ORDER]
