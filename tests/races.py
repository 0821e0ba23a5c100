"""Several calls at the same moment, as from several processes."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections


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
