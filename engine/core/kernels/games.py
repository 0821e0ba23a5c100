"""Whole games of reflex bots: the turn-by-turn play of `engine.rules.trick` as kernels."""

from . import layout as L
from .dice import (
    DIE,
    next_bits,
    next_fraction,
    put_die,
    seed_dice,
    seed_die,
    take_die,
    throw_all,
)
from .layout import Numbers
from .matching import keep_allowed
from .planned import choose_planned
from .plays import (
    byte_of,
    high_of,
    list_answers,
    list_first,
    list_leads,
    list_locked_answers,
    list_suited_answers,
    low_of,
    may_hold_bombs,
    number_of_cards,
)


def after_seat(seat: int, blocked: int, players: int) -> int:
    """Return the next seat after `seat`, other than itself, that is not blocked, or -1."""
    for step in range(1, players):
        other = seat + step
        if other >= players:
            other -= players
        if not blocked >> other & 1:
            return other
    return -1


def list_plays(rules: Numbers, work: Numbers) -> int:
    """List the legal plays of the seat to act; return their number."""
    turn = work[L.TURN]
    low = work[L.HANDS + 2 * turn]
    high = work[L.HANDS + 2 * turn + 1]
    code = work[L.TOP_HIGH] >> L.CODE_AT
    if not code:
        if work[L.FIRST]:
            n = list_first(rules, work, low, high, work[L.MUST])
        else:
            n = list_leads(rules, work, low, high)
    elif work[L.LOCKED] >> turn & 1:
        n = list_locked_answers(rules, work, low, high, code)
    elif rules[L.ANSWERS_MATCH] & 1 and code >> 6 == 1:
        n = list_suited_answers(rules, work, low, high, code)
    else:
        n = list_answers(rules, work, low, high, code)
    return keep_allowed(rules, work, n, low, high) if rules[L.PARTICULAR] else n


def _roll(rules: Numbers, work: Numbers, seat: int, choices: int) -> int:
    """Return `int(random() * choices)` from the seat's die."""
    at = L.DICE + DIE * seat
    state = work[L.DIE_STATE + seat]
    if state >= L.SHARED:
        work[L.DIE_STATE + seat] += 1
        count = work[L.ALL_DICE]
        while work[L.THROWN] <= state - L.SHARED:
            throw_all(work, L.THROWS + count * work[L.THROWN], L.DEAL_DICE, count, work[L.THROWN])
            work[L.THROWN] += 1
        throw = work[L.THROWS + count * (state - L.SHARED) + work[L.DEAL_DIE] + seat]
        return int(throw * (1.0 / 9007199254740992.0) * choices)
    if state:
        seed = L.SEEDS + L.SEED * seat
        seed_die(work, at, rules, L.DIE_BASE, seed + 1, work[seed])
        work[L.DIE_STATE + seat] = 0
    return int(next_fraction(work, at) * choices)


def most_with_lowest(work: Numbers, n: int) -> int:
    """Return the index of the longest lead with the lowest card; ties go by the lowest top card."""
    in_low = work[L.LIST_LOW] != 0
    first = work[L.LIST_LOW] if in_low else work[L.LIST_HIGH] & L.HIGH_MASK
    lowest = 3 * (first & -first)
    best = 0
    appeal = -1
    for i in range(n):
        play = work[L.LIST_HIGH + i]
        if (work[L.LIST_LOW + i] if in_low else play & L.HIGH_MASK) & lowest:
            shape = play >> L.SHAPE_AT
            cards = shape if shape < 16 else (shape & 15) << (shape >> 4) - 1
            worth = 64 * cards + 63 - (play >> L.CODE_AT & 63)
            if worth > appeal:
                appeal = worth
                best = i
    return best


