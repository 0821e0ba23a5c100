"""Notifications of table changes to open pages, sent after the commit and many at once.

PostgreSQL lets transactions that notify commit one after the other, so no move does it itself: a
thread of the process sends what has come together. If the process is killed before, listeners find
the change by their next look (`tables.live.announcements`).
"""

import logging
import time
from collections.abc import Iterable
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread

from django.db import connection, transaction
from django.db.models import Max

from tables.models import Table

log = logging.getLogger(__name__)

CHANNEL = "tables_live"
PAUSE = 0.015
MOST = 100
"""Seconds between two notifications of a process, and the news in one of at most 8,000 bytes."""
TALK = "talk"
ACCOUNT = "~"
"""Prefix of an account's notifications; no table key starts with it."""


def changed(table: Table) -> None:
    """Notify every web process that the table changed."""
    _notify(news(table))


def news(table: Table) -> str:
    """Return the notification of a changed table: its key and the name of its state."""
    return f"{table.key}:{name_of(table)}"


def name_of(table: Table) -> str:
    """Return a name of the table's state that stays unique if a database lost the newest states."""
    due = table.due_at.isoformat() if table.due_at else ""
    return f"{table.version}:{table.access_version}:{due}"


def talked(table: Table) -> None:
    """Notify every web process of a new message at the table."""
    _notify(f"{table.key}:{TALK}")


def account(user_id: int) -> None:
    """Notify every web process that the account's program may have something new to do."""
    _notify(f"{ACCOUNT}{user_id}:0")


def present(keys: Iterable[str]) -> list[tuple[str, str, int | None]]:
    """Return each of these tables' key, the name of its state, and its newest message."""
    tables = Table.objects.filter(key__in=keys).annotate(last_message=Max("messages"))
    return [(table.key, name_of(table), table.last_message) for table in tables]


_waiting: SimpleQueue[str] = SimpleQueue()
_starting = Lock()
_sender = Thread()


def _notify(payload: str) -> None:
    transaction.on_commit(partial(_soon, payload))


def _soon(payload: str) -> None:
    global _sender
    _waiting.put(payload)
    with _starting:
        if not _sender.is_alive():
            _sender = Thread(target=_send_all, name="announcements", daemon=True)
            _sender.start()


def _send_all() -> None:
    """Send at once what comes after a pause, and together what comes in it."""
    while True:
        news = [_waiting.get()]
        while len(news) < MOST and not _waiting.empty():
            news.append(_waiting.get())
        try:
            send(news)
        except Exception:
            log.exception("%s announcements are lost", len(news))
        finally:
            connection.close()
        time.sleep(PAUSE)


def send(news: Iterable[str]) -> None:
    """Notify every web process of these changes, the newest of each kind once."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, "\n".join(dict.fromkeys(news))])
