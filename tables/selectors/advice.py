"""What a bot would have done at a moment of a finished game, seeing what that seat could see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from engine import bots as engine_bots
from engine import records
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json, action_to_json
from engine.rules.cards import RANKS
from engine.rules.exchange import TooMany
from tables.card_text import codes, rank
from tables.models import Game

ADVISERS = ("master", "sage", "planner", "greedy")
"""Bots that may be asked; each answers within about a tenth of a second."""
WOULD = {
    "pass": _("pass"),
    "play": _("play this"),
    "lock": _("play this and lock the trick"),
    "declare": _("declare an instant win"),
    "decline": _("play on"),
    "ask": _("ask for %(rank)s"),
    "give": _("give this away"),
}
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

    @property
    def says(self) -> str:
        """What the bot would do, after its name."""
        return str(WOULD.get(self.do, WOULD["give"])) % {"rank": self.rank}


def advice(game: Game, record: dict[str, Any], step: int, bot: str) -> Advice | None:
    """Return the bot's choice after so many actions; None where there is nothing to choose.

    It is computed from the record of a game that is over, so no table waits for it, and kept.
    """
    actions = read.actions_of(record)
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


def _kept(game: Game, record: dict[str, Any], step: int, bot: str) -> SeatAction | None:
    key = f"advice:{game.pk}:{step}:{bot}:{engine_bots.make(bot, SEED).version}"
    if (found := cache.get(key)) is not None:
        return action_from_json(found)
    chosen = _choose(record, step, bot)
    if chosen is not None:
        cache.set(key, action_to_json(chosen), KEPT)
    return chosen


def _choose(record: dict[str, Any], step: int, bot: str) -> SeatAction | None:
    state = read.start_of(record)
    for number, action in enumerate(read.actions_of(record)[:step], start=1):
        records.step(state, action, number)
    try:
        legal = engine_game.legal_actions(state)
    except TooMany:
        return None
    if len(legal) < 2:
        return None
    return engine_bots.make(bot, SEED).choose(engine_game.observe(state, state.turn), legal)
