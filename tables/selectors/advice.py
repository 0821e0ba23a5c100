"""What a bot would have done at a moment of a finished game, seeing what that seat could see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine import bots as engine_bots
from engine import records
from engine.bots.values import ActionValue
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json, action_to_json
from engine.rules.cards import RANKS
from engine.rules.exchange import TooMany
from tables.card_text import codes, rank, spoken
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
GAMES = 1000
"""Imagined games behind the values, in all: about a tenth of a second."""
SHOWN = 5


@dataclass(frozen=True)
class MoveWorth:
    """What the bot thinks a move is worth: the mean place and money, with standard errors.

    `played` says whether the player did just that.
    """

    do: str
    cards: str
    place: float
    place_error: float
    money: float
    money_error: float
    played: bool

    @property
    def move(self) -> str:
        """The move in words: its cards, or that it is a pass."""
        if self.do == "lock":
            return gettext("%(cards)s, locking the trick") % {"cards": self.cards}
        return self.cards or str(WOULD["pass"])


@dataclass(frozen=True)
class Advice:
    """What the bot would do for a seat; `same` says whether its player did just that.

    `worths` are the moves that it values most and the one played, of a bot that searches; `games`
    is how many games they come from, 0 where both hands were known and every line was played.
    `money` says whether there is any to win.
    """

    bot: str
    name: str
    do: str
    cards: list[str]
    rank: str
    same: bool
    worths: list[MoveWorth]
    games: int
    money: bool

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
    asked = _kept(game, record, step, bot)
    if asked is None:
        return None
    chosen, values = asked
    worths = [_worth(value, actions[step]) for value in values]
    return Advice(
        bot=bot,
        name=record["players"][chosen.seat],
        do=chosen.do,
        cards=codes(chosen.cards),
        rank="" if chosen.rank is None else rank(RANKS[chosen.rank]),
        same=chosen == actions[step],
        worths=[worth for at, worth in enumerate(worths) if at < SHOWN or worth.played],
        games=sum(value.games for value in values),
        money=any(value.money or value.money_error for value in values),
    )


def _worth(value: ActionValue, played: SeatAction) -> MoveWorth:
    return MoveWorth(
        do=value.action.do,
        cards=spoken(value.action.cards),
        place=value.place,
        place_error=value.place_error,
        money=value.money,
        money_error=value.money_error,
        played=value.action == played,
    )


_Asked = tuple[SeatAction, list[ActionValue]]


def _kept(game: Game, record: dict[str, Any], step: int, bot: str) -> _Asked | None:
    key = f"advice:{game.pk}:{step}:{bot}:{engine_bots.make(bot, SEED).version}:{GAMES}"
    if (found := cache.get(key)) is not None:
        chosen, values = found
        return action_from_json(chosen), [
            ActionValue(action_from_json(v), *rest) for v, *rest in values
        ]
    asked = _ask(record, step, bot)
    if asked is not None:
        chosen, values = asked
        cache.set(
            key, [action_to_json(chosen), [[action_to_json(v), *r] for v, *r in values]], KEPT
        )
    return asked


def _ask(record: dict[str, Any], step: int, bot: str) -> _Asked | None:
    """Return what the bot would do, and what it thinks of the moves, those it likes most first."""
    state = read.start_of(record)
    for number, action in enumerate(read.actions_of(record)[:step], start=1):
        records.step(state, action, number)
    try:
        legal = engine_game.legal_actions(state)
    except TooMany:
        return None
    if len(legal) < 2:
        return None
    seen = engine_game.observe(state, state.turn)
    asked = engine_bots.make(bot, SEED)
    values = asked.values(seen, legal, GAMES) if engine_bots.is_searching(asked) else []
    values.sort(key=lambda value: (value.place, -value.money))
    return asked.choose(seen, legal), values
