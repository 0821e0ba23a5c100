"""The interface between tables and the app that opens them for others.

Tables know nothing of clubs: `league.online` registers a host here. Events that need no answer are
sent by `tables.signals` instead.
"""

from collections.abc import Collection, Sequence
from typing import Any

from tables.base.faces import Face
from tables.models import Seat, Table


class Host:
    """The calls from tables to the app behind them; this class has the defaults without one."""

    def name_of(self, user: Any) -> str:
        """Return the name under which the user plays elsewhere; "" if there is none."""
        return ""

    def name_of_member(self, table: Table, user: Any) -> str:
        """Return the user's name at a table for members; "" if the user may not sit there."""
        return ""

    def faces(self, table: Table, seats: Sequence[Seat]) -> dict[str, Face]:
        """Return by name the faces that players of these seats have on other pages."""
        return {}

    def faces_of(self, users: Collection[int | None]) -> dict[int | None, Face]:
        """Return the faces that accounts have at tables which people opened themselves."""
        return {}

    def note_player(self, seat: Seat) -> None:
        """Note who takes a members' seat; the caller's transaction has locked the table."""

    def leave(self, seat: Seat) -> None:
        """Take a player out of the rotation between games, or raise `TableRefusal`.

        The caller holds no lock, because a host's own locks must come before the table's.
        """

    def uncounted(self, table: Table) -> frozenset[int]:
        """Return the numbers of the table's games that do not count elsewhere."""
        return frozenset()

    def may_watch(self, table: Table, user: Any, token: str = "") -> bool:
        """Return whether a visitor without a seat may see the money and the names of a table.

        `token` is the secret of a seat that the browser stores for its turn.
        """
        return True

    def looks_after(self, table: Table, user: Any) -> bool:
        """Return whether the user moderates the chat of a table opened for others."""
        return False


_registered: Host = Host()


def register(host: Host) -> None:
    global _registered
    _registered = host


def host() -> Host:
    return _registered