def choose_play(rules: Numbers, plan: Numbers, work: Numbers, n: int) -> int:
    """Return the index of the play that the seat's policy chooses of `n`, or -1 for a pass."""
    turn = work[L.TURN]
    policy = work[L.POLICIES + turn]
    if policy == L.PLANNER:
        return choose_planned(rules, plan, work, n)
    leads = work[L.TOP_HIGH] == 0
    if policy == L.RANDOM:
        choices = n if leads else n + 1
        at = _roll(rules, work, turn, choices) if choices > 1 else 0
        return at if at < n else -1
    if leads:
        return most_with_lowest(work, n) if policy == L.GREEDY else 0
    return 0 if turn != work[L.TOP_BY] else -1


def _note(work: Numbers, what: int, seat: int) -> int:
    """Append an event to the log; return its offset in `work`."""
    at = L.EVENT_LOG + L.EVENT * work[L.EVENTS]
    work[L.EVENTS] += 1
    work[at] = what
    work[at + 1] = seat
    return at


def put_down(rules: Numbers, work: Numbers, i: int) -> bool:
    """Put listed play `i` on the table; return whether it is a bomb or a straight that chops."""
    turn = work[L.TURN]
    low = work[L.LIST_LOW + i]
    high = work[L.LIST_HIGH + i]
    shape = high >> L.SHAPE_AT
    is_bomb = shape == 4 or shape >= 32
    if rules[L.LONG_STRAIGHTS] and work[L.TOP_HIGH] and shape != work[L.TOP_HIGH] >> L.SHAPE_AT:
        is_bomb = True
    if is_bomb:
        at = _note(work, L.BOMB, turn)
        work[at + 2] = low
        work[at + 3] = high
        work[at + 4] = work[L.TOP_LOW]
        work[at + 5] = work[L.TOP_HIGH]
        work[at + 6] = work[L.TOP_BY]
    work[L.HANDS + 2 * turn] -= low
    work[L.HANDS + 2 * turn + 1] -= high & L.HIGH_MASK
    work[L.UNPLAYED] -= low
    work[L.UNPLAYED + 1] -= high & L.HIGH_MASK
    work[L.TOP_LOW] = low
    work[L.TOP_HIGH] = high
    work[L.TOP_BY] = turn
    work[L.PLAYED] |= 1 << turn
    work[L.LOCKED] &= ~(1 << turn)
    work[L.PASSED] = 0
    work[L.FIRST] = 0
    return is_bomb


def _go_out(rules: Numbers, work: Numbers, seat: int) -> bool:
    """Record that a seat went out; return whether that ends the game."""
    at = _note(work, L.OUT_NOW, seat)
    work[at + 2] = work[L.PLAYED]
    work[at + 4] = work[L.TOP_LOW]
    work[at + 5] = work[L.TOP_HIGH]
    work[L.ENDED + work[L.FINISHED]] = seat
    work[L.FINISHED] += 1
    work[L.OUT] |= 1 << seat
    left = 0
    for other in range(work[L.PLAYERS]):
        left += 1 - (work[L.OUT] >> other & 1)
    top = work[L.TOP_HIGH] >> L.CODE_AT
    if rules[L.TWOS_LOSE] and top >> 6 < 4 and top & 63 >= 4 * L.TWO:
        return True
    return left == 1 or rules[L.FIRST_OUT_ENDS] != 0


def _has_three_spades(rules: Numbers, work: Numbers, seat: int) -> bool:
    """Return whether a seat has only 3♠ left where that decides the game."""
    if not rules[L.THREE_SPADES] or seat < 0:
        return False
    return work[L.HANDS + 2 * seat] == 1 and not work[L.HANDS + 2 * seat + 1]


def next_turn(rules: Numbers, work: Numbers) -> int:
    """Return the next seat to act on the top play, or -1 if the trick is over."""
    top_by = work[L.TOP_BY]
    if not rules[L.PASS_LOCKS]:
        blocked = work[L.PASSED]
    elif rules[L.LOCKED_ROW + (work[L.TOP_HIGH] >> L.CODE_AT)] >= 0:
        blocked = work[L.LOCKED] & work[L.PASSED]
    else:
        blocked = work[L.LOCKED]
    after = after_seat(work[L.TURN], blocked | work[L.OUT] | 1 << top_by, work[L.PLAYERS])
    if after >= 0:
        return after
    return top_by if rules[L.FORWARD] and not work[L.OUT] >> top_by & 1 else -1


