"""Doors for Celery: each loads by key, calls a service, and may run twice."""

from __future__ import annotations

import logging
from typing import Any

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.models import Event, Season
from league.selectors import prepared
from league.selectors import ratings as due
from league.services import bots, ratings, schedules, verification
from tables.models import Run

log = logging.getLogger(__name__)


def send(task: Any, *args: str) -> None:
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
    for event in Event.objects.filter(run__isnull=False, status=Event.Status.OPEN).select_related(
        "run"
    ):
        run = event.run
        assert run is not None
        if run.status == Run.Status.RUNNING:
            bots.record_run(run=run)
        else:
            bots.close_finished(run=run)


@shared_task(name="league.sweep_ratings")
def sweep_ratings() -> None:
    """Rebuilds the ratings of seasons, and of their clubs, in which something changed since."""
    clubs = {}
    for season in Season.objects.filter(pk__in=due.outdated()).select_related("club"):
        ratings.rebuild_ratings(club=season.club, season=season)
        clubs[season.club_id] = season.club
    for club in clubs.values():
        ratings.rebuild_ratings(club=club)


@shared_task(name="league.sweep_standings")
def sweep_standings() -> None:
    """Computes the tables that are too long for a visitor to wait for and are behind."""
    for season in Season.objects.filter(status=Season.Status.OPEN).select_related("club"):
        if prepared.is_behind(season):
            prepared.prepare(season)


@shared_task(name="league.tick_schedules")
def tick_schedules() -> None:
    """Begins the tournaments whose time has come."""
    schedules.tick()


@shared_task(name="league.verify")
def verify() -> None:
    """Does the nightly proof once it is time for it."""
    if verification.is_due(timezone.now()):
        verification.verify_tonight()
