"""The public board as everybody is shown it: rendered once for each version and language.

It is made from the board that everybody may see and from nothing else, so it may be kept.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import get_language

from tables.kept import Kept
from tables.selectors import boards
from tables.selectors.boards import Board
from tables.services.positions import Position, Stamp

MOST_KEPT = 1000


class Shown(NamedTuple):
    """A board and its part of the page."""

    stamp: Stamp
    board: Board
    html: str


_kept: Kept[tuple[int, str | None], Shown] = Kept(MOST_KEPT)
_rendering = threading.Lock()


def shown(position: Position) -> Shown:
    """The board of a table in the language that is active."""
    key = (position.table.pk, get_language())
    with _rendering:  # Who comes at the same moment waits for it instead of rendering it too.
        kept = _kept.get(key)
        if kept is None or kept.stamp != position.stamp:
            board = boards.board(position)
            context = {"table": position.table, "board": board, "marks": boards.marks(board)}
            html = render_to_string("tables/board.html", context)
            kept = Shown(position.stamp, board, html)
            _kept.put(key, kept)
    return kept
