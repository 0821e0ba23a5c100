"""The rules of a trick: turns, legal plays, going out and the end."""

from __future__ import annotations

from . import betting
from .cards import TWO
from .cardset import CARD, MASK, holds, lowest_ranks, missing, pack
from .errors import (
    BombLead,
    CannotLock,
    DoesNotBeat,
    FirstPlay,
    LastPlay,
    LockedOutChop,
    MustInclude,
    MustOpen,
    NoCombination,
    NotInHand,
    TrickIsLocked,
)
from .shapes import (
    PAIR,
    PAIR_RUN,
    QUAD,
    QUAD_RUN,
    SINGLE,
    STRAIGHT,
    cards_of,
    code_of,
    is_bomb,
    is_straight_flush,
    is_twos,
    shape_of,
)
from .state import OVER, PLAY, Chop, State

# NEXT[players][seat][blocked] is the next seat after `seat` that is not blocked (one bit for each
# seat), or -1; it is never `seat` itself.
NEXT = {
    players: tuple(
        tuple(
            next(
                (
                    (seat + step) % players
                    for step in range(1, players)
                    if not blocked >> (seat + step) % players & 1
                ),
                -1,
            )
            for blocked in range(1 << players)
        )
        for seat in range(players)
    )
    for players in range(2, 9)
}
_OPENING = PAIR_RUN + 3
_FIRST_PLAYS = {
    "alone": "that card alone",
    "single_pair_straight": "a single, a pair or a straight",
}


def begin_trick(state: State, leader: int) -> None:
    """Start a trick with an empty table and the leader to act."""
    state.phase = PLAY
    state.turn = leader
    state.top = 0
    state.top_by = -1
    state.locked = 0
    state.passed = 0
    state.flush_lock = False
    state.level = 0
    state.chain_value = 0


def legal_plays(state: State) -> list[int]:
    """Return the plays (engine.rules.shapes) of the seat to act, in the order of the generator."""
    plays = _plays(state)
    has_two = state.hands[state.turn] >= CARD[4 * TWO]
    if not state.table.restricted or (state.ruleset.bombs_lead and not has_two):
        return plays
    kept = [play for play in plays if _restriction(state, play) is None]
    # The leader cannot pass: restrictions that leave no play are lifted.
    return kept if kept or state.top or state.opening >= 0 else plays


def _plays(state: State) -> list[int]:
    seat = state.turn
    hand = state.hands[seat]
    if not state.top:
        if state.opening >= 0:
            return _openings(state, hand)
        return _first_plays(state) if state.first else state.table.leads(hand)
    if state.locked >> seat & 1:
        return state.table.locked_out_answers(hand, state.top)
    plays = state.table.answers(hand, state.top)
    return state.table.straight_flushes(plays) if state.flush_lock else plays


def _openings(state: State, hand: int) -> list[int]:
    """Return the plays with which an asked seat may open the game: three pairs, or any bomb."""
    if state.ruleset.opened_with == "three_pairs":
        has_runs = state.ruleset.longest_pair_run >= 3
        return state.table.of_shape(hand, _OPENING) if has_runs else []
    return [play for play in state.table.leads(hand) if is_bomb(play)]


def lockable(state: State, plays: list[int]) -> list[int]:
    """Return the plays that may also be played as a lock."""
    if state.ruleset.straight_flush_locks != "choice":
        return []
    return state.table.straight_flushes(plays)


def may_pass(state: State) -> bool:
    """Return whether the seat to act may pass: a leader may not."""
    return bool(state.top) or state.opening >= 0


def check_play(state: State, cards: tuple[int, ...], lock: bool) -> int:
    """Return the play that `cards` make for the seat to act; raises IllegalAction."""
    if len(set(cards)) < len(cards):
        too_often = tuple(card for card in sorted(set(cards)) if cards.count(card) > 2)
        if too_often:
            raise NotInHand(missing=too_often)
    packed = pack(cards)
    hand = state.hands[state.turn]
    if not holds(hand, packed):
        raise NotInHand(missing=missing(hand, packed))
    play = state.table.classify(packed)
    if not play:
        raise NoCombination(cards=cards)
    _check_allowed(state, play)
    if lock and not (state.ruleset.straight_flush_locks == "choice" and is_straight_flush(play)):
        raise CannotLock()
    return play


