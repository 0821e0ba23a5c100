"""Puzzles: decisions of which one move is surely better than all others, in many more games."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from ..rules import game
from ..rules.actions import SeatAction, action_from_json
from ..rules.state import State
from . import judge, make

BETTER, SURE = 0.5, 0.09
"""The lead of the best move over every other, in opponents beaten, and its largest error."""
EFFORT = judge.Thoroughness(first=400, more=20_000)
AGREE = ("sage", "master")
"""Bots that must choose a puzzle's best move as well."""
SEED = 1


def lead(decision: Mapping[str, Any]) -> float:
    """Return by how much the best move leads over the second."""
    values = sorted((value for _action, value in decision["top"]), reverse=True)
    return float(values[0] - values[1]) if len(values) > 1 else 0.0


def makes_a_puzzle(decision: Mapping[str, Any]) -> bool:
    """Return whether one move of a decision is surely better than all others."""
    return decision["legal"] >= 2 and lead(decision) >= BETTER and decision["s"] <= SURE


def proposed(decisions: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the decision of a reviewed game that makes the best puzzle, or None."""
    return max(filter(makes_a_puzzle, decisions), key=lead, default=None)


def check(state: State, decision: Mapping[str, Any], seed: str) -> tuple[dict[str, Any], str]:
    """Return what 20,000 games say of a decision, and what refuses it: the lead, a bot or "".

    It is judged as if the second best had been played: its loss is the lead of the best.
    """
    legal, seen = game.legal_actions(state), game.observe(state, state.turn)
    best, second = (action_from_json(body) for body, _value in decision["top"][:2])
    found = judge.decide(seen, legal, second, EFFORT, Random(seed))
    clear = found["loss"] >= BETTER and makes_a_puzzle(found)
    if not clear or not is_same(best, action_from_json(found["best"])):
        return found, "lead"
    others = (bot for bot in AGREE if not is_same(best, make(bot, SEED).choose(seen, legal)))
    return found, next(others, "")


def is_same(one: SeatAction, other: SeatAction) -> bool:
    """Return whether the judge takes two actions as one: the same ranks."""
    ranks = [sorted(card >> 2 for card in action.cards) for action in (one, other)]
    return one.do == other.do and ranks[0] == ranks[1]
