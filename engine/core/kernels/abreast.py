"""Games side by side for learners: actions by number in, observations and legal numbers out.

The numbers are those of `engine.adapters.actions` and `engine.adapters.observations`. Each game is
a row of its own; all take turns in `work`.
"""

from . import layout as L
from .games import (
    choose_play,
    deal_hands,
    list_plays,
    may_win_as_dealt,
    start_game,
    take_turn,
)
from .layout import Numbers
from .plays import number_of_cards

# A row: the position as in `work`, the cards that opponents do not count, the hands as dealt, the
# cards that each seat has played, and the log of events.
ROW_HIDDEN = 48
ROW_DEALT = 56
ROW_PLAYED = 72
ROW_OVER = 88  # 1: the game is over; 2: its lists overflowed, and it has no result
ROW_COUNT = 89  # number of legal actions
ROW_CHOICE = 90
ROW_DONE = 91  # what ROW_OVER was before the next deal
ROW_LEADER = 92  # the seat that led first
ROW_PLACE = 96  # by seat, once the game is over: its place from 1 on; who shares it has the same
ROW_WORTH = 104  # by seat, likewise: how many more it left behind it than before it
ROW_EVENTS = 112
ROW_SIZE = ROW_EVENTS + L.EVENT * L.MOST_EVENTS_OF_GAME
# A row of legal actions: each is its number and the play that it stands for, as two words. A slot
# for each number follows the last row.
MOST_ACTIONS = 1315
LEGAL = 3
LEGAL_LOW = 1
LEGAL_HIGH = 2
LEGAL_SIZE = LEGAL * MOST_ACTIONS
OUTSIDE = -1  # the policy of a seat that is asked
_FIRSTS = 0x5555555555555555
# What `step_games` does.
ACT = 1  # carry out the actions, and play on to the next seat that is asked
AGAIN = 2  # deal anew where a game is over
LOOK = 4  # list and encode
# An observation.
SEEN_TOP = 52
SEEN_PLAYED = 104
SEEN_LEFT = 520
SEEN_PLACE = 528
SEEN_AT_TABLE = 536
SEEN_LOCKED = 544
SEEN_TOP_BY = 552
SEEN_TO_ACT = 560
SEEN_MUST = 568
SEEN_PHASE = 620
SEEN_FLAGS = 624
SEEN_SIZE = 627


def number_of_play(high: int) -> int:
    """Return the action number of a play, by its upper word."""
    code = high >> L.CODE_AT
    shape = code >> 6
    top = code & 63
    if shape <= 4:
        return 3 + 52 * (shape - 1) + top
    kind = shape >> 4
    ranks = shape & 15
    least = 2 if kind == 3 else 3
    first = 211 + 264 * (kind - 1)
    shorter = 56 * (ranks - least) - 2 * (ranks * (ranks - 1) - least * (least - 1))
    return first + shorter + top - 4 * (ranks - 1)


def _comes_first(low: int, high: int, other_low: int, other_high: int) -> bool:
    """Return whether a play precedes another of its number in the order of cards."""
    mine = low
    theirs = other_low
    if low == other_low:
        mine = high & L.HIGH_MASK
        theirs = other_high & L.HIGH_MASK
    lowest = (mine ^ theirs) & -(mine ^ theirs)
    card = lowest | lowest << 1 if lowest & _FIRSTS else lowest | lowest >> 1
    return mine & card > theirs & card


def _load(work: Numbers, rows: Numbers, row: int) -> None:
    for i in range(48):
        work[i] = rows[row + i]
    for i in range(8):
        work[L.HIDDEN + i] = rows[row + ROW_HIDDEN + i]
    for i in range(L.EVENT * work[L.EVENTS]):
        work[L.EVENT_LOG + i] = rows[row + ROW_EVENTS + i]


def _save(work: Numbers, rows: Numbers, row: int) -> None:
    for i in range(48):
        rows[row + i] = work[i]
    for i in range(L.EVENT * work[L.EVENTS]):
        rows[row + ROW_EVENTS + i] = work[L.EVENT_LOG + i]


def _turn(rules: Numbers, work: Numbers, rows: Numbers, row: int, i: int) -> bool:
    """Play listed play `i`, or pass (-1); return whether the game is over."""
    if i >= 0:
        at = row + ROW_PLAYED + 2 * work[L.TURN]
        rows[at] += work[L.LIST_LOW + i]
        rows[at + 1] += work[L.LIST_HIGH + i] & L.HIGH_MASK
    return take_turn(rules, work, i)


def _play_on(rules: Numbers, plan: Numbers, work: Numbers, rows: Numbers, row: int) -> int:
    """Play the house's seats until another is asked; return what ROW_OVER then says."""
    while work[L.POLICIES + work[L.TURN]] != OUTSIDE:
        n = list_plays(rules, work)
        if work[L.FAULT]:
            return 2
        if _turn(rules, work, rows, row, choose_play(rules, plan, work, n) if n else -1):
            return 1
    return 0


