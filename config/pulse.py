"""Signs of life of what listens to nobody: the time of a file, for a watchdog to look at.

`launcher.programs` and `docker-compose.yml` look whether it is of the last seconds.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from celery import bootsteps
from django.conf import settings

SECONDS = 2.0


def give(name: str) -> None:
    """Say that the part of this name goes on with its work."""
    file = settings.DATA_DIR / "pulse" / name
    with suppress(OSError):  # A full disk is no reason to end.
        file.parent.mkdir(mode=0o700, exist_ok=True)
        file.touch()


class WorkerPulse(bootsteps.StartStopStep):
    """Lets a worker give its pulse from the loop in which it takes its messages."""

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        name = parent.hostname.partition("@")[0]
        give(name)
        parent.timer.call_repeatedly(SECONDS, give, (name,))
