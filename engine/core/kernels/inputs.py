"""What a network is told of a choice: `engine.bots.features` on the kernels' arrays.

Inputs are numbers of columns; a list of them is written into an array from some place on. Kernels
that append to it get how many there are and return how many there are then.
"""

from engine.core.kernels.games import after_seat
from engine.core.kernels.layout import (
    BYTE_CARDS,
    CODE_AT,
    FORWARD,
    HANDS,
    HIDDEN,
    HIGH_MASK,
    LIST_HIGH,
    LIST_LOW,
    LOCKED,
    OUT,
    PLAYERS,
    SHAPE_AT,
    TOP_BY,
    TOP_HIGH,
    TURN,
    UNPLAYED,
)
from engine.core.kernels.mind_layout import (
    I_ABOVE,
    I_BOMB,
    I_COUNT,
    I_DOUBTFUL,
    I_FORWARD,
    I_GROUP,
    I_GROUPS,
    I_HAVE,
    I_LOCKED,
    I_NEXT,
    I_OTHER,
    I_OWN,
    I_OWN_COUNT,
    I_OWNER,
    I_PAIR_RUN,
    I_PASSED,
    I_PLACED,
    I_PLAYERS,
    I_SINGLES,
    I_STRAIGHT,
    I_SURE,
    I_TOP_RANK,
    I_TOP_SHAPE,
    I_TOP_SURE,
    I_UNSEEN,
    I_UNSEEN_COUNT,
    MOST_CARDS,
    N_BEST,
    N_GROUPS,
    N_LET_PAIR,
    N_LET_SINGLE,
    N_SINGLES,
    N_SIZES,
    NOTHING,
)
from engine.core.kernels.plan_layout import CARDS
from engine.core.kernels.planned import ranks_of
from engine.core.kernels.plans import divide
from engine.core.kernels.plays import byte_of

Numbers = list[int]


def forget_habits(notes: Numbers) -> None:
    """Begin a game: nobody has passed or played yet."""
    for seat in range(8):
        notes[N_LET_SINGLE + seat] = NOTHING
        notes[N_LET_PAIR + seat] = NOTHING
        notes[N_SINGLES + seat] = 0


def note_habit(work: Numbers, notes: Numbers, i: int) -> None:
    """Remember what the seat to act does: it plays a listed play, or passes (-1)."""
    seat = work[TURN]
    if i >= 0:
        if work[LIST_HIGH + i] >> SHAPE_AT == 1:
            notes[N_SINGLES + seat] |= 1 << (work[LIST_HIGH + i] >> CODE_AT + 2 & 15)
        return
    shape = work[TOP_HIGH] >> SHAPE_AT
    if seat == work[TOP_BY] or not 1 <= shape <= 2:
        return
    let = N_LET_SINGLE if shape == 1 else N_LET_PAIR
    notes[let + seat] = min(notes[let + seat], work[TOP_HIGH] >> CODE_AT + 2 & 15)


def _suits_inputs(byte: int, first: int, into: Numbers, n: int) -> int:
    """Append each card of a rank; `first` is the input of the lowest suit."""
    for suit in range(4):
        if byte >> 2 * suit & 3:
            into[n] = first + suit
            n += 1
    return n


def cards_inputs(
    rules: Numbers, low: int, high: int, cards: int, counts: int, into: Numbers, n: int
) -> int:
    """Append each card of a set, and of each rank how many there are."""
    for rank in range(13):
        byte = byte_of(low, high, rank)
        if byte:
            n = _suits_inputs(byte, cards + 4 * rank, into, n)
            for count in range(rules[BYTE_CARDS + byte]):
                into[n] = counts + 4 * rank + count
                n += 1
    return n


def hand_inputs(rules: Numbers, low: int, high: int, into: Numbers, n: int) -> int:
    """Append the own cards."""
    return cards_inputs(rules, low, high, I_OWN, I_OWN_COUNT, into, n)


def played_inputs(rules: Numbers, work: Numbers, i: int, into: Numbers, n: int) -> int:
    """Append what the own cards lose by a listed play."""
    low = work[LIST_LOW + i]
    high = work[LIST_HIGH + i] & HIGH_MASK
    turn = work[TURN]
    for rank in range(13):
        byte = byte_of(low, high, rank)
        if byte:
            n = _suits_inputs(byte, I_OWN + 4 * rank, into, n)
            held = rules[
                BYTE_CARDS + byte_of(work[HANDS + 2 * turn], work[HANDS + 2 * turn + 1], rank)
            ]
            for count in range(held - rules[BYTE_CARDS + byte], held):
                into[n] = I_OWN_COUNT + 4 * rank + count
                n += 1
    return n