def _check_allowed(state: State, play: int) -> None:
    top = state.top
    if not top:
        if state.opening >= 0 and play not in _openings(state, state.hands[state.turn]):
            raise MustOpen()
        fault = _first_play_fault(state, play) if state.first and state.opening < 0 else None
        if fault is not None:
            raise fault
    elif state.locked >> state.turn & 1:
        if shape_of(play) not in state.table.locked_out.get(code_of(top), ()):
            raise LockedOutChop(top=cards_of(top))
    elif not state.table.beats(play, top):
        raise DoesNotBeat(top=cards_of(top))
    elif state.flush_lock and not is_straight_flush(play):
        raise TrickIsLocked(top=cards_of(top))
    if state.table.restricted:
        restriction = _restriction(state, play)
        if restriction is not None and play not in legal_plays(state):
            raise restriction


def _restriction(state: State, play: int) -> BombLead | LastPlay | None:
    """Return why a play may not be led or be its player's last, or None."""
    rules = state.ruleset
    if not rules.bombs_lead and not state.top and is_bomb(play):
        return BombLead()
    if rules.last_play == "no_twos" and play & MASK == state.hands[state.turn]:
        return LastPlay() if cards_of(play)[-1] >> 2 == TWO else None
    return None


def _first_plays(state: State) -> list[int]:
    """Return the plays that may be the first of the game."""
    hand = state.hands[state.turn]
    if state.must_include >= 0:
        # It is the hand's lowest card: no play with it reaches past the first missing rank.
        lowest = 3 * CARD[state.must_include]
        plays = [play for play in state.table.leads(lowest_ranks(hand)) if play & lowest]
    else:
        plays = state.table.leads(hand)
    rules = state.ruleset
    if rules.first_play == "any" and not rules.first_play_not_pair_run:
        return plays
    return [play for play in plays if _first_play_fault(state, play) is None]


def _first_play_fault(state: State, play: int) -> MustInclude | FirstPlay | None:
    """Return why a play may not be the first of the game, or None."""
    shape = shape_of(play)
    card = state.must_include
    if card >= 0:
        rule = state.ruleset.first_play
        if not play & MASK & (3 * CARD[card]):
            return MustInclude(card=card)
        if rule == "alone" and shape != SINGLE:
            return FirstPlay(allowed=_FIRST_PLAYS[rule])
        if rule == "single_pair_straight" and not (
            shape in (SINGLE, PAIR) or STRAIGHT < shape < PAIR_RUN
        ):
            return FirstPlay(allowed=_FIRST_PLAYS[rule])
    if state.ruleset.first_play_not_pair_run and PAIR_RUN < shape < QUAD_RUN:
        return FirstPlay(allowed="something else than a pair run")
    return None


def make_play(state: State, play: int, lock: bool = False) -> None:
    """Put a legal play of the seat to act on the table and pass the turn on."""
    seat = state.turn
    bit = 1 << seat
    state.hands[seat] -= play & MASK
    shape = shape_of(play)
    caught = holds_three_spades(state, state.top_by) if state.top_by != seat else False
    if shape == QUAD or shape >= PAIR_RUN or (state.top and shape != shape_of(state.top)):
        note_chop(state, seat, play)
    else:
        state.level = 0
    if state.ruleset.straight_flush_locks != "never":
        state.flush_lock = lock or (
            state.ruleset.straight_flush_locks == "always" and is_straight_flush(play)
        )
    state.played |= bit
    state.locked &= ~bit
    state.passed = 0
    state.top = play
    state.top_by = seat
    state.first = False
    state.opening = -1
    if not state.hands[seat] or caught:
        go_out(state, seat)
        if state.phase == OVER:
            return
    _pass_turn(state, seat)


