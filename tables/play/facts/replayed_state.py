"""The state of a game, replayed from its log and cached until the next action."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.cards import parse_cards
from engine.rules.state import INSTANT_WIN, PLAY, State
from tables.base import rulesets
from tables.base.fifo_cache import FifoCache
from tables.models import Game

MOST_KEPT = 500


@dataclass
class Fold:
    """A game after `seq` actions; `tricks` are the indexes in `state.log` where tricks begin."""

    state: State
    seq: int = 0
    tricks: list[int] = field(default_factory=list)

    def twin(self) -> Fold:
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

    def may_declare(self, seat: int) -> bool:
        """Return whether the seat may declare an instant win in the open window."""
        return self.state.phase == INSTANT_WIN and seat in self.state.asked


_kept: FifoCache[int, Fold] = FifoCache(MOST_KEPT)


def load(game: Game) -> Fold:
    """Return the game after all its actions, as a copy that the caller may change."""
    kept = _kept.get(game.pk)
    fold = kept.twin() if kept else start(game)
    actions = game.actions.filter(seq__gt=fold.seq).order_by("seq")
    for body in actions.values_list("body", flat=True):
        fold.apply(action_from_json(body))
    if kept is None or fold.seq > kept.seq:
        keep(game.pk, fold.twin())
    return fold


def start(game: Game) -> Fold:
    """Return the game as dealt."""
    hands = [parse_cards(text) for text in game.dealt or ()]
    return Fold(
        engine_game.start(
            rulesets.of(game.table),
            hands,
            previous=read.previous_of(game.previous, len(hands)),
            stake=game.table.stake,
        )
    )


def keep(game_id: int, fold: Fold) -> None:
    """Cache a fold of committed actions; nobody may change it afterwards."""
    _kept.put(game_id, fold)


def forget(game_id: int) -> None:
    """Drop a game from the cache, so that the next `load` replays it."""
    _kept.forget(game_id)