def _up_to(first: int, number: int, most: int, into: Numbers, n: int) -> int:
    """Append so many inputs, at most all there are for a number."""
    for at in range(first, first + min(number, most)):
        into[n] = at
        n += 1
    return n


def common_inputs(rules: Numbers, work: Numbers, notes: Numbers, into: Numbers, n: int) -> int:
    """Append what no choice of the seat to act changes, and note what all of them need."""
    turn = work[TURN]
    players = work[PLAYERS]
    low = work[UNPLAYED] - work[HANDS + 2 * turn]
    high = work[UNPLAYED + 1] - work[HANDS + 2 * turn + 1]
    _note_sizes(rules, work, notes)
    note_best(rules, low, high, notes)
    n = cards_inputs(rules, low, high, I_UNSEEN, I_UNSEEN_COUNT, into, n)
    for step in range(1, 4):
        other = I_OTHER * (step - 1)
        size = 0
        seat = (turn + step) % players
        if step < players:
            size = min(notes[N_SIZES + seat], MOST_CARDS)
        into[n] = I_COUNT + other + size
        n += 1
        if not size:
            continue
        if notes[N_LET_SINGLE + seat] < NOTHING:
            into[n] = I_PASSED + other + notes[N_LET_SINGLE + seat]
            n += 1
        if notes[N_LET_PAIR + seat] < NOTHING:
            into[n] = I_PASSED + other + 13 + notes[N_LET_PAIR + seat]
            n += 1
        for rank in range(13):
            if notes[N_SINGLES + seat] >> rank & 1:
                into[n] = I_SINGLES + other + rank
                n += 1
    gone = 0
    for seat in range(players):
        gone += work[OUT] >> seat & 1
    into[n] = I_PLACED + min(gone, 2)
    into[n + 1] = I_PLAYERS + players - 2
    n += 2
    if rules[FORWARD]:
        into[n] = I_FORWARD
        n += 1
    if notes[N_BEST + 4] >= 0:
        into[n] = I_BOMB
        n += 1
    if notes[N_BEST + 35] >= 0:
        into[n] = I_BOMB + 1
        n += 1
    return n


def _note_sizes(rules: Numbers, work: Numbers, notes: Numbers) -> None:
    """Note how many cards each seat holds as far as the seat to act knows, 0 for who is out."""
    for seat in range(work[PLAYERS]):
        cards = 0
        if not work[OUT] >> seat & 1:
            for rank in range(13):
                cards += rules[
                    BYTE_CARDS + byte_of(work[HANDS + 2 * seat], work[HANDS + 2 * seat + 1], rank)
                ]
            if seat != work[TURN]:
                cards = max(cards - work[HIDDEN + seat], 1)
        notes[N_SIZES + seat] = cards


def note_best(rules: Numbers, low: int, high: int, notes: Numbers) -> None:
    """Note by shape the highest card of the best play that a set makes, -1 for none."""
    for shape in range(64):
        notes[N_BEST + shape] = -1
    straight = 0
    pairs = 0
    for rank in range(13):
        byte = byte_of(low, high, rank)
        count = rules[BYTE_CARDS + byte]
        if not count:
            straight = 0
            pairs = 0
            continue
        top = 4 * rank + highest_suit(byte)
        for shape in range(1, count + 1):
            notes[N_BEST + shape] = top
        if rank < 12:
            straight += 1
            pairs = pairs + 1 if count > 1 else 0
            for length in range(3, straight + 1):
                notes[N_BEST + 16 + length] = top
            for length in range(3, min(pairs, 6) + 1):
                notes[N_BEST + 32 + length] = top


def highest_suit(byte: int) -> int:
    """Return the highest suit of a rank's cards, 0 where there are none."""
    suit = 3
    while suit and not byte >> 2 * suit & 3:
        suit -= 1
    return suit


def _is_sure(plan: Numbers, notes: Numbers, shape: int, top: int, reach: int) -> bool:
    """Tell whether no hand of up to so many cards has anything higher of the shape."""
    return plan[CARDS + (shape << 6)] > reach or notes[N_BEST + shape] < top


