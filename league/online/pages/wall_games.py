"""The online game on the big screen, as its spectators see it."""

from django.utils import timezone

from league.models import Event, LiveTable
from league.nights.online import WallGame
from tables.models import Table
from tables.play.facts import watched
from tables.play.pages import boards

TURN, SHOWN = 90, 30
"""Seconds of each table's turn, and the seconds at its end that show the table's game."""


def game_on_wall(event: Event) -> WallGame | None:
    """Return the game that the big screen shows now; None for its other pages.

    The table that an organiser has chosen comes first. Without a choice the tables take turns, each
    for the last `SHOWN` seconds of its turn. Turns follow the server's clock, so all screens agree.
    """
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    tables = list(
        found.select_related("table__arrangement", "sitting").order_by(
            "sitting__round__number", "sitting__table_no"
        )
    )
    if chosen := [live for live in tables if live.on_wall_at]:
        return _seen(chosen[-1])
    turn, second = divmod(int(timezone.now().timestamp()), TURN)
    if not tables or second < TURN - SHOWN:
        return None
    first = turn % len(tables)
    seen = (_seen(live) for live in tables[first:] + tables[:first])
    return next((game for game in seen if game), None)


def _seen(live: LiveTable) -> WallGame | None:
    """Return the game as spectators see it, with their delay; None between games."""
    table = live.table
    if table.status != Table.Status.PLAYING and not table.watch_delay:
        return None
    board = boards.board(watched.as_seen(table, None))
    if not board.phase:
        return None
    return WallGame(table_no=live.sitting.table_no, board=board)