def _write_places(rules: Numbers, work: Numbers, rows: Numbers, row: int) -> None:
    """Write the places of a game that is over, and what they are worth."""
    players = work[L.PLAYERS]
    finished = work[L.FINISHED]
    for seat in range(players):
        rows[row + ROW_PLACE + seat] = finished + 1
        rows[row + ROW_WORTH + seat] = -finished
    for i in range(finished):
        rows[row + ROW_PLACE + work[L.ENDED + i]] = i + 1
        rows[row + ROW_WORTH + work[L.ENDED + i]] = players - 1 - 2 * i
    last = work[L.ENDED + finished - 1]
    top = work[L.TOP_HIGH] >> L.CODE_AT
    if (
        rules[L.TWOS_LOSE]
        and top >> 6 < 4
        and top & 63 >= 4 * L.TWO
        and not work[L.HANDS + 2 * last]
        and not work[L.HANDS + 2 * last + 1]
    ):
        # Who goes out on 2s is last, and all others share the first place.
        for seat in range(players):
            rows[row + ROW_PLACE + seat] = 1
            rows[row + ROW_WORTH + seat] = 1
        rows[row + ROW_PLACE + last] = players
        rows[row + ROW_WORTH + last] = 1 - players


def _list_legal(rules: Numbers, work: Numbers, legal: Numbers, at: int, slots: int) -> int:
    """List the legal numbers with their plays; return their number, or -1 if a list overflows.

    The slots are 0 before and after.
    """
    n = list_plays(rules, work)
    if work[L.FAULT]:
        return -1
    count = 0
    if work[L.TOP_HIGH]:
        legal[at] = 0
        count = 1
    for i in range(n):
        low = work[L.LIST_LOW + i]
        high = work[L.LIST_HIGH + i]
        number = number_of_play(high)
        to = legal[slots + number] - 1
        if to < 0:
            to = at + LEGAL * count
            legal[slots + number] = to + 1
            legal[to] = number
            count += 1
        elif not _comes_first(low, high, legal[to + LEGAL_LOW], legal[to + LEGAL_HIGH]):
            continue
        legal[to + LEGAL_LOW] = low
        legal[to + LEGAL_HIGH] = high
    for i in range(count):
        legal[slots + legal[at + LEGAL * i]] = 0
    return count


def _write_cards(seen: Numbers, at: int, low: int, high: int) -> None:
    for i in range(4):
        _write_eight(seen, at + 8 * i, low >> 16 * i & 0xFFFF)
    for i in range(3):
        _write_eight(seen, at + 28 + 8 * i, high >> 16 * i & 0xFFFF)


def _write_eight(seen: Numbers, at: int, cards: int) -> None:
    """Write eight cards' numbers, spread to a byte each: the compiler stores them at once."""
    spread = (cards | cards << 24) & 0x000000FF000000FF
    spread = (spread | spread << 12) & 0x000F000F000F000F
    spread = (spread | spread << 6) & 0x0303030303030303
    for i in range(8):
        seen[at + i] = spread >> 8 * i & 255


def _from(own: int, seat: int, players: int) -> int:
    """Return how many seats another comes after one's own."""
    return seat - own if seat >= own else seat - own + players


def _encode(
    rules: Numbers, work: Numbers, rows: Numbers, row: int, seen: Numbers, at: int, own: int
) -> None:
    """Write what a seat sees, as `engine.adapters.observations` does; absent seats stay 0."""
    players = work[L.PLAYERS]
    over = rows[row + ROW_OVER]
    top_high = work[L.TOP_HIGH]
    for i in range(SEEN_LEFT, SEEN_SIZE):
        seen[at + i] = 0
    _write_cards(seen, at, work[L.HANDS + 2 * own], work[L.HANDS + 2 * own + 1])
    _write_cards(seen, at + SEEN_TOP, work[L.TOP_LOW], top_high & L.HIGH_MASK)
    if top_high:
        seen[at + SEEN_TOP_BY + _from(own, work[L.TOP_BY], players)] = 1
    for i in range(work[L.FINISHED]):
        seen[at + SEEN_PLACE + _from(own, work[L.ENDED + i], players)] = i + 1
    for step in range(players):
        seat = own + step if own + step < players else own + step - players
        low = work[L.HANDS + 2 * seat]
        high = work[L.HANDS + 2 * seat + 1]
        played = row + ROW_PLAYED + 2 * seat
        _write_cards(seen, at + SEEN_PLAYED + 52 * step, rows[played], rows[played + 1])
        left = number_of_cards(low, high)
        is_hidden = rules[L.HIDES_COUNTS] and step and not over and not work[L.OUT] >> seat & 1
        seen[at + SEEN_LEFT + step] = -1 if is_hidden else left
        seen[at + SEEN_AT_TABLE + step] = 1
        seen[at + SEEN_LOCKED + step] = work[L.LOCKED] >> seat & 1
        if over:
            seen[at + SEEN_PLACE + step] = rows[row + ROW_PLACE + seat]
    if over:
        seen[at + SEEN_PHASE + 3] = 1
        return
    seen[at + SEEN_TO_ACT + _from(own, work[L.TURN], players)] = 1
    seen[at + SEEN_PHASE + 2] = 1
    if work[L.FIRST] and own == work[L.TURN] and work[L.MUST] >= 0:
        seen[at + SEEN_MUST + work[L.MUST]] = 1
    seen[at + SEEN_FLAGS] = 1 if top_high and work[L.TURN] == work[L.TOP_BY] else 0


