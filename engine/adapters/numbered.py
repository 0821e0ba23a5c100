"""One game in numbers, behind all shapes for learners: on the compiled core wherever it can be."""

from __future__ import annotations

from functools import lru_cache
from threading import get_ident
from typing import Any

from ..core.compiled import Core
from ..core.games import listed
from ..core.kernels import abreast, layout
from ..core.rows import ACT, LOOK, Rows, Sheet
from ..core.rules_data import fits
from ..core.store import current
from ..rules.actions import SeatAction
from ..rules.errors import EngineError
from ..rules.game import apply, legal_actions, observe, outcome
from ..rules.outcome import Outcome
from ..rules.ruleset import Ruleset
from ..rules.state import INSTANT_WIN, OVER, PLAY, State
from . import actions, observations


class NumberedGame:
    """A game from a state on, before its first play; the state is changed.

    `turn` is the seat to act, -1 once the game is over.
    """

    _choices: dict[int, SeatAction]
    _sheet: Sheet
    _one: Any

    def __init__(self, state: State) -> None:
        self._state = state
        self._quick: Rows | None = None
        self._settle()

    def legal(self) -> list[int]:
        """Return the legal action numbers, rising."""
        if self._quick is None:
            return list(self._choices)
        last = abreast.LEGAL * int(self._sheet.rows[abreast.ROW_COUNT])
        return sorted(listed(self._sheet.legal[: last : abreast.LEGAL]))

    def mask(self, seat: int) -> Any:
        """Return a 1 for each action that is legal for a seat, else 0, as `seen` does."""
        if seat == self.turn and self._quick is not None:
            return self._sheet.masks
        found = [0] * actions.ACTIONS
        for number in self._choices if seat == self.turn else ():
            found[number] = 1
        return found

    def act(self, number: int) -> None:
        """Carry out an action; raises EngineError if it is not legal."""
        if self._quick is not None:
            self._one[0] = number
            self._quick.go(self._sheet, self._one, ACT | LOOK)
            rows = self._sheet.rows
            self._looking = int(rows[layout.TURN])
            self.turn = -1 if rows[abreast.ROW_OVER] else self._looking
            return
        if number not in self._choices:
            raise EngineError(f"action {number} is not legal here")
        apply(self._state, self._choices[number])
        self._settle()

    def seen(self, seat: int) -> Any:
        """Return a seat's observation, as `observations` encodes it.

        It is a list, or an array that is written again by what is asked next.
        """
        if self._quick is None:
            return observations.encode(observe(self._state, seat))
        if seat != self._looking:
            self._look(self._quick, seat)
        return self._sheet.seen

    def outcome(self) -> Outcome:
        """Return the outcome of a game that is over."""
        if self._quick is not None:
            return outcome(self._quick.last_state(listed(self._sheet.rows)))
        return outcome(self._state)

    def is_asking(self) -> bool:
        """Return whether seats are asked about their instant wins."""
        return self._quick is None and self._state.phase == INSTANT_WIN

    def hands(self) -> list[int]:
        """Return all hands, packed."""
        if self._quick is None:
            return self._state.hands
        return self._quick.hands_of(self._sheet)

    def copy(self) -> NumberedGame:
        """Return an independent copy."""
        twin = object.__new__(NumberedGame)
        twin.__dict__.update(self.__dict__)
        if self._quick is None:
            twin._state = self._state.copy()
        else:
            twin._sheet, twin._one = self._sheet.copy(), self._one.copy()
        return twin

    def _look(self, quick: Rows, seat: int) -> None:
        self._one[0] = self._looking = seat
        quick.go(self._sheet, self._one, LOOK)

    def _settle(self) -> None:
        """Take up what the state says now; go over to the kernels once they can play."""
        state, core = self._state, current()
        self.turn = -1 if state.phase == OVER else state.turn
        if core and state.phase == PLAY and not state.out and fits(state.ruleset):
            self._quick = _rows(core, state.ruleset, state.players, get_ident())
            self._sheet, self._one = self._quick.sheet(1), core.blank(1)
            self._quick.stand_in(self._sheet, state)
            self._look(self._quick, self.turn)
            return
        self._choices = {} if self.turn < 0 else actions.by_number(legal_actions(state))


@lru_cache(maxsize=8)
def _rows(core: Core, ruleset: Ruleset, players: int, thread: int) -> Rows:
    """Return the kernels of one thread: threads must not share arrays."""
    del thread
    return Rows(core, ruleset, players)
