"""The clock that sends the sweeps, by a machine whose own clock may be put back."""

from __future__ import annotations

from typing import Any

from celery.beat import Scheduler

from config import pulse


class Beat(Scheduler):
    """Sends what is due; after the clock went back everything counts from then on.

    It keeps nothing on disk, where a full disk would end it: sweeps find in the database what is
    due, and come again within their interval after a start.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """One round; the seconds until the next."""
        pulse.give("beat")
        entries = self.schedule.values()
        if any(entry.last_run_at and entry.last_run_at > entry.default_now() for entry in entries):
            for entry in entries:
                entry.last_run_at = entry.default_now()
            self._heap = None
        return float(super().tick(*args, **kwargs))