def _find(rows: Numbers, legal: Numbers, actions: Numbers, games: int) -> int:
    """Note which legal action each game's is; return the first game with an illegal one, or -1."""
    for game in range(games):
        row = ROW_SIZE * game
        at = LEGAL_SIZE * game
        rows[row + ROW_CHOICE] = -1
        for i in range(rows[row + ROW_COUNT]):
            if legal[at + LEGAL * i] == actions[game]:
                rows[row + ROW_CHOICE] = at + LEGAL * i
        if rows[row + ROW_CHOICE] < 0:
            return game
    return -1


def _act(
    rules: Numbers, plan: Numbers, work: Numbers, rows: Numbers, row: int, legal: Numbers
) -> None:
    at = rows[row + ROW_CHOICE]
    work[L.LIST_LOW] = legal[at + LEGAL_LOW]
    work[L.LIST_HIGH] = legal[at + LEGAL_HIGH]
    over = _turn(rules, work, rows, row, 0 if legal[at] else -1)
    rows[row + ROW_OVER] = 1 if over else _play_on(rules, plan, work, rows, row)
    rows[row + ROW_DONE] = rows[row + ROW_OVER]
    if rows[row + ROW_OVER] == 1:
        _write_places(rules, work, rows, row)


def _deal_row(rules: Numbers, plan: Numbers, work: Numbers, rows: Numbers, row: int) -> None:
    """Deal games in which no hand may be an instant win, until a seat is asked in one."""
    while rows[row + ROW_OVER]:
        lowest = deal_hands(rules, work)
        again = False
        if rules[L.INSTANT_WINS]:
            for seat in range(work[L.PLAYERS]):
                low = work[L.HANDS + 2 * seat]
                again = again or may_win_as_dealt(rules, low, work[L.HANDS + 2 * seat + 1])
        if again:
            continue
        start_game(rules, work, lowest & 7, lowest >> 3)
        work[L.EVENTS] = 0
        rows[row + ROW_LEADER] = lowest & 7
        for i in range(8):
            rows[row + ROW_HIDDEN + i] = work[L.HIDDEN + i]
        for i in range(16):
            rows[row + ROW_DEALT + i] = work[L.HANDS + i]
            rows[row + ROW_PLAYED + i] = 0
        rows[row + ROW_OVER] = _play_on(rules, plan, work, rows, row)


def step_games(
    rules: Numbers,
    plan: Numbers,
    work: Numbers,
    rows: Numbers,
    legal: Numbers,
    actions: Numbers,
    seen: Numbers,
    masks: Numbers,
    games: int,
    what: int,
) -> int:
    """Let all games go on by one action each; return -1, or the first game with an illegal one.

    Nothing changes then. `what` is a sum of ACT, AGAIN and LOOK. Seats to act look; without ACT and
    AGAIN, `actions` are the seats that do.
    """
    if what & ACT:
        wrong = _find(rows, legal, actions, games)
        if wrong >= 0:
            return wrong
    for game in range(games):
        row = ROW_SIZE * game
        at = LEGAL_SIZE * game
        _load(work, rows, row)
        if what & ACT:
            _act(rules, plan, work, rows, row, legal)
        if what & AGAIN:
            _deal_row(rules, plan, work, rows, row)
        if what & LOOK:
            mask = MOST_ACTIONS * game
            for i in range(rows[row + ROW_COUNT]):
                masks[mask + legal[at + LEGAL * i]] = 0
            count = 0
            while not rows[row + ROW_OVER] and not count:
                count = _list_legal(rules, work, legal, at, LEGAL_SIZE * games)
                if count < 0:
                    rows[row + ROW_OVER] = 2
                    if what & AGAIN:
                        count = 0
                        _deal_row(rules, plan, work, rows, row)
            count = max(count, 0)
            rows[row + ROW_COUNT] = count
            for i in range(count):
                masks[mask + legal[at + LEGAL * i]] = 1
            own = work[L.TURN] if what & (ACT | AGAIN) else actions[game]
            _encode(rules, work, rows, row, seen, SEEN_SIZE * game, own)
        _save(work, rows, row)
    return -1
