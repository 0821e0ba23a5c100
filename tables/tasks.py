"""Celery tasks: each loads rows by key, calls an act, and may run twice."""

from __future__ import annotations

import logging
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from tables.api import sent_requests
from tables.bots.acts import checks
from tables.models import Run
from tables.people.acts import ratings, sprints
from tables.play.acts import absence, sweeps
from tables.reviews.acts import entered, finding, making
from tables.reviews.facts import puzzles
from tables.runs import ladders, queues, runs, tryouts

log = logging.getLogger(__name__)

MESSAGES = 4
"""Number of workers woken at once; each message sends the next one when its unit is played."""
UNINTERRUPTED: dict[str, Any] = {"soft_time_limit": None}
"""No soft limit for tasks in which bots play: an interruption would change a bot's move."""
PLAYS = UNINTERRUPTED | {"time_limit": settings.TABLES_PLAY_LIMIT}
LIFETIME = 60
"""Seconds after which an untaken message is dropped: the sweep sends new ones."""


def wake_workers() -> None:
    """Send messages that make workers start or resume playing."""
    for task in (play_tryouts, *[play_unit] * MESSAGES):
        try:
            task.apply_async(expires=LIFETIME)
        except OperationalError:
            log.warning("The broker is away; the sweep will wake the workers.")
            return


@shared_task(name="tables.play_unit", **PLAYS)
def play_unit(run_id: str = "") -> None:
    """Do the work whose turn it is, or play a unit of `run_id`, and request the next."""
    if runs.play_next(run_id) if run_id else queues.work_next():
        play_unit.apply_async((run_id,) if run_id else (), expires=LIFETIME)


@shared_task(name="tables.check_uploads", **PLAYS)
def check_uploads() -> None:
    """Wake the workers if a bot waits for its check."""
    if checks.is_waiting():
        wake_workers()


@shared_task(name="tables.play_tryouts", **PLAYS)
def play_tryouts() -> None:
    """Play what an author waits for: pasted code, then test matches."""
    while tryouts.play_next() or runs.play_next(queue=Run.Queue.TEST):
        pass


@shared_task(name="tables.plan_puzzles", **PLAYS)
def plan_puzzles() -> None:
    """Give each day that has begun somewhere its puzzle, and find and check others."""
    finding.plan(days=puzzles.days_begun(timezone.now()))


@shared_task(name="tables.review_game")
def review_game(game_id: int | None = None, asked: bool = False) -> None:
    """Review the newest game that waits, while reviews may work; at once if someone asked."""
    if asked and game_id:
        making.make(game_id)
    else:
        making.make_next(game_id)


@shared_task(name="tables.review_record")
def review_record(key: str) -> None:
    """Review an entered game that someone looks at."""
    entered.make(key)


@shared_task(name="tables.sweep_runs")
def sweep_runs() -> None:
    """Recover units after lost messages and killed workers, and wake more workers."""
    if runs.sweep():
        wake_workers()


@shared_task(name="tables.tick_ladders")
def tick_ladders() -> None:
    """Close the ladders' finished meetings, and open the next ones."""
    ladders.tick()


@shared_task(name="tables.rate_ladders", soft_time_limit=600, time_limit=660)
def rate_ladders() -> None:
    """Fit the ratings of ladders with new games."""
    ladders.rate_behind()


@shared_task(name="tables.sweep_tables", **UNINTERRUPTED)
def sweep_tables() -> None:
    """Do the tables' due work for about a second: bots' moves, clocks, new games.

    Where that is much, the workers share it by key.
    """
    if sweeps.are_many():
        try:
            for shard in range(sweeps.SHARDS):
                sweep_shard.apply_async((shard,), expires=1)
        except OperationalError:
            log.warning("The broker is away; this worker sweeps alone.")
        else:
            return
    sweeps.sweep_for(0.8)


@shared_task(name="tables.sweep_shard", **UNINTERRUPTED)
def sweep_shard(shard: int) -> None:
    """Do the due work of the tables of a shard, once."""
    sweeps.sweep(shard)


@shared_task(name="tables.sweep_ratings")
def sweep_ratings() -> None:
    """Rate the finished rated games."""
    ratings.rate_waiting()


@shared_task(name="tables.sweep_sprints")
def sweep_sprints() -> None:
    """Count finished games of half-hour tournaments, and seat the free players."""
    sprints.sweep()
    sprints.tell_soon()


@shared_task(name="tables.tell_turns")
def tell_turns() -> None:
    """Say whose turn it is at tables of which they have no page open."""
    absence.tell_unseen()


@shared_task(name="tables.plan_sprints")
def plan_sprints() -> None:
    """Plan the half-hour tournaments that the server holds."""
    sprints.plan()


@shared_task(name="tables.sweep_requests")
def sweep_requests() -> None:
    """Delete programs' idempotency keys and tried code that are older than a day."""
    sent_requests.sweep(timezone.now())
    tryouts.sweep()
