"""Receivers of this app's own signals."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from tables import tasks
from tables.play.acts.advising import AdviceQuestion
from tables.signals import advice_wanted, run_started


@receiver(run_started)
def hand_to_workers(run_id: Any, **kwargs: Any) -> None:
    """Wake workers; if the broker is unreachable, the sweep does it later."""
    tasks.wake_workers()


@receiver(advice_wanted)
def send_question(question: AdviceQuestion, slot: str, seconds: int, **kwargs: Any) -> None:
    """Send a question to a worker; after `seconds` nobody waits for the answer."""
    tasks.advise.apply_async((list(question), slot), expires=seconds)
