"""What the league does when a run or a live game ends."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from league import tasks
from league.base.acts import tokens
from league.clubs.signals import entrants_changed, people_merged, words_forgotten
from league.exchange.signals import file_waits
from league.models import (
    Club,
    ClubTable,
    Dispute,
    Event,
    FileImport,
    LiveTable,
    Occurrence,
    Round,
    SignUpAnswer,
)
from league.news.acts import outbox
from league.nights.acts import claims, waitlist
from league.nights.signals import (
    dispute_opened,
    night_called_off,
    night_closed,
    night_reopened,
    round_released,
)
from league.schedules.signals import schedule_failed
from league.seasons.acts import places, season_cache
from league.turnout.acts import sign_ups
from league.turnout.signals import moved_up
from tables.signals import run_finished, table_finished


@receiver(run_finished)
def close_event_of_run(run_id: Any, **kwargs: Any) -> None:
    """Count the run in the background. A broker that is away does no harm: the sweep does it."""
    tasks.send(tasks.close_run, str(run_id))


@receiver(table_finished)
def take_live_game(game_id: int, **kwargs: Any) -> None:
    """Take a live game into its round, or post it for its club; else the sweep does it."""
    for model in (LiveTable, ClubTable):
        found = model._default_manager.filter(table__games=game_id)
        for table_id in found.values_list("table_id", flat=True):
            tasks.send(tasks.take_games, table_id)


@receiver(entrants_changed)
def seat_by_the_queue(event: Event, **kwargs: Any) -> None:
    """Let the queue, the sign-up list and the phones of a night follow a merge of two names."""
    waitlist.settle(event)
    claims.settle(event=event)
    sign_ups.settle(event=event)


@receiver(people_merged)
def keep_places(events: list[int], **kwargs: Any) -> None:
    """Keep the final places of closed nights in which a person now has another name."""
    for event in Event.objects.filter(pk__in=events):
        places.keep(event=event)


@receiver([password_set, password_reset])
def end_tokens(user: User, **kwargs: Any) -> None:
    """End the tokens of an account whose password is a new one."""
    tokens.revoke_all(user=user)


@receiver(password_changed)
def end_tokens_unless_kept(user: User, request: HttpRequest, **kwargs: Any) -> None:
    """End the tokens too, unless the person who knew the old password keeps them."""
    if not request.POST.get("keep_tokens"):
        tokens.revoke_all(user=user)


@receiver(words_forgotten)
def forget_computed_rows(club: Club, **kwargs: Any) -> None:
    """Drop what the season cache, and files that wait, have of a club whose texts were changed."""
    FileImport.objects.filter(club=club).delete()
    transaction.on_commit(lambda: season_cache.forget(club=club))


def _wake() -> None:
    """Send what was written as soon as the transaction that caused it is kept."""
    transaction.on_commit(lambda: tasks.send(tasks.send_news))


@receiver(file_waits)
def read_a_file(key: int, **kwargs: Any) -> None:
    """Have a worker read the file once it is stored. The sweep does it where the broker is away."""
    transaction.on_commit(lambda: tasks.send(tasks.read_file, key))


@receiver(moved_up)
def tell_who_moved_up(answer: SignUpAnswer, **kwargs: Any) -> None:
    """Write to the person who got a place from the waiting list."""
    outbox.moved_up(answer)
    _wake()


@receiver(night_called_off)
def tell_a_night_called_off(event: Event, **kwargs: Any) -> None:
    """Write to those who would have come."""
    outbox.called_off(event)
    _wake()


@receiver(round_released)
def tell_the_draw(round_: Round, **kwargs: Any) -> None:
    """Write to those who sit somewhere."""
    outbox.round_released(round_)
    _wake()


@receiver(night_closed)
def tell_a_result(event: Event, **kwargs: Any) -> None:
    """Write the result to those who played; it goes out some minutes later."""
    outbox.night_closed(event)


@receiver(night_reopened)
def keep_a_result_back(event: Event, **kwargs: Any) -> None:
    """Forget the result that was not sent yet."""
    outbox.night_reopened(event)


@receiver(dispute_opened)
def tell_a_dispute(dispute: Dispute, **kwargs: Any) -> None:
    """Write to the organisers."""
    outbox.dispute_opened(dispute)
    _wake()


@receiver(schedule_failed)
def tell_a_failed_schedule(occurrence: Occurrence, **kwargs: Any) -> None:
    """Write to the organisers."""
    outbox.schedule_failed(occurrence)
    _wake()
