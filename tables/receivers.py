"""Receivers of this app's own signals."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.dispatch import receiver
from kombu.exceptions import OperationalError

from tables import tasks
from tables.signals import (
    record_review_wanted,
    review_wanted,
    run_started,
    table_finished,
    tryout_begun,
)


@receiver(run_started)
def hand_to_workers(run_id: Any, **kwargs: Any) -> None:
    """Wake workers; if the broker is unreachable, the sweep does it later."""
    tasks.wake_workers()


@receiver(table_finished)
def review_finished_game(game_id: int, **kwargs: Any) -> None:
    """Have a game reviewed that is over; without a broker, the sweep does it."""
    _send_review(game_id)


@receiver(review_wanted)
def review_asked_game(game_id: int, **kwargs: Any) -> None:
    """Have a game reviewed that someone looks at."""
    _send_review(game_id, asked=True)


@receiver(record_review_wanted)
def review_entered_game(key: str, **kwargs: Any) -> None:
    """Have an entered game reviewed that someone looks at."""
    with suppress(OperationalError):
        tasks.review_record.apply_async((key,), expires=tasks.LIFETIME)


def _send_review(game_id: int, *, asked: bool = False) -> None:
    with suppress(OperationalError):
        tasks.review_game.apply_async((game_id, asked), expires=tasks.LIFETIME)


@receiver(tryout_begun)
def try_code(**kwargs: Any) -> None:
    """Wake the worker that tries code; if the broker is unreachable, the sweep does it later."""
    with suppress(OperationalError):
        tasks.play_tryouts.apply_async(expires=tasks.LIFETIME)
