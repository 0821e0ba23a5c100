"""Questions to a bot about a finished game: a page asks, a worker answers.

Questions and answers live only in the cache and may be lost; the next reader then asks again. An
answer covers the actions of the seat in turn and reveals no other card.
"""

from __future__ import annotations

import hashlib
import time
from typing import Any, NamedTuple

from django.core.cache import cache
from kombu.exceptions import OperationalError

from engine import bots as engine_bots
from engine import records
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import action_to_json
from engine.rules.exchange import TooMany
from tables.models import Game
from tables.play.facts import positions
from tables.refusals import TableRefusal
from tables.signals import advice_wanted

ADVISERS = ("master", "sage", "planner", "greedy")
SEED = 1
GAMES = 1000
"""Total of simulated games behind the values."""
SLOTS = tuple(f"advice-slot:{number}" for number in range(8))
"""Slots of the queue, including those in work; without a free slot a question is refused."""
PATIENCE = 30
"""Seconds a page waits for an answer."""
ASKED_SECONDS = 60
"""Seconds after which an unanswered question expires and may be asked again."""
CACHED_SECONDS = 3600


class AdviceQuestion(NamedTuple):
    """A question to a bot: its choice after `step` actions of a finished game."""

    game_id: int
    commitment: str
    step: int
    bot: str

    @property
    def key(self) -> str:
        """Return the question's cache key, the same for all readers."""
        asked = [*self, engine_bots.version_of(self.bot), GAMES]
        return "advice:" + hashlib.sha256(repr(asked).encode()).hexdigest()


def found(question: AdviceQuestion) -> dict[str, Any] | None:
    """Return the answer, `{"asked": time}` while it is pending, or `None` for a new question."""
    cached: dict[str, Any] | None = cache.get(question.key)
    return cached


def ask(question: AdviceQuestion) -> None:
    """Hand a question to the workers, unless it is pending or answered.

    Raises `TableRefusal` and drops the question if the queue is full or unreachable.
    """
    if not cache.add(question.key, {"asked": time.time()}, ASKED_SECONDS):
        return
    slot = next((slot for slot in SLOTS if cache.add(slot, 1, ASKED_SECONDS)), None)
    if slot is None:
        cache.delete(question.key)
        raise TableRefusal("advisers_busy", status=503)
    try:
        advice_wanted.send(sender=None, question=question, slot=slot, seconds=ASKED_SECONDS)
    except OperationalError:
        cache.delete_many([question.key, slot])
        raise TableRefusal("no_adviser", status=503) from None


def answer(question: AdviceQuestion, slot: str) -> None:
    """Cache the bot's answer; runs in a worker and is safe to repeat."""
    try:
        cached = found(question)
        if cached is None or "asked" in cached:
            cache.set(question.key, _think(question), CACHED_SECONDS)
    except Exception:
        cache.set(question.key, {"asked": 0}, ASKED_SECONDS)
        raise
    finally:
        cache.delete(slot)


def _think(question: AdviceQuestion) -> dict[str, Any]:
    """Return the bot's choice and its values of the moves, best first.

    A bot with values chooses by them, so that choice and values come from one evaluation. The
    choice is `None` if there is only one action, or too many.
    """
    games = Game.objects.select_related("table__ruleset").filter(over_at__isnull=False)
    game = games.get(pk=question.game_id)
    record = records.record_of(positions.replay_of(game).state, game.previous)
    state = read.start_of(record)
    for number, action in enumerate(read.actions_of(record)[: question.step], start=1):
        records.step(state, action, number)
    try:
        legal = engine_game.legal_actions(state)
    except TooMany:
        legal = []
    if len(legal) < 2:
        return {"chosen": None, "values": []}
    seen = engine_game.observe(state, state.turn)
    bot = engine_bots.make(question.bot, SEED)
    values = bot.values(seen, legal, GAMES) if engine_bots.is_searching(bot) else []
    values.sort(key=lambda value: (value.place, -value.money))
    chosen = values[0].action if values else bot.choose(seen, legal)
    return {
        "chosen": action_to_json(chosen),
        "values": [[action_to_json(action), *numbers] for action, *numbers in values],
    }
