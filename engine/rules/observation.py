"""Observations of a game by a seat or a spectator: the only view that bots and pages get."""

from typing import NamedTuple

from .cardset import lowest, size, unpack
from .ruleset import Ruleset
from .shapes import cards_of
from .state import INSTANT_WIN, OVER, Chop, LogEntry, Payment, State


class Observation(NamedTuple):
    """A game as `seat` sees it; `seat` None is a spectator, who sees no hand.

    * `hand`: own cards, low to high
    * `counts`: each seat's number of cards, None if the ruleset hides it
    * `turn`: the seat to act; None if the game is over or the turn is private
    * `to_beat`, `to_beat_by`: the top play and its seat; empty and None on an empty table
    * `forward`: all others are locked out and the seat to act may beat its own play
    * `locked_out`: seats that have passed in this trick
    * `must_include`: the card that the first play must contain, known to its holder
    * `lowest_cards`: each seat's lowest dealt card, if the ruleset reveals them
    * `history`: events that this seat may read, oldest first
    """

    ruleset: Ruleset
    seat: int | None
    players: int
    stake: int
    phase: str
    turn: int | None
    hand: tuple[int, ...]
    counts: tuple[int | None, ...]
    to_beat: tuple[int, ...]
    to_beat_by: int | None
    forward: bool
    trick_locked: bool
    locked_out: tuple[int, ...]
    placings: tuple[tuple[int, ...], ...]
    must_include: int | None
    opening: bool
    lowest_cards: tuple[int, ...] | None
    chops: tuple[Chop, ...]
    payments: tuple[Payment, ...]
    history: tuple[LogEntry, ...]


def observe(state: State, seat: int | None) -> Observation:
    """Return the observation of `seat`, or of a spectator for None."""
    own_turn = state.turn == seat
    private = state.phase == INSTANT_WIN and not own_turn
    over = state.phase == OVER
    top = state.top
    lowest_leads = state.must_include >= 0
    must_known = state.first and own_turn and lowest_leads and state.leader == state.turn
    lowest_revealed = state.ruleset.lowest_cards_revealed and lowest_leads
    return Observation(
        ruleset=state.ruleset,
        seat=seat,
        players=state.players,
        stake=state.stake,
        phase=state.phase,
        turn=None if private or over else state.turn,
        hand=() if seat is None else unpack(state.hands[seat]),
        counts=_counts(state, seat),
        to_beat=cards_of(top) if top else (),
        to_beat_by=state.top_by if top else None,
        forward=bool(top) and state.turn == state.top_by,
        trick_locked=state.flush_lock,
        locked_out=tuple(s for s in range(state.players) if state.locked >> s & 1),
        placings=tuple(state.placings),
        must_include=state.must_include if must_known else None,
        opening=state.opening >= 0,
        lowest_cards=tuple(map(lowest, state.dealt)) if lowest_revealed else None,
        chops=tuple(state.chops),
        payments=tuple(state.payments),
        history=history(state, seat),
    )


def history(state: State, seat: int | None) -> tuple[LogEntry, ...]:
    """Return the events that a seat may read.

    A declaration is public once all holders have answered, a refusal to declare once the game is
    over. Exchanged cards are visible only to the two seats concerned.
    """
    return tuple([event for event in state.log if _readable(state, event, seat)])


def _readable(state: State, event: LogEntry, seat: int | None) -> bool:
    if event.seen_by is None or seat in event.seen_by:
        return True
    if event.action.do == "declare":
        return state.phase != INSTANT_WIN
    return event.action.do == "decline" and state.phase == OVER


def _counts(state: State, seat: int | None) -> tuple[int | None, ...]:
    if state.ruleset.card_counts == "public" or state.phase == OVER:
        return tuple([size(hand) for hand in state.hands])
    return tuple(
        size(hand) if other == seat or state.out >> other & 1 else None
        for other, hand in enumerate(state.hands)
    )
