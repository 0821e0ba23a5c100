"""A watch over bots that are asked in this process: one that hangs is stopped."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.sim.faults import SLOW, BotFault

MOST_SECONDS = 30.0
"""Far more than a decision takes: bots are held to a number of deals, not to the clock."""


class _Rang(BaseException):
    """The time is over. Not an Exception, so that no bot catches it by accident."""


@contextmanager
def watch(alive: Callable[[], object], seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Say that someone is asked, and raise BotFault where the answer takes too long.

    Only the main thread can be interrupted; elsewhere nothing is stopped.
    """
    alive()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _Rang:
        raise BotFault(SLOW, f"It thought for more than {seconds:g} s.") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: Any) -> None:
    raise _Rang
