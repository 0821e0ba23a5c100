"""Time limits for bots that run in this process."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.sim.faults import SLOW, BotFault

MOST_SECONDS = 30.0
"""Far more than a decision takes: bots are limited by a number of deals, not by the clock."""
_LEAST = 0.001


class _Rang(BaseException):
    """Raised when the time is over; no `Exception`, so that no bot catches it by accident."""


@contextmanager
def watch(
    alive: Callable[[], object],
    seconds: float = MOST_SECONDS,
    waited: Callable[[], float] = lambda: 0.0,
) -> Iterator[None]:
    """Report progress, and raise `BotFault` if the answer takes too long.

    The seconds that `waited` returns, without a processor, do not count. Only the main thread can
    be interrupted; other threads have no limit.
    """
    alive()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    began, waited_before = time.monotonic(), waited()

    def ring(number: int, frame: Any) -> None:
        spent = time.monotonic() - began - (waited() - waited_before)
        if spent >= seconds:
            raise _Rang
        signal.setitimer(signal.ITIMER_REAL, max(seconds - spent, _LEAST))

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _Rang:
        raise BotFault(SLOW, f"It thought for more than {seconds:g} s.") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
