"""The leader of a game's first trick."""

from __future__ import annotations

from typing import assert_never

from .cardset import lowest
from .inherited import Previous
from .ruleset import Ruleset
from .state import State


def leading_place(ruleset: Ruleset) -> int | None:
    """Return the index in the placings of who leads the next game; None: the lowest card does."""
    match ruleset.later_games_led_by:
        case "winner":
            return 0
        case "lowest":
            return None
        case other:
            assert_never(other)


def inherited_leader(ruleset: Ruleset, previous: Previous | None) -> int | None:
    """Return the seat that leads by the previous game, or None if the lowest card leads."""
    place = leading_place(ruleset)
    if previous is None or place is None:
        return None
    leader, *others = previous.placings[place]
    if others:
        return None  # They share the place: one of the others went out on 2s.
    if leader in previous.gone or (ruleset.new_player_resets and previous.gone):
        return None
    return leader


def usual_leader(state: State) -> tuple[int, int]:
    """Return the seat that leads and the card that it must play, -1 for a free lead."""
    if state.given_leader is not None:
        return state.given_leader, -1
    leader = inherited_leader(state.ruleset, state.previous)
    return lowest_card_holder(state) if leader is None else (leader, -1)


def lowest_card_holder(state: State) -> tuple[int, int]:
    """Return the seat still in play with the lowest card, and that card.

    With two decks the lower of two seats with the same card leads.
    """
    card, seat = min((lowest(state.hands[seat]), seat) for seat in state.in_play())
    return seat, card