def _log_turn(work: Numbers, n: int, i: int) -> None:
    if work[L.TURNS] < L.MOST_TURNS:
        at = L.TURN_LOG + 4 * work[L.TURNS]
        work[at] = work[L.TURN]
        work[at + 1] = work[L.LIST_LOW + i] if i >= 0 else 0
        work[at + 2] = work[L.LIST_HIGH + i] if i >= 0 else 0
        work[at + 3] = n
    work[L.TURNS] += 1


def take_turn(rules: Numbers, work: Numbers, i: int) -> bool:
    """Play listed play `i`, or pass (-1), and move the turn on; return whether the game is over."""
    turn = work[L.TURN]
    after = -1
    if i >= 0:
        top_by = work[L.TOP_BY]
        caught = top_by != turn and _has_three_spades(rules, work, top_by)
        work[L.OWED] += put_down(rules, work, i)
        is_out = not work[L.HANDS + 2 * turn] and not work[L.HANDS + 2 * turn + 1]
        if (is_out or caught) and _go_out(rules, work, turn):
            return True
        after = next_turn(rules, work)
    elif turn != work[L.TOP_BY]:
        work[L.PASSED] |= 1 << turn
        if rules[L.PASS_LOCKS]:
            work[L.LOCKED] |= 1 << turn
        after = next_turn(rules, work)
    if after >= 0:
        work[L.TURN] = after
        return False
    if work[L.OWED]:
        _note(work, L.TRICK_OVER, 0)
        work[L.OWED] = 0
    leader = work[L.TOP_BY]
    if _has_three_spades(rules, work, leader):
        return _go_out(rules, work, leader)
    if work[L.OUT] >> leader & 1:
        if rules[L.ALL_LOSE]:
            return True
        leader = after_seat(leader, work[L.OUT], work[L.PLAYERS])
    if leader != work[L.LEADER]:
        work[L.CHANGES] += 1
    work[L.LEADER] = leader
    work[L.TURN] = leader
    work[L.TOP_LOW] = 0
    work[L.TOP_HIGH] = 0
    work[L.TOP_BY] = -1
    work[L.LOCKED] = 0
    work[L.PASSED] = 0
    return False


def play_game(rules: Numbers, plan: Numbers, work: Numbers) -> int:
    """Play a game from its current position to its end; return 1 on overflow, else 0."""
    over = False
    while not over:
        n = list_plays(rules, work)
        if work[L.FAULT]:
            return 1
        i = choose_play(rules, plan, work, n) if n else -1
        _log_turn(work, n, i)
        over = take_turn(rules, work, i)
    return 0


def start_game(rules: Numbers, work: Numbers, leader: int, must: int) -> None:
    """Reset a game to its first lead; hands, policies and dice stay."""
    work[L.TURN] = leader
    work[L.LEADER] = leader
    work[L.MUST] = must
    work[L.FIRST] = 1
    work[L.OUT] = 0
    work[L.TOP_LOW] = 0
    work[L.TOP_HIGH] = 0
    work[L.TOP_BY] = -1
    work[L.LOCKED] = 0
    work[L.PASSED] = 0
    work[L.PLAYED] = 0
    work[L.CHANGES] = 0
    work[L.FINISHED] = 0
    work[L.TURNS] = 0
    work[L.FAULT] = 0
    work[L.OWED] = 0
    work[L.UNPLAYED] = rules[L.DECKS] * L.ONE_DECK_LOW
    work[L.UNPLAYED + 1] = rules[L.DECKS] * L.ONE_DECK_HIGH


