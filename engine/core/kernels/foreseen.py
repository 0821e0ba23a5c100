"""Imagined games of the master, played with cards, not groups: the others choose as planners."""

from . import layout as L
from . import mind_layout as M
from . import past_layout as H
from . import plan_layout as P
from .explained import deal_explained, explain_next
from .games import list_plays, take_turn
from .imagined import shuffle_pool, sort_candidates
from .inputs import note_habit
from .layout import Numbers
from .opinions import choose_by_opinion, look_at_choices, place_of_last, worth_of
from .planned import choose_planned
from .plans import forget_when_full
from .plays import high_of, low_of

# The prior for the mean cost of the others' decisions, in hundredths of a turn, and the number of
# decisions that it counts for.
_GUESSED_COST = 5
_GUESSES = 3


def _give(dream: Numbers, seat: int, card: int) -> None:
    dream[P.D_HANDS + 2 * seat] += low_of(card)
    dream[P.D_HANDS + 2 * seat + 1] += high_of(card)


def deal_unknown(dream: Numbers) -> None:
    """Deal the unknown cards to the other seats."""
    shuffle_pool(dream)
    players = dream[P.D_PLAYERS]
    at = P.SCRATCH
    for step in range(1, players):
        seat = (dream[P.D_SEAT] + step) % players
        dream[P.D_HANDS + 2 * seat] = 0
        dream[P.D_HANDS + 2 * seat + 1] = 0
        if dream[P.D_OUT] >> seat & 1:
            continue
        known = dream[P.D_KNOWN + seat]
        for i in range(known):
            _give(dream, seat, dream[P.D_KNOWN_CARDS + 32 * seat + i])
        for i in range(at, at + dream[P.D_SIZES + seat] - known):
            _give(dream, seat, dream[i])
        at += dream[P.D_SIZES + seat] - known


def list_candidate(work: Numbers, dream: Numbers, number: int, at: int) -> int:
    """Write a candidate to the list at index `at`; return that index, or -1 for a pass."""
    work[L.LIST_LOW + at] = dream[P.D_PLAYS + 2 * number]
    work[L.LIST_HIGH + at] = dream[P.D_PLAYS + 2 * number + 1]
    return at if work[L.LIST_HIGH + at] else -1


def stand(work: Numbers, dream: Numbers, notes: Numbers) -> None:
    """Set `work` to the deal before the decision, and `notes` to the seats' habits until then."""
    for i in range(M.HABITS):
        notes[i] = dream[P.D_HABITS + i]
    me = dream[P.D_SEAT]
    work[L.PLAYERS] = dream[P.D_PLAYERS]
    for seat in range(dream[P.D_PLAYERS]):
        work[L.HANDS + 2 * seat] = dream[P.D_HANDS + 2 * seat]
        work[L.HANDS + 2 * seat + 1] = dream[P.D_HANDS + 2 * seat + 1]
        work[L.HIDDEN + seat] = 0
    work[L.TURN] = me
    work[L.LEADER] = me
    work[L.TOP_LOW] = dream[P.D_TOP_LOW]
    work[L.TOP_HIGH] = dream[P.D_TOP_HIGH]
    work[L.TOP_BY] = dream[P.D_TOP_BY]
    work[L.LOCKED] = dream[P.D_LOCKED]
    work[L.PASSED] = dream[P.D_PASSED]
    work[L.UNPLAYED] = dream[P.D_UNPLAYED]
    work[L.UNPLAYED + 1] = dream[P.D_UNPLAYED + 1]
    work[L.OUT] = dream[P.D_OUT]
    work[L.FIRST] = 0
    work[L.MUST] = -1
    work[L.PLAYED] = 0
    work[L.FINISHED] = 0
    work[L.EVENTS] = 0
    work[L.TURNS] = 0
    work[L.OWED] = 0
    work[L.CHANGES] = 0
    work[L.FAULT] = 0


def earned(work: Numbers, dream: Numbers) -> int:
    """Return the money that the seat has won by chops so far, in hundredths of a turn."""
    money = 0
    for i in range(work[L.EVENTS]):
        at = L.EVENT_LOG + L.EVENT * i
        on = work[at + 5]
        if work[at] == L.BOMB and on and on >> L.SHAPE_AT != work[at + 3] >> L.SHAPE_AT:
            if work[at + 1] == dream[P.D_SEAT]:
                money += dream[P.D_CHOP]
            if work[at + 6] == dream[P.D_SEAT]:
                money -= dream[P.D_CHOP]
    return money


