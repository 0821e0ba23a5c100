"""Doors for Celery: each loads by key, calls a service, and may run twice."""

from __future__ import annotations

import logging
from typing import Any

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.services import (
    bot_ratings,
    bots,
    club_tables,
    live,
    ratings,
    schedules,
    season_tables,
    verification,
)
from tables.models import Run

log = logging.getLogger(__name__)


def send(task: Any, *args: str | int) -> None:
    """Hands a task to the workers, or leaves it to the sweep when the broker is away."""
    try:
        task.delay(*args)
    except OperationalError:
        log.warning("The broker is away; the sweep will do %s.", task.name)


@shared_task(name="league.close_run")
def close_run(run_id: str) -> None:
    """Counts an ended run and closes its event."""
    run = Run.objects.filter(pk=run_id).exclude(status=Run.Status.RUNNING).first()
    if run is not None:
        bots.close_finished(run=run)


@shared_task(name="league.sweep_runs")
def sweep_runs() -> None:
    """Counts running runs so far, and closes the events of ended ones whose news got lost."""
    bots.sweep()


@shared_task(name="league.sweep_ratings")
def sweep_ratings() -> None:
    """Rates the nights in which something changed since, for a while; the next sweep goes on.

    And the bots of tournaments that ended.
    """
    ratings.rate_behind()
    bot_ratings.rate_behind()


@shared_task(name="league.sweep_standings")
def sweep_standings() -> None:
    """Computes the tables that no visitor waits for and that are behind."""
    season_tables.prepare_behind()


@shared_task(name="league.take_games")
def take_games(table_id: int) -> None:
    """Takes the finished games of a live table into its round, or into its club's ledger."""
    live.take_games(table_id=table_id)
    club_tables.take_games(table_id=table_id)


@shared_task(name="league.sweep_live")
def sweep_live() -> None:
    """Takes the games of live tables whose news got lost."""
    live.sweep()
    club_tables.sweep()


@shared_task(name="league.tick_schedules")
def tick_schedules() -> None:
    """Begins the tournaments whose time has come."""
    schedules.tick()


@shared_task(name="league.verify")
def verify() -> None:
    """Does the nightly proof once it is time for it."""
    if verification.is_due(timezone.now()):
        verification.verify_tonight()
