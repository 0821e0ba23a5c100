"""Actions chosen by the autopilot and by bots."""

import logging
import secrets

from engine import bots as engine_bots
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction
from engine.rules.cards import TWO
from engine.rules.exchange import TooMany
from engine.rules.state import EXCHANGE, INSTANT_WIN, State
from engine.sim.faults import ask
from tables.programs.watch import watch

log = logging.getLogger(__name__)

MOST_SECONDS = 5.0

QUICK = frozenset(rung.name for rung in engine_bots.RUNGS if rung.quick)
"""Bots that choose at once; the others think ahead."""


def cautious(state: State) -> SeatAction:
    """Return the autopilot's action for the seat in turn: a pass, else its lowest legal play.

    In an exchange it asks for the highest rank left and gives away its lowest cards.
    """
    if state.phase == EXCHANGE:
        return _exchange(state)
    if state.phase == INSTANT_WIN:
        return SeatAction(state.turn, "decline")
    actions = engine_game.legal_actions(state)
    if any(action.do == "pass" for action in actions):
        return SeatAction(state.turn, "pass")
    plays = [action for action in actions if action.do == "play"]
    return min(plays, key=lambda action: (len(action.cards), action.cards))


def bot_action(state: State, bot: str, seed: int | None = None) -> SeatAction:
    """Return the bot's choice from its seat's view, or the autopilot's if the bot fails.

    External programs play only in tournaments; at a table the autopilot replaces them.
    """
    try:
        legal = engine_game.legal_actions(state)
    except TooMany:
        return cautious(state)
    seed = secrets.randbits(32) if seed is None else seed
    observation = engine_game.observe(state, state.turn)
    if bot in engine_bots.LADDER:
        return engine_bots.make(bot, seed).choose(observation, legal)
    if bot not in engine_bots.BOTS or engine_bots.is_outside(bot):
        return cautious(state)
    try:
        with watch(lambda: None, MOST_SECONDS):
            return ask(engine_bots.make(bot, seed), observation, legal)
    except Exception:
        log.exception("The bot %s failed at a table.", bot)
        return cautious(state)


def _exchange(state: State) -> SeatAction:
    step = state.steps[0]
    if step.do == "ask":
        rank = max(r for r in range(13) if not state.refused >> r & 1)
        return SeatAction(step.seat, "ask", rank=rank)
    hand = engine_game.observe(state, step.seat).hand
    if step.do == "give":
        hand = tuple(card for card in hand if card >> 2 == TWO)
    return SeatAction(step.seat, step.do, hand[: step.number])
