"""The inputs of the master's network for a choice, taken from the kernels' arrays.

An input is the number of a column of the first layer. The active inputs are listed in an array: a
kernel that appends to it takes the index `n` of the next free slot and returns the new one.
"""

from . import layout as L
from . import mind_layout as M
from . import plan_layout as P
from .games import after_seat
from .layout import Numbers
from .plans import divide
from .plays import byte_of, number_of_cards, ranks_of


def forget_habits(notes: Numbers) -> None:
    """Reset the habits of all seats at the start of a game."""
    for seat in range(8):
        notes[M.N_LET_SINGLE + seat] = M.NOTHING
        notes[M.N_LET_PAIR + seat] = M.NOTHING
        notes[M.N_SINGLES + seat] = 0


def note_habit(work: Numbers, notes: Numbers, i: int) -> None:
    """Update the habits of the seat to act, which plays listed play `i` or passes (-1)."""
    seat = work[L.TURN]
    if i >= 0:
        if work[L.LIST_HIGH + i] >> L.SHAPE_AT == 1:
            notes[M.N_SINGLES + seat] |= 1 << (work[L.LIST_HIGH + i] >> L.CODE_AT + 2 & 15)
        return
    shape = work[L.TOP_HIGH] >> L.SHAPE_AT
    if seat == work[L.TOP_BY] or not 1 <= shape <= 2:
        return
    let = M.N_LET_SINGLE if shape == 1 else M.N_LET_PAIR
    notes[let + seat] = min(notes[let + seat], work[L.TOP_HIGH] >> L.CODE_AT + 2 & 15)


def _suits_inputs(byte: int, first: int, into: Numbers, n: int) -> int:
    """Append an input for each card of a rank; `first` is the input of its lowest suit."""
    for suit in range(4):
        if byte >> 2 * suit & 3:
            into[n] = first + suit
            n += 1
    return n


def cards_inputs(
    rules: Numbers, low: int, high: int, cards: int, counts: int, into: Numbers, n: int
) -> int:
    """Append inputs for the cards of a set (from `cards` on) and the ranks' counts (`counts`)."""
    for rank in range(13):
        byte = byte_of(low, high, rank)
        if byte:
            n = _suits_inputs(byte, cards + 4 * rank, into, n)
            for count in range(rules[L.BYTE_CARDS + byte]):
                into[n] = counts + 4 * rank + count
                n += 1
    return n


def hand_inputs(rules: Numbers, low: int, high: int, into: Numbers, n: int) -> int:
    """Append the inputs of the hand of the seat to act."""
    return cards_inputs(rules, low, high, M.I_OWN, M.I_OWN_COUNT, into, n)


def played_inputs(rules: Numbers, work: Numbers, i: int, into: Numbers, n: int) -> int:
    """Append the inputs of the hand that listed play `i` removes."""
    low = work[L.LIST_LOW + i]
    high = work[L.LIST_HIGH + i] & L.HIGH_MASK
    turn = work[L.TURN]
    for rank in range(13):
        byte = byte_of(low, high, rank)
        if byte:
            n = _suits_inputs(byte, M.I_OWN + 4 * rank, into, n)
            held = rules[
                L.BYTE_CARDS + byte_of(work[L.HANDS + 2 * turn], work[L.HANDS + 2 * turn + 1], rank)
            ]
            for count in range(held - rules[L.BYTE_CARDS + byte], held):
                into[n] = M.I_OWN_COUNT + 4 * rank + count
                n += 1
    return n


def _up_to(first: int, number: int, most: int, into: Numbers, n: int) -> int:
    """Append `number` inputs from `first` on, at most `most`."""
    for at in range(first, first + min(number, most)):
        into[n] = at
        n += 1
    return n