def _play_into(rules: Numbers, plan: Numbers, work: Numbers, number: int) -> None:
    """Play a started game to its end and store it as result `number`."""
    row = L.RESULTS + L.RESULT * number
    first_event = work[L.EVENTS]
    work[row + L.R_LEADER] = work[L.LEADER]
    for i in range(16):
        work[row + L.R_DEALT + i] = work[L.HANDS + i]
    stopped = play_game(rules, plan, work)
    work[row + L.R_CHANGES] = work[L.CHANGES]
    order = 1
    for i in range(work[L.FINISHED]):
        order = 8 * order + work[L.ENDED + i]
    for i in range(16):
        work[row + L.R_HANDS + i] = work[L.HANDS + i]
    work[row + L.R_FIRST_EVENT] = first_event
    work[row + L.R_EVENTS] = work[L.EVENTS] - first_event
    if stopped:
        order = L.UNPLAYABLE
    else:
        work[row + L.R_LEFT] = _left(rules, work, first_event)
        if _has_chops(work, first_event):
            order = -order
    work[row + L.R_ORDER] = order


def _has_chops(work: Numbers, first: int) -> bool:
    """Return whether a bomb beat a play from event `first` on; one that is led costs nothing."""
    for at in range(L.EVENT_LOG + L.EVENT * first, L.EVENT_LOG + L.EVENT * work[L.EVENTS], L.EVENT):
        if work[at] == L.BOMB and work[at + 5]:
            return True
    return False


def _first_out(work: Numbers, first: int) -> int:
    """Return the offset of the event of the first seat that went out, from event `first` on."""
    at = L.EVENT_LOG + L.EVENT * first
    while work[at] != L.OUT_NOW:
        at += L.EVENT
    return at


def _left(rules: Numbers, work: Numbers, first_event: int) -> int:
    """Return all that the money of the cards left depends on, as R_LEFT tells it."""
    counts = rules[L.LEFT_COUNTS]
    if not counts:
        return 0
    players = work[L.PLAYERS]
    played = work[_first_out(work, first_event) + 2]  # seats that had played by then
    late = played != (1 << players) - 1
    if counts > 2 or players > 4 or (late and not rules[L.FIRST_OUT_ENDS]):
        return -1
    top = work[L.TOP_HIGH] >> L.CODE_AT
    if rules[L.TWOS_LOSE] and top >> 6 < 4 and top & 63 >= 4 * L.TWO:
        return -1
    left = played
    pays = counts > 1 or late
    for seat in range(players):
        low = work[L.HANDS + 2 * seat]
        high = work[L.HANDS + 2 * seat + 1]
        if may_hold_bombs(low, high) or _has_three_spades(rules, work, seat):
            return -1
        twos = high >> 40
        black = rules[L.BYTE_CARDS + (twos & 15)]
        red = rules[L.BYTE_CARDS + (twos >> 4)]
        left = left << 11 | number_of_cards(low, high) << 6 | black << 3 | red
        pays = pays or twos > 0
    return left if pays else 0


def _shuffle(work: Numbers, at: int, count: int) -> None:
    """Shuffle `count` numbers from `at` on with the deck's die, as `engine.rules.deal` does."""
    size = 0
    while count >> size:
        size += 1
    for last in range(count - 1, 0, -1):
        while not last + 1 >> size - 1:
            size -= 1
        other = next_bits(work, L.DECK_DIE, size)
        while other > last:
            other = next_bits(work, L.DECK_DIE, size)
        card = work[at + last]
        work[at + last] = work[at + other]
        work[at + other] = card


