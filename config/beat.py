"""The Celery beat scheduler, which survives a system clock that is set back."""

from typing import Any

from celery.beat import Scheduler

from config import pulse


class Beat(Scheduler):
    """A scheduler that restarts all intervals after the clock was set back.

    It stores nothing on disk, since a full disk would stop it. It needs no state: sweeps find the
    due work in the database, and run within their interval after a start.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        pulse.give("beat")
        entries = self.schedule.values()
        if any(entry.last_run_at and entry.last_run_at > entry.default_now() for entry in entries):
            for entry in entries:
                entry.last_run_at = entry.default_now()
            self._heap = None
        return float(super().tick(*args, **kwargs))
