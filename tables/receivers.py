"""What a table's app does with its own news."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from tables import tasks
from tables.signals import run_started


@receiver(run_started)
def hand_to_workers(run_id: Any, **kwargs: Any) -> None:
    """Lets workers begin. A broker that is away does no harm: the sweep will do it."""
    tasks.wake_workers()