def choice_inputs(
    rules: Numbers, plan: Numbers, work: Numbers, notes: Numbers, i: int, into: Numbers, n: int
) -> int:
    """Append what a listed play, or a pass (-1), leaves; the own cards are not among it."""
    turn = work[TURN]
    low = work[HANDS + 2 * turn]
    high = work[HANDS + 2 * turn + 1]
    code = work[TOP_HIGH] >> CODE_AT
    by = work[TOP_BY]
    locked = work[LOCKED]
    ends = False
    if i >= 0:
        code = work[LIST_HIGH + i] >> CODE_AT
        by = turn
        low -= work[LIST_LOW + i]
        high -= work[LIST_HIGH + i] & HIGH_MASK
    elif by == turn:
        ends = True
    else:
        locked |= 1 << turn
    n = _kept_inputs(rules, plan, work, notes, low, high, into, n)
    players = work[PLAYERS]
    after = by
    if not ends:
        after = after_seat(turn, locked | work[OUT] | 1 << by, players)
        if after < 0:
            after = by
            if work[OUT] >> by & 1:
                after = after_seat(by, work[OUT], players)
                ends = True
            elif not rules[FORWARD]:
                ends = True
    into[n] = I_NEXT + (after - turn) % players
    n += 1
    if ends:
        into[n] = I_TOP_SHAPE
        return n + 1
    able = 0
    for step in range(1, players):
        seat = (turn + step) % players
        if locked >> seat & 1:
            into[n] = I_LOCKED + I_OTHER * (step - 1)
            n += 1
        elif seat != by:
            able = max(able, notes[N_SIZES + seat])
    shape = code >> 6
    top = code & 63
    into[n] = I_OWNER + (by - turn) % players
    into[n + 1] = I_TOP_SHAPE + _kind(shape)
    into[n + 2] = I_TOP_RANK + 13 * min(shape - 1, 2) + (top >> 2)
    n += 3
    if shape <= 2:
        n = _up_to(I_ABOVE, _unseen_above(rules, work, top), 8, into, n)
    if _is_sure(plan, notes, shape, top, able):
        into[n] = I_TOP_SURE
        n += 1
    return n


def _kept_inputs(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    notes: Numbers,
    low: int,
    high: int,
    into: Numbers,
    n: int,
) -> int:
    """Append the groups of a hand, and how many of them nobody can beat."""
    longest = 0
    for seat in range(work[PLAYERS]):
        if seat != work[TURN]:
            longest = max(longest, notes[N_SIZES + seat])
    ranks = ranks_of(rules, low, high)
    groups = divide(rules, plan, ranks, notes, N_GROUPS)
    sure = 0
    for i in range(groups):
        group = notes[N_GROUPS + i]
        rank = group & 15
        shape = group >> 4
        if shape <= 4:
            into[n] = I_GROUP + 13 * (shape - 1) + rank
            n += 1
        elif rank > 11:
            continue
        elif shape < 32:
            into[n] = I_STRAIGHT + 12 * (shape - 19) + rank
            n += 1
        elif shape < 39:
            into[n] = I_PAIR_RUN + 12 * (shape - 35) + rank
            n += 1
        if _is_sure(
            plan, notes, shape, rank << 2 | highest_suit(byte_of(low, high, rank)), longest
        ):
            sure += 1
    n = _up_to(I_GROUPS, groups, 10, into, n)
    n = _up_to(I_SURE, sure, 6, into, n)
    n = _up_to(I_DOUBTFUL, groups - sure, 8, into, n)
    cards = 0
    for rank in range(13):
        cards += ranks >> 4 * rank & 15
    into[n] = I_HAVE + min(cards, MOST_CARDS)
    return n + 1


def _unseen_above(rules: Numbers, work: Numbers, card: int) -> int:
    """Return how many cards above one are neither played nor held by the seat to act."""
    low = work[UNPLAYED] - work[HANDS + 2 * work[TURN]]
    high = work[UNPLAYED + 1] - work[HANDS + 2 * work[TURN] + 1]
    rank = card >> 2
    cards = rules[BYTE_CARDS + (byte_of(low, high, rank) >> 2 * (card & 3) + 2)]
    for other in range(rank + 1, 13):
        cards += rules[BYTE_CARDS + byte_of(low, high, other)]
    return cards


def _kind(shape: int) -> int:
    """Return the number of a shape among the inputs."""
    if shape <= 4:
        return shape
    if shape < 32:
        return min(shape - 14, 14)
    return min(shape - 20, 18) if shape < 48 else 19