def common_inputs(rules: Numbers, work: Numbers, notes: Numbers, into: Numbers, n: int) -> int:
    """Append the inputs that are the same for all choices; fill in the notes that choices need."""
    turn = work[L.TURN]
    players = work[L.PLAYERS]
    low = work[L.UNPLAYED] - work[L.HANDS + 2 * turn]
    high = work[L.UNPLAYED + 1] - work[L.HANDS + 2 * turn + 1]
    _note_sizes(work, notes)
    note_best(rules, low, high, notes)
    n = cards_inputs(rules, low, high, M.I_UNSEEN, M.I_UNSEEN_COUNT, into, n)
    for step in range(1, 4):
        other = M.I_OTHER * (step - 1)
        size = 0
        seat = (turn + step) % players
        if step < players:
            size = min(notes[M.N_SIZES + seat], M.MOST_CARDS)
        into[n] = M.I_COUNT + other + size
        n += 1
        if not size:
            continue
        if notes[M.N_LET_SINGLE + seat] < M.NOTHING:
            into[n] = M.I_PASSED + other + notes[M.N_LET_SINGLE + seat]
            n += 1
        if notes[M.N_LET_PAIR + seat] < M.NOTHING:
            into[n] = M.I_PASSED + other + 13 + notes[M.N_LET_PAIR + seat]
            n += 1
        for rank in range(13):
            if notes[M.N_SINGLES + seat] >> rank & 1:
                into[n] = M.I_SINGLES + other + rank
                n += 1
    gone = 0
    for seat in range(players):
        gone += work[L.OUT] >> seat & 1
    into[n] = M.I_PLACED + min(gone, 2)
    into[n + 1] = M.I_PLAYERS + players - 2
    n += 2
    if rules[L.FORWARD]:
        into[n] = M.I_FORWARD
        n += 1
    if notes[M.N_BEST + 4] >= 0:
        into[n] = M.I_BOMB
        n += 1
    if notes[M.N_BEST + 35] >= 0:
        into[n] = M.I_BOMB + 1
        n += 1
    return n


def _note_sizes(work: Numbers, notes: Numbers) -> None:
    """Note each seat's number of cards as the seat to act can count it; 0 if it is out."""
    for seat in range(work[L.PLAYERS]):
        cards = 0
        if not work[L.OUT] >> seat & 1:
            cards = number_of_cards(work[L.HANDS + 2 * seat], work[L.HANDS + 2 * seat + 1])
            if seat != work[L.TURN]:
                cards = max(cards - work[L.HIDDEN + seat], 1)
        notes[M.N_SIZES + seat] = cards


def note_best(rules: Numbers, low: int, high: int, notes: Numbers) -> None:
    """Note, by shape, the highest card of the best play in a set of cards, or -1."""
    for shape in range(64):
        notes[M.N_BEST + shape] = -1
    straight = 0
    pairs = 0
    for rank in range(13):
        byte = byte_of(low, high, rank)
        count = rules[L.BYTE_CARDS + byte]
        if not count:
            straight = 0
            pairs = 0
            continue
        top = 4 * rank + highest_suit(byte)
        for shape in range(1, count + 1):
            notes[M.N_BEST + shape] = top
        if rank < 12:
            straight += 1
            pairs = pairs + 1 if count > 1 else 0
            for length in range(3, straight + 1):
                notes[M.N_BEST + 16 + length] = top
            for length in range(3, min(pairs, 6) + 1):
                notes[M.N_BEST + 32 + length] = top


def highest_suit(byte: int) -> int:
    """Return the highest suit of a rank's cards, 0 if there are none."""
    suit = 3
    while suit and not byte >> 2 * suit & 3:
        suit -= 1
    return suit


def _is_sure(plan: Numbers, notes: Numbers, shape: int, top: int, reach: int) -> bool:
    """Return whether no hand of up to `reach` cards can have a higher play of the shape."""
    return plan[P.CARDS + (shape << 6)] > reach or notes[M.N_BEST + shape] < top


