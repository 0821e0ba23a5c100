"""Signal receivers: reactions to ended runs and games, merges, new passwords and news."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from league import tasks
from league.arena.signals import tournament_ended
from league.base.acts import tokens
from league.base.views import phones
from league.clubs.acts import holding
from league.clubs.signals import (
    entrants_changed,
    name_changed,
    people_merged,
    words_forgotten,
    zone_changes,
)
from league.exchange.signals import file_waits
from league.models import (
    Club,
    ClubTable,
    Dispute,
    Event,
    FileImport,
    LiveTable,
    Occurrence,
    Player,
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
from league.schedules.acts import zones
from league.schedules.signals import schedule_failed
from league.seasons.acts import places, season_cache
from league.turnout.acts import sign_ups
from league.turnout.signals import moved_up
from tables.models import Upload
from tables.signals import bot_checked, run_finished, table_finished


@receiver(user_logged_in)
def keep_held_clubs(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Give the account the clubs that its phone holds and that were offered to its email."""
    for club in holding.keep_offered(user=user, phone=phones.phone_of(request)):
        messages.success(request, _("“%(club)s” is kept: it is yours now.") % {"club": club.name})


@receiver(run_finished)
def close_event_of_run(run_id: Any, **kwargs: Any) -> None:
    """Close the run's event in the background; without a broker, the sweep does it."""
    tasks.send(tasks.close_run, str(run_id))


@receiver(table_finished)
def take_live_game(game_id: int, **kwargs: Any) -> None:
    """Take an online game into its round or its club's ledger; without a broker, the sweep does."""
    for model in (LiveTable, ClubTable):
        found = model._default_manager.filter(table__games=game_id)
        for table_id in found.values_list("table_id", flat=True):
            tasks.send(tasks.take_games, table_id)


@receiver(entrants_changed)
def seat_by_the_queue(event: Event, **kwargs: Any) -> None:
    """Update the queue, the phones and the sign-up list of a night after a merge of two names."""
    waitlist.settle(event)
    claims.settle(event=event)
    sign_ups.settle(event=event)


@receiver(zone_changes)
def move_plans(club: Club, zone: str, by: User, **kwargs: Any) -> None:
    """Move a club's plans and coming nights to its new time zone."""
    zones.move(club=club, zone=zone, by=by)


@receiver(people_merged)
def keep_places(events: list[int], **kwargs: Any) -> None:
    """Store the final places of these closed nights again after a merge of two names."""
    for event in Event.objects.filter(pk__in=events):
        places.keep(event=event)


@receiver([password_set, password_reset])
def end_tokens(user: User, **kwargs: Any) -> None:
    """Revoke all tokens of an account with a new password."""
    tokens.revoke_all(user=user)


@receiver(password_changed)
def end_tokens_unless_kept(user: User, request: HttpRequest, **kwargs: Any) -> None:
    """Revoke all tokens after a change of password, unless the form asks to keep them."""
    if not request.POST.get("keep_tokens"):
        tokens.revoke_all(user=user)


@receiver(name_changed)
def tell_whose_name_changed(player: Player, change: str, by: User, **kwargs: Any) -> None:
    """Notify the player's account, unless it did this itself."""
    outbox.name_changed(player, change, by)


@receiver(words_forgotten)
def forget_computed_rows(club: Club, **kwargs: Any) -> None:
    """Drop cached standings and waiting files of a club whose texts were changed."""
    FileImport.objects.filter(club=club).delete()
    transaction.on_commit(lambda: season_cache.forget(club=club))


def _wake() -> None:
    """Send waiting news once the transaction commits."""
    transaction.on_commit(lambda: tasks.send(tasks.send_news))


@receiver(file_waits)
def read_a_file(key: int, **kwargs: Any) -> None:
    """Have a worker read the file after commit; without a broker, the sweep does it."""
    transaction.on_commit(lambda: tasks.send(tasks.read_file, key))


@receiver(moved_up)
def tell_who_moved_up(answer: SignUpAnswer, **kwargs: Any) -> None:
    """Notify the player who moved up from the waiting list."""
    outbox.moved_up(answer)
    _wake()


@receiver(night_called_off)
def tell_a_night_called_off(event: Event, **kwargs: Any) -> None:
    """Notify the players who would have come."""
    outbox.called_off(event)
    _wake()


@receiver(round_released)
def tell_the_draw(round_: Round, **kwargs: Any) -> None:
    """Notify the seated players."""
    outbox.round_released(round_)
    _wake()


@receiver(tournament_ended)
def tell_an_end(event: Event, **kwargs: Any) -> None:
    """Tell programs of a tournament that is over."""
    outbox.run_finished(event)


@receiver(bot_checked)
def tell_a_check(upload: Upload, **kwargs: Any) -> None:
    """Tell programs of a checked bot."""
    outbox.bot_checked(upload)


@receiver(night_closed)
def tell_a_result(event: Event, **kwargs: Any) -> None:
    """Queue the result for the players; it is sent some minutes later."""
    outbox.night_closed(event)


@receiver(night_reopened)
def keep_a_result_back(event: Event, **kwargs: Any) -> None:
    """Discard the night's result if it was not sent yet."""
    outbox.night_reopened(event)


@receiver(dispute_opened)
def tell_a_dispute(dispute: Dispute, **kwargs: Any) -> None:
    """Notify the organisers of a dispute."""
    outbox.dispute_opened(dispute)
    _wake()


@receiver(schedule_failed)
def tell_a_failed_schedule(occurrence: Occurrence, **kwargs: Any) -> None:
    """Notify the organisers of a schedule that failed."""
    outbox.schedule_failed(occurrence)
    _wake()
