"""The interface between nights and the code that plays their tables online.

Nights do not import online play. `league.online` registers here and is called in the transaction of
the change, with the event's row locked; without it every table plays with real cards.
"""

from collections.abc import Collection
from dataclasses import dataclass

from accounts.models import User
from league.models import Entrant, Event, LiveTable, Round, Sitting
from tables.play.pages.boards import Board


@dataclass(frozen=True)
class WallGame:
    """A game in progress at an online table, as the table's spectators see it."""

    table_no: int
    board: Board


class OnlineTables:
    """The calls from nights to their online tables; this default plays with real cards."""

    def open_round(self, *, round_: Round, event: Event, by: User | None) -> None:
        """Open an online table for each table of a released round, if all play online."""

    def end_tables(self, *, event: Event, round_: Round | None = None, now: bool) -> None:
        """End an event's or a round's online tables: `now`, or after the current game."""

    def follow(self, *, event: Event, formed: Collection[Sitting] = ()) -> None:
        """Update a queue night's online tables to its current seats.

        Tables that have just become large enough are `formed`: they open, if all play online.
        """

    def following(self, *, event: Event) -> dict[int, int]:
        """Return the number of the next game to deal by sitting; locks the tables."""
        return {}

    def game_on(self, *, sitting: Sitting, event: Event) -> tuple[LiveTable | None, bool]:
        """Return the locked online table, its games recorded, and whether a game is on."""
        return None, False

    def seat_entrant(self, *, live: LiveTable, chair: int, entrant: Entrant) -> None:
        """Give a seat to another entrant from the next game on; Refusal if not possible."""

    def take_games(self, *, event: Event) -> None:
        """Record finished games whose notification was lost."""

    def game_on_wall(self, event: Event) -> WallGame | None:
        """Return the game that the big screen shows now, if any."""
        return None


_registered: OnlineTables = OnlineTables()


def register(online: OnlineTables) -> None:
    """Set the online tables that nights use from now on."""
    global _registered
    _registered = online


def tables() -> OnlineTables:
    """Return the registered online tables."""
    return _registered
