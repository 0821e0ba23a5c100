"""A bot's advice at a step of a finished game, from what the acting seat could see."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.bots.values import ActionValue
from engine.records import read
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.cards import RANKS
from tables.base.card_text import codes, rank, spoken
from tables.play.acts import advising
from tables.play.acts.advising import AdviceQuestion
from tables.refusals import REASONS

WOULD = {
    "pass": _("pass"),
    "play": _("play this"),
    "lock": _("play this and lock the trick"),
    "declare": _("declare an instant win"),
    "decline": _("play on"),
    "ask": _("ask for %(rank)s"),
    "give": _("give this away"),
}
SHOWN = 5
TELLS = 0.12
"""Minimum difference in mean places, per opponent, that tells two moves apart.

When strong players played on, at most half of a smaller difference came true.
"""
SURE = 2
"""Minimum of the same difference in standard errors; it must reach both minimums."""


@dataclass(frozen=True)
class MoveWorth:
    """The bot's estimate of a move: the mean place and money of its imagined games.

    `gap` and `money_gap` are the differences to the first move, each with its standard error.
    `is_close` means that `gap` is too small to tell the moves apart. `played` marks the player's
    own move.
    """

    do: str
    cards: str
    place: float
    gap: float
    error: float
    money: float
    money_gap: float
    money_error: float
    is_close: bool
    played: bool

    @property
    def move(self) -> str:
        """The move in words: its cards, or the word for a pass."""
        if self.do == "lock":
            return gettext("%(cards)s, locking the trick") % {"cards": self.cards}
        return self.cards or str(WOULD["pass"])


@dataclass(frozen=True)
class Advice:
    """The move that the bot would choose for a seat; `same` means that its player chose it too.

    `worths` are the moves that it values most and the one played, its own choice first; only a bot
    that searches has them. They come from `games` imagined games; 0 means that both hands were
    known and every line was played. `money` tells whether money is at stake.
    """

    name: str
    do: str
    cards: list[str]
    rank: str
    same: bool
    worths: list[MoveWorth]
    games: int
    money: bool
    tells: float

    @property
    def says(self) -> str:
        """The bot's move in words, to stand after its name."""
        return str(WOULD.get(self.do, WOULD["give"])) % {"rank": self.rank}


@dataclass(frozen=True)
class AdviceShown:
    """The answer to a question on a page: advice, a sentence instead, or neither yet."""

    bot: str
    advice: Advice | None = None
    sentence: str = ""

    @property
    def is_thinking(self) -> bool:
        """Whether there is nothing to show yet."""
        return not (self.advice or self.sentence)


def asked(question: AdviceQuestion, record: dict[str, Any]) -> AdviceShown:
    """Return the state of a question about this record that was already asked."""
    found = advising.found(question)
    if found is None or time.time() < found.get("asked", 0) + advising.PATIENCE:
        return AdviceShown(question.bot)
    if "asked" in found:
        return AdviceShown(question.bot, sentence=str(REASONS["no_adviser"]))
    if found["chosen"] is None:
        return AdviceShown(question.bot, sentence=gettext("There is nothing to choose here."))
    chosen = action_from_json(found["chosen"])
    values = [ActionValue(action_from_json(action), *rest) for action, *rest in found["values"]]
    return AdviceShown(question.bot, _advice(chosen, values, record, question.step))


def _advice(
    chosen: SeatAction, values: list[ActionValue], record: dict[str, Any], step: int
) -> Advice:
    played = read.actions_of(record)[step]
    tells = TELLS * (len(record["hands"]) - 1)
    worths = [_worth(value, values[0], played, tells) for value in values]
    return Advice(
        name=record["players"][chosen.seat],
        do=chosen.do,
        cards=codes(chosen.cards),
        rank="" if chosen.rank is None else rank(RANKS[chosen.rank]),
        same=chosen == played,
        worths=[worth for at, worth in enumerate(worths) if at < SHOWN or worth.played],
        games=sum(value.games for value in values),
        money=any(value.money or value.money_error for value in values),
        tells=tells,
    )


def _worth(value: ActionValue, best: ActionValue, played: SeatAction, tells: float) -> MoveWorth:
    gap = value.place - best.place
    needed = max(tells, SURE * value.place_error) if value.games else 0
    return MoveWorth(
        do=value.action.do,
        cards=spoken(value.action.cards),
        place=value.place,
        gap=gap,
        error=value.place_error,
        money=value.money,
        money_gap=value.money - best.money,
        money_error=value.money_error,
        is_close=gap < needed and value is not best,
        played=value.action == played,
    )