def make_pass(state: State) -> None:
    """Record a pass of the seat to act; a forward player's pass ends the trick."""
    seat = state.turn
    if state.opening >= 0:
        state.opening += 1
        if state.opening == len(state.in_play()):
            state.opening = -1
            state.turn = state.leader
        else:
            state.turn = state.next_in_play(state.turn)
        return
    if seat == state.top_by:
        end_trick(state)
        return
    state.passed |= 1 << seat
    if state.ruleset.pass_locks:
        state.locked |= 1 << seat
    _pass_turn(state, seat)


def begin_opening(state: State) -> None:
    """Start asking the seats for an opening out of turn, if the ruleset allows one."""
    state.opening = 0 if state.ruleset.pair_run_opens else -1


def note_chop(state: State, seat: int, play: int) -> None:
    on = state.top
    if not on or not (is_twos(on) or is_bomb(on)):
        state.level = 0
        return
    state.level += 1
    chop = Chop(seat, state.top_by, play, on, state.level)
    state.chops.append(chop)
    betting.chopped(state, chop)


def _pass_turn(state: State, seat: int) -> None:
    """Give the turn to the next seat that may act on the top play, or end the trick."""
    if not state.ruleset.pass_locks:
        blocked = state.passed
    elif state.table.locked_out and code_of(state.top) in state.table.locked_out:
        blocked = state.locked & state.passed
    else:
        blocked = state.locked
    blocked |= state.out | 1 << state.top_by
    after = NEXT[state.players][seat][blocked]
    if after >= 0:
        state.turn = after
    elif state.table.forward and not state.out >> state.top_by & 1:
        state.turn = state.top_by
    else:
        end_trick(state)


def end_trick(state: State) -> None:
    leader = next_leader(state)
    if leader >= 0:
        begin_trick(state, leader)


def next_leader(state: State) -> int:
    """Pay the trick's debt; return the leader of the next trick, -1 if the game ends."""
    betting.trick_over(state)
    winner = state.top_by
    if holds_three_spades(state, winner):
        go_out(state, winner)
        return -1
    if not state.out >> winner & 1:
        return winner
    if state.ruleset.all_lose:
        finish(state)
        return -1
    return state.next_in_play(winner)


def holds_three_spades(state: State, seat: int) -> bool:
    """Return whether a seat has only 3♠ left where it then wins or is caught (đút 3 bích)."""
    return state.ruleset.three_spades_last and seat >= 0 and state.hands[seat] == CARD[0]


def go_out(state: State, seat: int) -> None:
    """Give a seat the next place; the game may end with it.

    It may end with cards in the seat's hand: with its own 3♠, or if it caught another's.
    """
    on_twos = is_twos(state.top) and not is_bomb(state.top) and not state.hands[seat]
    if on_twos and state.ruleset.last_play == "twos_lose":
        _lose_on_twos(state, seat)
        return
    state.placings.append((seat,))
    state.out |= 1 << seat
    if len(state.placings) == 1:
        betting.first_out(state)
    if state.table.first_out_ends or state.out.bit_count() == state.players - 1:
        finish(state)


def _lose_on_twos(state: State, seat: int) -> None:
    """End the game: who went out on 2s is last, and all others share first place."""
    betting.trick_over(state)
    others = tuple(other for other in state.in_play() if other != seat)
    state.placings = [others, (seat,)]
    state.out = (1 << state.players) - 1
    state.phase = OVER
    state.turn = -1
    betting.lost_on_twos(state, seat)


def finish(state: State) -> None:
    """End the game: players still in play share the last place."""
    betting.trick_over(state)
    rest = tuple(state.in_play())
    if rest:
        state.placings.append(rest)
        for seat in rest:
            state.out |= 1 << seat
    state.phase = OVER
    state.turn = -1
    betting.game_over(state)