def deal_hands(rules: Numbers, work: Numbers) -> int:
    """Shuffle and deal as `engine.rules.deal` does; return 8 * the lowest card + its seat."""
    players = work[L.PLAYERS]
    for i in range(52 * rules[L.DECKS]):
        work[L.DECK + i] = i % 52
    _shuffle(work, L.DECK, 52 * rules[L.DECKS])
    for i in range(16):
        work[L.HANDS + i] = 0
    lowest = 8 * 52
    seat = 0
    for i in range(rules[L.DEALT]):
        card = work[L.DECK + i]
        work[L.HANDS + 2 * seat] += low_of(card)
        work[L.HANDS + 2 * seat + 1] += high_of(card)
        if 8 * card + seat < lowest:
            lowest = 8 * card + seat
        seat = seat + 1 if seat + 1 < players else 0
    for seat in range(players):
        more = seat < rules[L.DEALT] % players
        work[L.HIDDEN + seat] = 1 if rules[L.HIDES_COUNTS] and more else 0
    return lowest


def may_win_as_dealt(rules: Numbers, low: int, high: int) -> bool:
    """Return whether a hand may be an instant win of the ruleset (no false negatives)."""
    kinds = rules[L.INSTANT_WINS]
    red = low & L.RED_LOW or high & L.RED_HIGH
    black = low & ~L.RED_LOW or high & ~L.RED_HIGH
    return bool(
        (kinds & L.FOUR_TWOS and rules[L.BYTE_CARDS + (high >> 40)] > 3)
        or (kinds & L.FOUR_THREES and rules[L.BYTE_CARDS + (low & 255)] > 3)
        or (kinds & L.ONE_COLOUR and not (red and black))
        or kinds & _wins_by_ranks(rules, low, high)
    )


def _wins_by_ranks(rules: Numbers, low: int, high: int) -> int:
    """Return the kinds of instant wins that the number of cards of each rank allows, as bits."""
    held = 0
    pairs = 0
    pair_ranks = 0
    triples = 0
    quads = 0
    for rank in range(13):
        cards = rules[L.BYTE_CARDS + byte_of(low, high, rank)]
        pairs += cards >> 1
        if cards and rank < 12:
            held += 1
        if cards > 1 and rank < 12:
            pair_ranks |= 1 << rank
        triples += cards > 2
        quads += cards > 3
    three_in_a_row = pair_ranks & pair_ranks >> 1 & pair_ranks >> 2
    wins = L.DRAGONS if held == 12 else 0
    if triples > 2:
        wins |= L.THREE_TRIPLES
    if three_in_a_row & 1:
        wins |= L.THREE_PAIRS
    if three_in_a_row & pair_ranks >> 3 & pair_ranks >> 4:
        wins |= L.FIVE_PAIRS_IN_A_ROW
    if pairs > 5:
        wins |= L.SIX_PAIRS | L.TWO_BOMBS
    if quads > 1 or (quads and three_in_a_row):
        wins |= L.TWO_BOMBS
    return wins


def _one_may_win(rules: Numbers, work: Numbers) -> bool:
    """Return whether a seat's hand may be an instant win."""
    if rules[L.INSTANT_WINS]:
        for seat in range(work[L.PLAYERS]):
            if may_win_as_dealt(rules, work[L.HANDS + 2 * seat], work[L.HANDS + 2 * seat + 1]):
                return True
    return False


def seed_deals(
    rules: Numbers, work: Numbers, deals: int, dice: int, shuffles: int, size: int
) -> None:
    """Seed `dice` dice of each deal: for the bots' orders, the deck and, where used, the seats.

    The seeds are in DEAL_KEYS. The orders of a deal, `shuffles` shuffles of `size` numbers, are
    written to ORDERS.
    """
    count = deals * dice
    work[L.ALL_DICE] = count
    work[L.THROWN] = 0
    seed_dice(work, L.DEAL_DICE, rules, L.DIE_BASE, L.DEAL_KEYS, count)
    for die in range(count):
        length = 4
        while length > 1 and not work[L.DEAL_KEYS + count * (length - 1) + die]:
            length -= 1
        if length < 4:
            for i in range(length):
                work[L.DECK_SEED + i] = work[L.DEAL_KEYS + count * i + die]
            seed_die(work, L.DECK_DIE, rules, L.DIE_BASE, L.DECK_SEED, length)
            put_die(work, L.DECK_DIE, L.DEAL_DICE, die, count)
    for deal in range(deals):
        take_die(work, L.DECK_DIE, L.DEAL_DICE, dice * deal, count)
        for shuffle in range(shuffles):
            at = L.ORDERS + size * (shuffles * deal + shuffle)
            for i in range(size):
                work[at + i] = i
            _shuffle(work, at, size)


