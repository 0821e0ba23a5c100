"""The leader of a game's first trick."""

from __future__ import annotations

from .cardset import lowest
from .inherited import Previous
from .ruleset import Ruleset
from .state import State


def leading_winner(ruleset: Ruleset, previous: Previous | None) -> int | None:
    """Return the seat that leads as the previous winner, or None if the lowest card leads."""
    if previous is None or ruleset.later_games_led_by == "lowest":
        return None
    winner = previous.placings[0][0]
    if len(previous.placings[0]) > 1:
        return None  # The others won together: one of them went out on 2s.
    if winner in previous.gone or (ruleset.new_player_resets and previous.gone):
        return None
    return winner


def usual_leader(state: State) -> tuple[int, int]:
    """Return the seat that leads and the card that it must play, -1 for a free lead."""
    if state.given_leader is not None:
        return state.given_leader, -1
    winner = leading_winner(state.ruleset, state.previous)
    return lowest_card_holder(state) if winner is None else (winner, -1)


def lowest_card_holder(state: State) -> tuple[int, int]:
    """Return the seat still in play with the lowest card, and that card.

    With two decks the lower of two seats with the same card leads.
    """
    card, seat = min((lowest(state.hands[seat]), seat) for seat in state.in_play())
    return seat, card
