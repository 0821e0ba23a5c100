"""Receivers of this app's own signals."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from tables import tasks
from tables.signals import run_started


@receiver(run_started)
def hand_to_workers(run_id: Any, **kwargs: Any) -> None:
    """Wake workers; if the broker is unreachable, the sweep does it later."""
    tasks.wake_workers()