def _deal_once(rules: Numbers, work: Numbers, row: int) -> None:
    """Deal with the deck's die; store the hands in START and the deal's fields at `row`."""
    lowest = deal_hands(rules, work)
    for i in range(16):
        work[L.START + i] = work[L.HANDS + i]
    work[row + L.D_LEADER] = lowest & 7
    work[row + L.D_MUST] = lowest >> 3
    work[row + L.D_ASKED] = 1 if _one_may_win(rules, work) else 0
    for seat in range(work[L.PLAYERS]):
        low = work[L.HANDS + 2 * seat]
        high = work[L.HANDS + 2 * seat + 1]
        work[row + L.D_POINTS + seat] = hand_points(rules, low, high)


def play_deals(
    rules: Numbers, plan: Numbers, work: Numbers, first: int, games: int, each: int, dice: int
) -> int:
    """Play games `first` to `games` - 1, `each` per deal; return the next game's number.

    Call `seed_deals` first. It stops early if there is no room for more. Results are numbered from
    `first`. All games of a deal have the same hands, and each seat throws the same dice in them.
    """
    work[L.EVENTS] = 0
    players = work[L.PLAYERS]
    for game in range(first, games):
        number = game - first
        if number == L.MOST_RESULTS or work[L.EVENTS] + L.MOST_EVENTS_OF_GAME > L.MOST_EVENTS:
            return game
        row = L.DEALS + L.DEAL * (game // each)
        die = dice * (game // each) + 1
        if game % each == 0:
            take_die(work, L.DECK_DIE, L.DEAL_DICE, die, work[L.ALL_DICE])
            _deal_once(rules, work, row)
        if work[row + L.D_ASKED]:
            work[L.RESULTS + L.RESULT * number + L.R_ORDER] = L.UNPLAYABLE
            continue
        start_game(rules, work, work[row + L.D_LEADER], work[row + L.D_MUST])
        for i in range(16):
            work[L.HANDS + i] = work[L.START + i]
        for seat in range(players):
            work[L.POLICIES + seat] = work[L.BOTS + work[L.SEATINGS + players * game + seat]]
            work[L.DIE_STATE + seat] = L.SHARED
        work[L.DEAL_DIE] = die + 1
        _play_into(rules, plan, work, number)
    return games


def hand_points(rules: Numbers, low: int, high: int) -> int:
    """Return a dealt hand's points, as `engine.sim.effects.hand_points` does."""
    points = 2 * rules[L.BYTE_CARDS + (high >> 40)] + rules[L.BYTE_CARDS + (high >> 32 & 255)]
    run = 0
    for rank in range(13):
        cards = rules[L.BYTE_CARDS + byte_of(low, high, rank)] if rank < 12 else 0
        if cards > 3:
            points += 2
        if cards > 1:
            run += 1
        else:
            points += 2 if run > 2 else 0
            run = 0
    return points


def deal_games(rules: Numbers, plan: Numbers, work: Numbers, games: int) -> int:
    """Deal and play up to `games` games, each led by the lowest card; return the number played.

    It stops early if there is no room for more events, or if a hand may be an instant win: that
    game is dealt but not played, and MUST is -1.
    """
    work[L.EVENTS] = 0
    for number in range(games):
        if work[L.EVENTS] + L.MOST_EVENTS_OF_GAME > L.MOST_EVENTS:
            return number
        lowest = deal_hands(rules, work)
        if _one_may_win(rules, work):
            work[L.MUST] = -1
            return number
        start_game(rules, work, lowest & 7, lowest >> 3)
        _play_into(rules, plan, work, number)
    return games
