"""The door between a night and whatever plays its tables in the browser.

Nights know nothing of online play. `league.online` registers here, and is told in the transaction
of the change, with the event's row locked; without it every table has real cards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from accounts.models import User
from league.models import Entrant, Event, LiveTable, Round, Sitting
from tables.selectors.boards import Board


@dataclass(frozen=True)
class WallGame:
    """A game that is on at an online table, as the table's spectators see it."""

    table_no: int
    board: Board
    is_chosen: bool


class OnlineTables:
    """What a night tells its online tables, and what its pages ask; as it stands, real cards."""

    def open_round(self, *, round_: Round, event: Event, by: User | None) -> None:
        """Open a table for each one of a round that was just released, if all play online."""

    def open_formed(self, *, sitting: Sitting, event: Event) -> None:
        """Open a table that has enough people now, if all play online."""

    def end_tables(self, *, event: Event, round_: Round | None = None, now: bool) -> None:
        """End the tables of an event, or of one of its rounds: `now`, or after the game."""

    def follow(self, *, event: Event) -> None:
        """Seat at the tables the holders of their chairs on a night whose chairs change hands."""

    def following(self, *, event: Event) -> dict[int, int]:
        """Return the number of the game that is dealt next, by sitting; locks the tables."""
        return {}

    def game_on(self, *, sitting: Sitting, event: Event) -> tuple[LiveTable | None, bool]:
        """Return the sitting's table, locked, its games taken; and whether a game is on."""
        return None, False

    def seat_entrant(self, *, live: LiveTable, chair: int, entrant: Entrant) -> None:
        """Give a chair to someone else from the next game; Refusal where refused."""

    def take_waiting(self, *, event: Event) -> None:
        """Record the finished games whose news got lost."""

    def tables_of(self, event: Event) -> dict[int, str]:
        """Return the key of the open table of each sitting that has one."""
        return {}

    def key_at(self, sitting: Sitting) -> str:
        """Return the key of the sitting's open table; "" for real cards."""
        return ""

    def table_of_user(self, event: Event, user: Any) -> str:
        """Return the key of the table where this account has a chair; "" for none."""
        return ""

    def to_watch(
        self, request: HttpRequest, event: Event, waiting: Sequence[Entrant]
    ) -> dict[int, list[Any]]:
        """Return, by entrant who waits for a chair, the tables to watch with their addresses."""
        return {}

    def game_on_wall(self, event: Event) -> WallGame | None:
        """Return the game that the big screen shows now; None for none."""
        return None

    def chairs_of(
        self, request: HttpRequest, event: Event, player_ids: Collection[int]
    ) -> list[Any]:
        """Return the chairs these players have online, each with its personal address."""
        return []


_registered: OnlineTables = OnlineTables()


def register(online: OnlineTables) -> None:
    """Let nights tell and ask these tables from now on."""
    global _registered
    _registered = online


def tables() -> OnlineTables:
    """Return what plays the tables of nights online."""
    return _registered
