"""Choices at a decision of a finished game: which are legal, the same, or as good as the best."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import records
from engine.bots import judge
from engine.bots.puzzles import is_same
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.cards import CardError, parse_cards
from engine.rules.state import State


def state_before(record: Mapping[str, Any], step: int) -> State:
    """Return the game before the action of this number, counted from 0."""
    state = read.start_of(record)
    for number, action in enumerate(read.actions_of(record)[:step], start=1):
        records.step(state, action, number)
    return state


def chosen_at(
    record: Mapping[str, Any], step: int, do: str, cards: Sequence[str]
) -> SeatAction | None:
    """Return the legal action that was chosen at a step; None if there is no such action."""
    state = state_before(record, step)
    try:
        wanted = tuple(sorted(parse_cards(" ".join(cards)))) if do == "play" else ()
    except CardError:
        return None
    legal = engine_game.legal_actions(state)
    return next((one for one in legal if (one.do, one.cards) == (do, wanted)), None)


def value_of(decision: Mapping[str, Any], chosen: SeatAction) -> float | None:
    """Return the judge's value of a choice; None if it is not among the best few."""
    for body, value in decision["top"]:
        if is_same(action_from_json(body), chosen):
            return float(value)
    return None


def is_right(decision: Mapping[str, Any], chosen: SeatAction) -> bool:
    """Return whether a choice is the best one, or as good."""
    value = value_of(decision, chosen)
    return value is not None and decision["q"] - value < judge.AS_GOOD