def _place(work: Numbers, dream: Numbers) -> int:
    """Return the reward of the seat's place once the game is over for it."""
    gone = 0
    for seat in range(dream[P.D_PLAYERS]):
        gone += dream[P.D_OUT] >> seat & 1
    place = dream[P.D_PLAYERS] - 1
    for i in range(work[L.FINISHED]):
        if work[L.ENDED + i] == dream[P.D_SEAT]:
            place = gone + i
    return dream[P.D_REWARDS + place]


def _reward_of(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    work: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    number: int,
) -> int:
    """Return the deciding seat's reward for a candidate in this deal, times CERTAIN.

    The others play as planners, the seat plays the choices that the network rates best. After D_FAR
    such choices the network's opinion stands for the rest of the game.
    """
    me = dream[P.D_SEAT]
    stand(work, dream, notes)
    i = list_candidate(work, dream, number, 0)
    far = dream[P.D_FAR]
    while True:
        note_habit(work, notes, i)
        over = take_turn(rules, work, i)
        # Another seat may still chop the play that this seat went out with.
        if over or (work[L.OUT] >> me & 1 and work[L.TOP_BY] != me):
            break
        n = list_plays(rules, work)
        if work[L.FAULT]:
            break
        if n < 2 and (n == 0 or not work[L.TOP_HIGH]):
            i = n - 1
            continue
        if work[L.TURN] != me:
            i = choose_planned(rules, plan, work, n)
            continue
        i = place_of_last(work, n)
        if i < 0:
            worth = choose_by_opinion(rules, plan, work, dream, notes, mind, sums, n)
            if not far:
                return worth + M.CERTAIN * earned(work, dream)
            far -= 1
            i = notes[M.N_BEST_CHOICE]
    return M.CERTAIN * (_place(work, dream) + earned(work, dream))


def _trust(dream: Numbers, past: Numbers, share: int) -> int:
    """Return the number of deals that the network's opinion counts for.

    Imagined games assume planners. The more the others' decisions would have cost planners, the
    more the network counts instead. A prior makes up for seeing few decisions.
    """
    cost = _GUESSES * _GUESSED_COST
    count = _GUESSES
    if share:
        count += past[H.H_DECISIONS]
        for step in range(1, dream[P.D_PLAYERS]):
            cost += past[H.H_REGRETS + (dream[P.D_SEAT] + step) % dream[P.D_PLAYERS]]
    return max(dream[P.D_TRUST], dream[P.D_DOUBT] * cost * cost // (count * count))


def foresee(
    rules: Numbers,
    plan: Numbers,
    dream: Numbers,
    work: Numbers,
    notes: Numbers,
    mind: Numbers,
    sums: Numbers,
    past: Numbers,
) -> int:
    """Weigh a decision's plays by the network and by imagined games; return the best one's number.

    The network picks the plays to imagine, as many as the first round takes. H_SHARE percent of the
    deals explain the past; the others are random.
    """
    candidates = dream[P.D_CANDIDATES]
    forget_when_full(plan)
    deal_unknown(dream)  # The network sees only the number of cards in these hands.
    stand(work, dream, notes)
    own = look_at_choices(rules, work, notes, mind, sums)
    for number in range(candidates):
        i = list_candidate(work, dream, number, number)
        worth = worth_of(rules, plan, work, dream, notes, mind, sums, own, i)
        row = P.CANDIDATES + P.CANDIDATE * number
        dream[row + P.C_SCORE] = worth
        dream[row + P.C_TOTAL] = worth
        dream[P.ORDER + number] = number
    sort_candidates(dream, candidates)
    share = past[H.H_SHARE] if past[H.H_DECISIONS] and dream[P.D_ROUNDS] else 0
    explained = 0
    if share:
        deal_explained(rules, plan, work, dream, past)
    trust = _trust(dream, past, share)
    for number in range(candidates):
        dream[P.CANDIDATES + P.CANDIDATE * number + P.C_TOTAL] *= trust
    for turn in range(dream[P.D_ROUNDS]):
        candidates = min(candidates, dream[P.D_ROUND + 2 * turn])
        for _ in range(dream[P.D_ROUND + 2 * turn + 1]):
            forget_when_full(plan)
            explained += share
            if explained >= 100:
                explained -= 100
                explain_next(rules, plan, work, dream, past)
            else:
                deal_unknown(dream)
            for i in range(candidates):
                number = dream[P.ORDER + i]
                dream[P.CANDIDATES + P.CANDIDATE * number + P.C_TOTAL] += _reward_of(
                    rules, plan, dream, work, notes, mind, sums, number
                )
        sort_candidates(dream, candidates)
    return dream[P.ORDER]
