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
    _send(tasks.review_game, game_id, False)


@receiver(review_wanted)
def review_asked_game(game_id: int, **kwargs: Any) -> None:
    """Have a game reviewed that someone looks at."""
    _send(tasks.review_game, game_id, True)


@receiver(record_review_wanted)
def review_entered_game(key: str, **kwargs: Any) -> None:
    """Have an entered game reviewed that someone looks at."""
    _send(tasks.review_record, key)


@receiver(tryout_begun)
def try_code(**kwargs: Any) -> None:
    """Wake the worker that tries code; if the broker is unreachable, the sweep does it later."""
    _send(tasks.play_tryouts)


def _send(task: Any, *args: Any) -> None:
    with suppress(OperationalError):
        task.apply_async(args, expires=tasks.LIFETIME)
