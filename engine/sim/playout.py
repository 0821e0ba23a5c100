"""Playing a game to its end at full speed, with reflex bots.

`play_out` does what `trick.legal_plays`, `make_play` and `make_pass` do turn by turn, with the
state of the trick in local variables; a test compares the two. `engine.core.kernels.games` is its
compiled counterpart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine.rules import trick
from engine.rules.cardset import BITS, MASK
from engine.rules.plays import singles_of
from engine.rules.state import OVER, State

if TYPE_CHECKING:
    from engine.bots.base import Reflex


def play_out(state: State, bots: Sequence[Reflex]) -> int:
    """Play the tricks of a game to the end without logging.

    Return how often the lead went to another seat. A bot is asked only if it has a choice besides
    passing. The ruleset's table must be `plain`.
    """
    picks = [bot.pick for bot in bots]
    leads = [getattr(bot, "lead", None) for bot in bots]
    table = state.table
    generator = table.generator
    all_plays, higher, of_shapes = generator.all_plays, generator.higher, generator.of_shapes
    targets = table.targets
    forward = table.forward
    locks = state.ruleset.pass_locks
    one_deck = state.ruleset.decks_for(state.players) == 1
    asked = _asked(state.players)
    hands = state.hands
    # Most answers are singles, so each seat's singles stay listed, low to high.
    singles = [singles_of(hand) for hand in hands]
    # A hand only shrinks: without a chop now, it never gets one ...
    may_chop = [generator.has_any(hand, table.least_chops) for hand in hands]
    # ... and its leads are among those that it had before.
    listed: list[list[int]] = [[] for _ in hands]
    out, played = state.out, state.played
    changes = 0
    turn = state.turn
    while turn >= 0:
        leader = turn
        hand = hands[turn]
        lead = leads[turn]
        if state.first:
            play = picks[turn](trick.legal_plays(state), 0, False)
            state.first = False
        elif lead:
            play = lead(hand, generator)
        else:
            if one_deck and listed[turn]:
                gone = MASK ^ hand
                plays = [play for play in listed[turn] if not play & gone]
            else:
                plays = all_plays(hand)
            listed[turn] = plays
            play = picks[turn](plays, 0, False)
        top = locked = 0
        top_by = -1
        while play:
            code = play >> BITS
            single, bomb, above, floor, shapes, exceptions = targets[code]
            if bomb:
                state.top, state.top_by = top, top_by
                trick.note_chop(state, turn, play)
            else:
                state.level = 0
            top, top_by = play, turn
            bit = 1 << turn
            played |= bit
            left = hands[turn] = hand - (play & MASK)
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

            blocked = out if forward else out | bit
            if locks and exceptions is None:
                blocked |= locked
            play = 0
            for turn in asked[top_by][blocked]:
                hand = hands[turn]
                if exceptions is not None and locked >> turn & 1:
                    locked ^= 1 << turn
                    plays = of_shapes(hand, exceptions)
                else:
                    if hand < floor:
                        plays = []
                    elif single:
                        own = singles[turn]
                        plays = own[bisect_left(own, above) :]
                    else:
                        plays = higher(hand, code)
                    if shapes and may_chop[turn]:
                        plays += of_shapes(hand, shapes)
                if plays:
                    play = picks[turn](plays, top, turn == top_by)
                    if play:
                        break
                locked |= 1 << turn
        if state.debt is None and not out >> top_by & 1:
            turn = top_by
        else:
            state.top_by = top_by
            turn = trick.next_leader(state)
        if turn != leader:
            changes += turn >= 0
    return changes


@cache
def _asked(players: int) -> list[list[tuple[int, ...]]]:
    """Return the seats to ask about a play, by its seat and by blocked seats (one bit for each).

    They are in order of play, the play's own seat last: it is blocked where it may not go on alone.
    """
    orders = [
        [(seat + step) % players for step in range(1, players + 1)] for seat in range(players)
    ]
    return [
        [
            tuple(other for other in order if not blocked >> other & 1)
            for blocked in range(1 << players)
        ]
        for order in orders
    ]
