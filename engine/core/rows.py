"""Games side by side on the kernels (`kernels.abreast`): positions as rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..rules.errors import EngineError
from ..rules.ruleset import Ruleset
from ..rules.state import State
from .compiled import Core, Numbers
from .games import POLICIES, Games, join_hands, standing, words
from .kernels import abreast, layout
from .kernels.abreast import ACT, AGAIN, LOOK, ROW_SIZE

__all__ = ["ACT", "AGAIN", "LOOK", "Rows", "Sheet"]


class Sheet(NamedTuple):
    """The arrays of some games, each flat: `kernels.abreast` has what they hold."""

    rows: Numbers
    legal: Numbers
    seen: Numbers
    masks: Numbers

    def copy(self) -> Sheet:
        """Return an independent copy."""
        return Sheet(*[array.copy() for array in self])


class Rows(Games):
    """The kernels with a ruleset, for any number of sheets; `bots` are those of the house."""

    def __init__(
        self, core: Core, ruleset: Ruleset, players: int, bots: Sequence[str | None] = ()
    ) -> None:
        super().__init__(core, ruleset, players)
        policies = [POLICIES[bot] if bot else abreast.OUTSIDE for bot in bots]
        for seat in range(players):
            self.work[layout.POLICIES + seat] = policies[seat] if bots else abreast.OUTSIDE

    def sheet(self, games: int) -> Sheet:
        """Return the arrays for some games, all over: `go` with AGAIN begins them."""
        blank, bytes_ = self._core.blank, self._core.bytes
        rows = blank(games * ROW_SIZE)
        for game in range(games):
            rows[ROW_SIZE * game] = self.players
            rows[ROW_SIZE * game + abreast.ROW_OVER] = 1
        return Sheet(
            rows, blank(games * abreast.LEGAL_SIZE + abreast.MOST_ACTIONS),
            bytes_(games * abreast.SEEN_SIZE), bytes_(games * abreast.MOST_ACTIONS),
        )  # fmt: skip

    def go(self, sheet: Sheet, actions: Numbers, what: int) -> None:
        """Let all games of a sheet go on; raises EngineError for an action that is not legal."""
        wrong = self._core.step_games(
            self.rules, self._plan, self.work, sheet.rows, sheet.legal, actions, sheet.seen,
            sheet.masks, len(actions), what,
        )  # fmt: skip
        if wrong >= 0:
            raise EngineError(f"action {actions[wrong]} is not legal in game {wrong}")

    def stand_in(self, sheet: Sheet, state: State) -> None:
        """Write a state of phase PLAY, before its first play, into a sheet of one game."""
        rows = sheet.rows
        hands = [word for hand in state.hands for word in words(hand)]
        rows[0:20] = self._core.array(standing(state))
        for at in (layout.HANDS, abreast.ROW_DEALT):
            rows[at : at + len(hands)] = self._core.array(hands)
        rows[abreast.ROW_OVER] = 0
        rows[abreast.ROW_LEADER] = state.leader

    def hands_of(self, sheet: Sheet) -> list[int]:
        """Return the packed hands of a sheet's first game."""
        return join_hands(sheet.rows[layout.HANDS :], self.players)

    def last_state(self, row: list[int]) -> State:
        """Return the last state of a game that is over, with its places and its money."""
        events = row[abreast.ROW_EVENTS :][: layout.EVENT * row[layout.EVENTS]]
        dealt, hands = row[abreast.ROW_DEALT :], row[layout.HANDS :]
        return self.over(dealt, hands, events, row[abreast.ROW_LEADER])
