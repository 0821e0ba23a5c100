"""Celery tasks: each loads by key, calls a service, and may run twice."""

import logging
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts import security_mail, sessions
from league.arena.acts import bots
from league.base import phone_keys
from league.base.acts.sweeps import each
from league.clubs.acts import doubts, hidden_names, holding, members
from league.exchange.acts import file_imports
from league.me.acts import retention
from league.news.acts import outbox, sending, telegram
from league.nights.acts import bins
from league.online.acts import results_in, stake_tables
from league.proof.acts import verification
from league.schedules.acts import schedules
from league.seasons.acts import bot_ratings, places, ratings, season_cache
from tables.models import Run

log = logging.getLogger(__name__)

SOFT, HARD = 600, 660
"""Time limits in seconds of the tasks for large seasons and long runs."""
HOURS = 3600
FILES_EVERY = 5
"""Seconds between two sweeps for files that lost their worker."""


def send(task: Any, *args: str | int) -> None:
    """Send a task to the workers; without a broker, leave it to the sweep."""
    try:
        task.delay(*args)
    except OperationalError:
        log.warning("The broker is away; the sweep will do %s.", task.name)


@shared_task(name="league.close_run", soft_time_limit=SOFT, time_limit=HARD)
def close_run(run_id: str) -> None:
    """Rate an ended run, count it and close its event."""
    run = Run.objects.filter(pk=run_id).exclude(status=Run.Status.RUNNING).first()
    if run is not None:
        bots.close_finished(run=run)


@shared_task(name="league.sweep_runs", soft_time_limit=SOFT, time_limit=HARD)
def sweep_runs() -> None:
    """Recount running runs, and close the events of ended runs whose signal was lost."""
    bots.sweep()


@shared_task(name="league.sweep_security_log", soft_time_limit=SOFT, time_limit=HARD)
def sweep_security_log() -> None:
    """Delete what is old, as messages of an older release ask."""
    retention.forget_tonight(timezone.now())


@shared_task(name="league.forget_old", soft_time_limit=SOFT, time_limit=HARD)
def forget_old() -> None:
    """Delete the old rows about people, once a night."""
    retention.forget_tonight(timezone.now())


@shared_task(name="league.send_mail", expires=settings.MAIL_SECONDS)
def send_mail() -> None:
    """Send the due emails of accounts, then of news, where nothing waits but emails."""
    security_mail.send_due()
    sending.send_lane(sending.EMAIL)


@shared_task(name="league.send_security_mail")
def send_security_mail() -> None:
    """Send the emails, as messages of an older release ask other workers."""
    send(send_mail)


@shared_task(name="league.sweep_ratings", soft_time_limit=SOFT, time_limit=HARD)
def sweep_ratings() -> None:
    """Rate changed nights for a limited time, and the bots of ended tournaments.

    The next sweep continues.
    """
    ratings.rate_behind()
    bot_ratings.rate_behind()


@shared_task(name="league.read_file", soft_time_limit=SOFT, time_limit=HARD)
def read_file(key: int) -> None:
    """Read or save an uploaded file."""
    file_imports.work(key=key)


@shared_task(name="league.sweep_files")
def sweep_files() -> None:
    """Delete expired files, and send the waiting ones to workers."""
    for key in file_imports.sweep():
        read_file.apply_async((key,), expires=FILES_EVERY)


@shared_task(name="league.sweep_standings", soft_time_limit=SOFT, time_limit=HARD)
def sweep_standings() -> None:
    """Compute stale standings that are not computed on request."""
    season_cache.prepare_behind()


@shared_task(name="league.take_games")
def take_games(table_id: int) -> None:
    """Take the finished games of an online table into its round, or into its club's ledger."""
    results_in.take_games(table_id=table_id)
    stake_tables.take_games(table_id=table_id)


@shared_task(name="league.sweep_live")
def sweep_live() -> None:
    """Take the finished games of online tables whose signal was lost."""
    results_in.sweep()
    stake_tables.sweep()


@shared_task(name="league.tick_schedules")
def tick_schedules() -> None:
    """Create the tournaments that are due by their schedules."""
    schedules.tick()


@shared_task(name="league.clear_sessions", soft_time_limit=SOFT, time_limit=HARD)
def clear_sessions() -> None:
    """Delete expired sessions, with network and browser of those of accounts."""
    call_command("clearsessions")
    sessions.forget_ended(timezone.now())


@shared_task(name="league.empty_bin", soft_time_limit=SOFT, time_limit=HARD)
def empty_bin() -> None:
    """Permanently delete rows that have been in the bin for 30 days."""
    bins.empty_bin(timezone.now())


@shared_task(name="league.sweep_held_clubs", soft_time_limit=SOFT, time_limit=HARD)
def sweep_held_clubs() -> None:
    """Delete ended clubs; key old phones' rows, end owners' notices and hidden names."""
    holding.sweep(timezone.now())
    members.end_due(timezone.now())
    hidden_names.sweep(timezone.now())
    phone_keys.key_old_rows()


@shared_task(name="league.ask_doubtful", soft_time_limit=SOFT, time_limit=HARD)
def ask_doubtful() -> None:
    """Ask accounts that an older release linked to players whether they play there."""
    doubts.ask()


@shared_task(name="league.verify", soft_time_limit=6 * HOURS, time_limit=6 * HOURS + 60)
def verify() -> None:
    """Run the nightly check if it is due, after giving the places that release 1.1 withheld."""
    if verification.is_due(timezone.now()):
        each(places.withheld(), places.keep_withheld)
        verification.verify_tonight()


@shared_task(name="league.send_news")
def send_news() -> None:
    """Start a task for each lane with due news, so that no lane waits for another."""
    for name in sending.due_lanes(timezone.now()):
        send_lane(name) if name == sending.EMAIL else send(send_lane, name)


@shared_task(name="league.send_lane")
def send_lane(name: str) -> None:
    """Send the due news of one lane: a push service or a webhook; emails go elsewhere."""
    if name == sending.EMAIL:
        send(send_mail)
    else:
        sending.send_lane(name)


@shared_task(name="league.sweep_news")
def sweep_news() -> None:
    """Recover news that workers left behind, and send the due news."""
    sending.sweep()
    send_news()
    if telegram.waits():
        send(take_chats)


@shared_task(name="league.take_chats")
def take_chats() -> None:
    """Link the Telegram chats in which people sent their codes."""
    telegram.take_links()


@shared_task(name="league.ask_to_confirm")
def ask_to_confirm() -> None:
    """Ask players to confirm games left unconfirmed for some minutes."""
    outbox.ask_to_confirm(timezone.now())
    send_news()


@shared_task(name="league.remind")
def remind() -> None:
    """Queue reminders of nights, ends of seasons and monthly standings; send due news."""
    outbox.remind(timezone.now())
    outbox.tell_month(timezone.now())
    outbox.tell_season_ends(timezone.now())
    send_news()
