"""Playing a game to its end at full speed, with bots that are reflexes.

`play_out` does what `trick.legal_plays`, `make_play` and `make_pass` do turn by turn, with the
state of the trick in local names; a test plays both and compares. A compiled back end would
replace this module and `engine.plays`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from engine import trick
from engine.packed import BITS, MASK
from engine.plays import singles_of
from engine.shapes import PAIR, PAIR_RUN, QUAD
from engine.state import OVER, State

Pick = Callable[[list[int], int, bool], int]
_PAIR_CODE = PAIR << 6
_BOMB_CODE = PAIR_RUN << 6
_QUAD_CODES = range(QUAD << 6, (QUAD + 1) << 6)


def play_out(state: State, picks: Sequence[Pick]) -> int:
    """Play the tricks of a game to the end; nothing is logged.

    Returns how often the lead went to another seat.

    `picks` holds each seat's `Reflex.pick`, which is asked only where there is a choice beside
    passing. The ruleset's table must be `plain`.
    """
    table = state.table
    generator = table.generator
    all_plays, higher, of_shapes = generator.all_plays, generator.higher, generator.of_shapes
    chops = table.chops.get
    exceptions = table.locked_out
    forward = table.forward
    locks = state.ruleset.pass_locks
    one_deck = state.ruleset.decks_for(state.players) == 1
    after = trick.NEXT[state.players]
    hands = state.hands
    # Most answers are single cards: each seat's stay listed, low to high.
    singles = [singles_of(hand) for hand in hands]
    out, played = state.out, state.played
    changes = 0
    turn = state.turn
    while turn >= 0:
        leader = turn
        plays = trick.legal_plays(state) if state.first else all_plays(hands[turn])
        play = picks[turn](plays, 0, False)
        state.first = False
        top = locked = 0
        top_by = -1
        while play:
            code = play >> BITS
            if code >= _BOMB_CODE or code in _QUAD_CODES:
                state.top, state.top_by = top, top_by
                trick.note_chop(state, turn, play)
            else:
                state.level = 0
            top, top_by = play, turn
            bit = 1 << turn
            played |= bit
            left = hands[turn] = hands[turn] - (play & MASK)
            single = code < _PAIR_CODE
            if not left:
                state.played = played
                trick.go_out(state, turn)
                if state.phase == OVER:
                    return changes
                out = state.out
            elif not one_deck:
                singles[turn] = singles_of(left)
            elif single:
                singles[turn].remove(play)
            else:
                singles[turn] = [card for card in singles[turn] if card & left]

            shapes = chops(code)
            reopened = code in exceptions
            above = (code + 1) << BITS
            reach = 2 * (code & 63) + 2
            locked &= ~bit
            blocked = out | bit
            if locks and not reopened:
                blocked |= locked
            play = 0
            while not play:
                turn = after[turn][blocked]
                if turn < 0:
                    if not forward or out >> top_by & 1:
                        break
                    turn = top_by
                bit = 1 << turn
                if reopened and locked & bit:
                    plays = of_shapes(hands[turn], exceptions[code])
                else:
                    if single:
                        own = singles[turn]
                        plays = own[bisect_left(own, above) :]
                    else:
                        hand = hands[turn]
                        plays = higher(hand, code) if hand.bit_length() > reach else []
                    if shapes:
                        plays += of_shapes(hands[turn], shapes)
                if plays:
                    play = picks[turn](plays, top, turn == top_by)
                if turn == top_by:
                    break
                blocked |= bit
                locked |= bit
        state.top_by = top_by
        turn = trick.next_leader(state)
        changes += turn not in (leader, -1)
    return changes
