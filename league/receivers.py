"""What the league does when a run ends."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from league import tasks
from tables.signals import run_finished


@receiver(run_finished)
def close_event_of_run(run_id: Any, **kwargs: Any) -> None:
    """Counts the run in the background. A broker that is away does no harm: the sweep does it."""
    tasks.send(tasks.close_run, str(run_id))
