"""The state of a game, replayed from its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.cards import parse_cards
from engine.rules.state import INSTANT_WIN, PLAY, State
from tables.base import rulesets
from tables.models import Game


@dataclass
class ReplayedGame:
    """A game after `seq` actions; `tricks` are the indexes in `state.log` where tricks begin."""

    state: State
    seq: int = 0
    tricks: list[int] = field(default_factory=list)

    def twin(self) -> ReplayedGame:
        """Return an independent copy."""
        return replace(self, state=self.state.copy(), tricks=self.tricks[:])

    def apply(self, action: SeatAction) -> None:
        """Apply one action, or raise the engine's `IllegalAction` and change nothing."""
        leads = self.state.phase == PLAY and not self.state.top and action.do in ("play", "lock")
        at = len(self.state.log)
        engine_game.apply(self.state, action)
        self.seq += 1
        if leads:
            self.tricks.append(at)

    def follow(self, bodies: Iterable[dict[str, Any]]) -> ReplayedGame:
        """Apply these actions of the log; return the game."""
        for body in bodies:
            self.apply(action_from_json(body))
        return self

    def may_declare(self, seat: int) -> bool:
        """Return whether the seat may declare an instant win in the open window."""
        return self.state.phase == INSTANT_WIN and seat in self.state.asked


def as_dealt(game: Game) -> ReplayedGame:
    """Return the game as dealt."""
    hands = [parse_cards(text) for text in game.dealt or ()]
    return ReplayedGame(
        engine_game.start(
            rulesets.of(game.table),
            hands,
            previous=read.previous_of(game.previous, len(hands)),
            stake=game.table.stake,
        )
    )


def names_of(record: Mapping[str, Any]) -> list[str]:
    """Return the seats' names, or their numbers where the record has none."""
    given = record.get("players")
    seats = len(record["hands"])
    if isinstance(given, list) and len(given) == seats:
        return [str(name)[:60] for name in given]
    return [str(seat) for seat in range(seats)]
