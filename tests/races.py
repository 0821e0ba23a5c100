"""Several calls at the same moment, as from several processes."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, connections


def race(*calls: Callable[[], Any], refused: tuple[type[Exception], ...]) -> list[Any]:
    """Runs the calls in threads with connections of their own.

    Returns what each of them returned, or the error by which it was refused; every other error is
    raised here.
    """
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return call()
        except refused as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        running = [threads.submit(run, call) for call in calls]
        return [each.result(timeout=120) for each in running]


def wait_until_it_blocks() -> None:
    """Until another transaction waits for what the one of this thread holds.

    `pg_stat_activity` would not do: a transaction goes on seeing the connections it saw first.
    """
    end = time.monotonic() + 60
    with connection.cursor() as cursor:
        while time.monotonic() < end:
            cursor.execute(
                "SELECT FROM pg_locks"
                " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.rowcount:
                return
            time.sleep(0.01)
    raise AssertionError("nobody waits")
