"""The public board as HTML, rendered once for each version and language.

It contains public facts only, so all viewers share the cached copy.
"""

import threading

from django.utils.translation import get_language

from tables.base.fifo_cache import FifoCache, TextCache
from tables.play.facts.positions import Position, Stamp
from tables.play.pages import boards
from tables.web import drawn

MOST_CACHED = 1000


class RenderedBoard:
    """A board and its HTML, rendered on first use, and again where the text gave way."""

    def __init__(self, position: Position) -> None:
        self.stamp = position.stamp
        self.board = boards.board(position)
        self.key = (position.table.pk, get_language(), position.stamp)
        self._late = ""
        self._is_late = bool(position.late)
        self._rendering = threading.Lock()

    @property
    def html(self) -> str:
        with self._rendering:  # Concurrent requests wait instead of rendering it again.
            if self._is_late:
                self._late = self._late or drawn.board(self.board)
                return self._late
            if (known := _html.get(self.key)) is None:
                _html.put(self.key, known := drawn.board(self.board))
        return known


_html: TextCache[tuple[int, str | None, Stamp], str] = TextCache()
_cached: FifoCache[tuple[int, str | None], RenderedBoard] = FifoCache(MOST_CACHED)
_beginning = threading.Lock()


def rendered_board(position: Position) -> RenderedBoard:
    """Return the board of a table in the active language."""
    if position.late:
        return RenderedBoard(position)
    key = (position.table.pk, get_language())
    with _beginning:
        cached = _cached.get(key)
        if cached is None or cached.stamp != position.stamp:
            if cached is not None:
                _html.forget(cached.key)
            cached = RenderedBoard(position)
            _cached.put(key, cached)
    return cached
