"""Playing a game to its end at full speed, with bots that are reflexes.

`play_out` does what `trick.legal_plays`, `make_play` and `make_pass` do turn by turn, with the
state of the trick in local names; a test plays both and compares. A compiled back end would
replace this module and `engine.plays`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import trick
from engine.packed import BITS, MASK
from engine.shapes import PAIR_RUN, QUAD
from engine.state import OVER, State

Pick = Callable[[list[int], int, bool], int]
_BOMB_CODE = PAIR_RUN << 6
_QUAD_CODES = range(QUAD << 6, (QUAD + 1) << 6)


def play_out(state: State, picks: Sequence[Pick]) -> int:
    """Play the tricks of a game to the end; nothing is logged.

    Returns how often the lead went to another seat.

    `picks` holds each seat's `Reflex.pick`, which is asked only where there is a choice beside
    passing. The ruleset's table must be `plain`.
    """
    changes = 0
    leader = state.turn
    while True:
        _play_trick(state, picks)
        if state.phase == OVER:
            return changes
        if state.turn != leader:
            changes += 1
            leader = state.turn


def _play_trick(state: State, picks: Sequence[Pick]) -> None:
    """Play from the lead of one trick to the lead of the next, or to the end of the game."""
    table = state.table
    generator = table.generator
    higher = generator.higher
    of_shapes = generator.of_shapes
    chops = table.chops.get
    hands = state.hands
    after = trick.NEXT[state.players]
    locks = state.ruleset.pass_locks
    forward = table.forward
    exceptions = table.locked_out
    turn = state.turn
    plays = trick.legal_plays(state) if state.first else generator.all_plays(hands[turn])
    play = picks[turn](plays, 0, False)
    locked = passed = 0
    out = state.out
    while True:
        if play:
            code = play >> BITS
            if code >= _BOMB_CODE or code in _QUAD_CODES:
                trick.note_chop(state, turn, play)
            else:
                state.level = 0
            state.top = play
            state.top_by = top_by = turn
            state.played |= 1 << turn
            state.first = False
            left = hands[turn] = hands[turn] - (play & MASK)
            shapes = chops(code)
            reach = 2 * (code & 63) + 2
            reopened = code in exceptions if exceptions else False
            locked &= ~(1 << turn)
            passed = 0
            if not left:
                trick.go_out(state, turn)
                if state.phase == OVER:
                    return
                out = state.out
        else:
            passed |= 1 << turn
            if locks:
                locked |= 1 << turn
        blocked = locked & passed if reopened else locked if locks else passed
        turn = after[turn][blocked | out | 1 << top_by]
        if turn < 0:
            if not forward or out >> top_by & 1:
                break
            turn = top_by
        hand = hands[turn]
        if locked >> turn & 1:
            plays = of_shapes(hand, exceptions[code])
        else:
            plays = higher(hand, code) if hand.bit_length() > reach else []
            if shapes:
                plays += of_shapes(hand, shapes)
        play = picks[turn](plays, state.top, turn == top_by) if plays else 0
        if not play and turn == top_by:
            break
    trick.end_trick(state)
