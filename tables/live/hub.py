"""Distribution of a table's news to this process's listeners, rendered once for each view.

A listener's queue holds only the newest rendering of each part, so a slow one skips the past.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import NamedTuple

from tables.base.announce import TALK
from tables.live.announcements import Announcements

log = logging.getLogger(__name__)

BOARD = "board"
PARTS = (BOARD, TALK)
View = Hashable
"""The key of a rendering: a page's language, or a program's account."""


class Rendered(NamedTuple):
    """A part of a table, for listeners under this access version.

    `now` returns the bytes to send at this moment, with the time that is left. A rendering with the
    `mark` of the previous one is not sent. `last` ends the stream.
    """

    now: Callable[[], bytes]
    mark: str = ""
    access: int = 1
    last: bool = False


Render = Callable[[str, str, str, frozenset[View]], Awaitable[Mapping[View, Rendered]]]


class Listener:
    """One open stream of a table: its view, and the parts that are not sent yet.

    A page's has the key of the player's `seat`, 0 for a spectator's.
    """

    def __init__(self, key: str, view: View, access: int = 1, *, seat: int | None = None) -> None:
        self.key = key
        self.seat = seat or 0
        self.watches = seat == 0
        self.view = view
        self.access = access
        self._news: dict[str, Rendered] = {}
        self._marks: dict[str, str] = {}
        self._over = False
        self._waiting: asyncio.Future[None] | None = None

    def give(self, rendered: Rendered | None, part: str = BOARD) -> None:
        """Queue a part, in place of an older one that was not taken.

        None ends the stream, and so does a rendering for another access version.
        """
        if rendered is None or rendered.access != self.access:
            self.end()
        elif not rendered.mark or rendered.mark != self._marks.get(part):
            self._news[part] = rendered
            self._marks[part] = rendered.mark
            self._wake()

    def end(self) -> None:
        """End the stream and wake its reader."""
        self._over = True
        self._wake()

    async def take(self, seconds: float = 3600) -> list[Rendered] | None:
        """Wait for new parts and return them, the board before the chat.

        The list is empty after `seconds` without any. None means that the stream is over.
        """
        if not self._news and not self._over:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(seconds, self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        if self._over:
            return None
        parts, self._news = self._news, {}
        return [parts[part] for part in PARTS if part in parts]

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """The listeners of this process by table, and the renderings sent to them.

    `render` makes a part of a table for several views at once; it returns nothing for a table that
    does not exist. `keeps_newest` stores the newest rendering for listeners who join later: it pays
    where many share a view, as pages do.
    """

    def __init__(
        self,
        announcements: Announcements,
        render: Render,
        *,
        parts: tuple[str, ...] = PARTS,
        keeps_newest: bool = True,
    ) -> None:
        self._announcements = announcements
        self._render = render
        self._parts = parts
        self._keeps_newest = keeps_newest
        self._open: dict[str, set[Listener]] = defaultdict(set)
        self._watching: Counter[str] = Counter()
        self.elsewhere: Mapping[str, int] = {}
        self._rendering: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._again: set[tuple[str, str]] = set()
        self._newest: dict[tuple[str, str], Mapping[View, Rendered]] = {}
        self._names: dict[str, str] = {}
        self.is_closing = False

    def close(self) -> None:
        """End every stream, and each that is still opened: the process stops."""
        self.is_closing = True
        for listener in [one for many in self._open.values() for one in many]:
            listener.end()

    def join(self, listener: Listener) -> None:
        """Add a listener and give it the newest parts.

        A stored rendering is current while announcements are heard, so a thousand pages that join
        cause no thousand renderings.
        """
        if self.is_closing:
            listener.end()
        self._open[listener.key].add(listener)
        self._watching[listener.key] += listener.watches
        self._announcements.hear(listener.key, self._hear)
        for part in self._parts:
            newest = self._newest.get((listener.key, part), {}).get(listener.view)
            if newest and newest.access == listener.access and self._announcements.are_heard:
                listener.give(newest, part)
            else:
                self.refresh(listener.key, part)

    def leave(self, listener: Listener) -> None:
        self._open[listener.key].discard(listener)
        self._watching[listener.key] -= listener.watches
        if not self._open[listener.key]:
            del self._open[listener.key], self._watching[listener.key]
            self._forget(listener.key)
            self._announcements.ignore(listener.key, self._hear)

    @property
    def is_current(self) -> bool:
        """Return whether news is heard, and all of it is rendered."""
        return self._announcements.are_heard and not self._rendering

    def announced(self, key: str) -> str:
        """Return the name of the table's announced state; "" if none was announced."""
        return self._names.get(key, "")

    def watchers(self, key: str) -> int:
        """Return the number of spectators' pages that have this table open, in all processes."""
        return self._watching[key] + self.elsewhere.get(key, 0)

    def watched(self) -> dict[str, int]:
        """Return this process's number of spectators by table key, without zeros."""
        return {key: number for key, number in self._watching.items() if number}

    def listeners(self) -> int:
        return sum(map(len, self._open.values()))

    def _hear(self, key: str, what: str) -> None:
        """Refresh the announced part; every part if `what` is empty."""
        if not what:
            self._forget(key)
            for part in self._parts:
                self.refresh(key, part)
        elif what != TALK:
            self._names[key] = what
            self.refresh(key)
        elif TALK in self._parts:
            self.refresh(key, TALK)

    def _forget(self, key: str) -> None:
        self._names.pop(key, None)
        for part in self._parts:
            self._newest.pop((key, part), None)

    def refresh(self, key: str, part: str = BOARD) -> None:
        """Render a part of a table for its listeners; at most one rendering runs at a time."""
        if key not in self._open:
            return
        if (key, part) in self._rendering:
            self._again.add((key, part))
            return
        task = asyncio.get_running_loop().create_task(self._send(key, part))
        self._rendering[key, part] = task

    async def _send(self, key: str, part: str) -> None:
        try:
            views = frozenset(listener.view for listener in self._open.get(key, ()))
            rendered = await self._render(key, part, self.announced(key), views)
            if key in self._open and self._keeps_newest:
                self._newest[key, part] = rendered
            for listener in list(self._open.get(key, ())):
                if listener.view in views:
                    listener.give(rendered.get(listener.view), part)
        except Exception:
            log.exception("The %s of table %s cannot be sent", part, key)
        finally:
            del self._rendering[key, part]
            if (key, part) in self._again:
                self._again.discard((key, part))
                self.refresh(key, part)
