"""The door between a table and the app behind it.

Tables know no club. `league.online` registers here; without it nobody stands behind any table.
News that nobody answers goes out by `tables.signals`.
"""

from __future__ import annotations

from typing import Any

from tables.models import Seat, Table


class Host:
    """What a table tells and asks the app behind it; without one, this."""

    def name_of_member(self, table: Table, user: Any) -> str:
        """Return the name under which the user may sit at a table for members; "" if not."""
        return ""

    def note_player(self, seat: Seat) -> None:
        """Note who takes a chair for members, in the transaction that has locked the table."""

    def leave(self, seat: Seat) -> None:
        """Let someone get up between games where chairs change hands, or raise `TableRefusal`.

        Nothing is locked yet: what a host locks besides comes before the table.
        """

    def shows_money(self, table: Table, user: Any, token: str = "") -> bool:
        """Return whether someone without a chair may see what is paid at a table for money.

        `token` is the secret of a chair that the browser keeps for its turn.
        """
        return True

    def looks_after(self, table: Table, user: Any) -> bool:
        """Return whether the user looks after the talk at a table that was opened for others."""
        return False


_registered: Host = Host()


def register(host: Host) -> None:
    """Let tables tell and ask this host from now on."""
    global _registered
    _registered = host


def host() -> Host:
    """Return the app behind the tables."""
    return _registered