def choice_inputs(
    rules: Numbers, plan: Numbers, work: Numbers, notes: Numbers, i: int, into: Numbers, n: int
) -> int:
    """Append the inputs that describe the position after listed play `i`, or a pass (-1).

    The inputs of the hand itself are not among them.
    """
    turn = work[L.TURN]
    low = work[L.HANDS + 2 * turn]
    high = work[L.HANDS + 2 * turn + 1]
    code = work[L.TOP_HIGH] >> L.CODE_AT
    by = work[L.TOP_BY]
    locked = work[L.LOCKED]
    ends = False
    if i >= 0:
        code = work[L.LIST_HIGH + i] >> L.CODE_AT
        by = turn
        low -= work[L.LIST_LOW + i]
        high -= work[L.LIST_HIGH + i] & L.HIGH_MASK
    elif by == turn:
        ends = True
    else:
        locked |= 1 << turn
    n = _kept_inputs(rules, plan, work, notes, low, high, into, n)
    players = work[L.PLAYERS]
    after = by
    if not ends:
        after = after_seat(turn, locked | work[L.OUT] | 1 << by, players)
        if after < 0:
            after = by
            if work[L.OUT] >> by & 1:
                after = after_seat(by, work[L.OUT], players)
                ends = True
            elif not rules[L.FORWARD]:
                ends = True
    into[n] = M.I_NEXT + (after - turn) % players
    n += 1
    if ends:
        into[n] = M.I_TOP_SHAPE
        return n + 1
    able = 0
    for step in range(1, players):
        seat = (turn + step) % players
        if locked >> seat & 1:
            into[n] = M.I_LOCKED + M.I_OTHER * (step - 1)
            n += 1
        elif seat != by:
            able = max(able, notes[M.N_SIZES + seat])
    shape = code >> 6
    top = code & 63
    into[n] = M.I_OWNER + (by - turn) % players
    into[n + 1] = M.I_TOP_SHAPE + _kind(shape)
    into[n + 2] = M.I_TOP_RANK + 13 * min(shape - 1, 2) + (top >> 2)
    n += 3
    if shape <= 2:
        n = _up_to(M.I_ABOVE, _unseen_above(rules, work, top), 8, into, n)
    if _is_sure(plan, notes, shape, top, able):
        into[n] = M.I_TOP_SURE
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
    """Append the inputs for a hand's groups and for how many of them are unbeatable."""
    longest = 0
    for seat in range(work[L.PLAYERS]):
        if seat != work[L.TURN]:
            longest = max(longest, notes[M.N_SIZES + seat])
    ranks = ranks_of(low, high)
    groups = divide(rules, plan, ranks, notes, M.N_GROUPS)
    sure = 0
    for i in range(groups):
        group = notes[M.N_GROUPS + i]
        rank = group & 15
        shape = group >> 4
        if shape <= 4:
            into[n] = M.I_GROUP + 13 * (shape - 1) + rank
            n += 1
        elif rank > 11:
            continue
        elif shape < 32:
            into[n] = M.I_STRAIGHT + 12 * (shape - 19) + rank
            n += 1
        elif shape < 39:
            into[n] = M.I_PAIR_RUN + 12 * (shape - 35) + rank
            n += 1
        if _is_sure(
            plan, notes, shape, rank << 2 | highest_suit(byte_of(low, high, rank)), longest
        ):
            sure += 1
    n = _up_to(M.I_GROUPS, groups, 10, into, n)
    n = _up_to(M.I_SURE, sure, 6, into, n)
    n = _up_to(M.I_DOUBTFUL, groups - sure, 8, into, n)
    cards = 0
    for rank in range(13):
        cards += ranks >> 4 * rank & 15
    into[n] = M.I_HAVE + min(cards, M.MOST_CARDS)
    return n + 1


def _unseen_above(rules: Numbers, work: Numbers, card: int) -> int:
    """Return the number of higher cards that are neither played nor held by the seat to act."""
    low = work[L.UNPLAYED] - work[L.HANDS + 2 * work[L.TURN]]
    high = work[L.UNPLAYED + 1] - work[L.HANDS + 2 * work[L.TURN] + 1]
    rank = card >> 2
    cards = rules[L.BYTE_CARDS + (byte_of(low, high, rank) >> 2 * (card & 3) + 2)]
    for other in range(rank + 1, 13):
        cards += rules[L.BYTE_CARDS + byte_of(low, high, other)]
    return cards


def _kind(shape: int) -> int:
    """Return the position of a shape among the inputs from I_TOP_SHAPE on."""
    if shape <= 4:
        return shape
    if shape < 32:
        return min(shape - 14, 14)
    return min(shape - 20, 18) if shape < 48 else 19
