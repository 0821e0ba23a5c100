"""What a bot would have done at a moment of a finished game, seeing what that seat could see."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

from engine import bots as engine_bots
from engine import game as engine_game
from engine import record_input, records
from engine.actions import Action, action_from_json, action_to_json
from engine.cards import RANKS
from engine.exchange import TooMany
from tables.card_text import codes, rank
from tables.models import Game

ADVISERS = ("master", "sage", "planner", "greedy")
"""Bots that may be asked; each answers within about a tenth of a second."""
KEPT = 24 * 3600
SEED = 1


@dataclass(frozen=True)
class Advice:
    """What the bot would do for a seat; `same` says whether its player did just that."""

    bot: str
    name: str
    do: str
    cards: list[str]
    rank: str
    same: bool


def advice(game: Game, record: dict[str, Any], step: int, bot: str) -> Advice | None:
    """The bot's choice after so many actions; None where there is nothing to choose.

    It is computed from the record of a game that is over, so no table waits for it, and kept.
    """
    actions = record_input.actions_of(record)
    if bot not in ADVISERS or not 0 <= step < len(actions):
        return None
    chosen = _kept(game, record, step, bot)
    if chosen is None:
        return None
    return Advice(
        bot=bot,
        name=record["players"][chosen.seat],
        do=chosen.do,
        cards=codes(chosen.cards),
        rank="" if chosen.rank is None else rank(RANKS[chosen.rank]),
        same=chosen == actions[step],
    )


def _kept(game: Game, record: dict[str, Any], step: int, bot: str) -> Action | None:
    key = f"advice:{game.pk}:{step}:{bot}:{engine_bots.make(bot, SEED).version}"
    with suppress(RedisError):
        if (found := cache.get(key)) is not None:
            return action_from_json(found)
    chosen = _choose(record, step, bot)
    if chosen is not None:
        with suppress(RedisError):
            cache.set(key, action_to_json(chosen), KEPT)
    return chosen


def _choose(record: dict[str, Any], step: int, bot: str) -> Action | None:
    state = record_input.start_of(record)
    for number, action in enumerate(record_input.actions_of(record)[:step], start=1):
        records.step(state, action, number)
    try:
        legal = engine_game.legal_actions(state)
    except TooMany:
        return None
    if len(legal) < 2:
        return None
    return engine_bots.make(bot, SEED).choose(engine_game.observe(state, state.turn), legal)
