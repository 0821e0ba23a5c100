"""Signal receivers: reactions to ended runs and games, merges, new passwords and news."""

import datetime
from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from league import tasks
from league.arena.facts.own_bots import pool_of
from league.base.acts import tokens
from league.base.views import phones
from league.clubs.acts import holding, players
from league.clubs.signals import (
    account_unlinked,
    club_closed,
    club_deleted,
    name_goes,
    name_unwanted,
    people_merged,
    people_parted,
    words_forgotten,
    zone_changes,
)
from league.exchange.signals import file_waits
from league.models import (
    Club,
    ClubTable,
    Event,
    FileImport,
    LiveTable,
    Player,
    Season,
    SignUpAnswer,
)
from league.news.signals import news_waits
from league.nights.acts import claims, two_names
from league.nights.signals import night_moved, night_reopened
from league.online.acts import live_tables
from league.schedules.acts import schedules, zones
from league.seasons.acts import season_cache
from league.seasons.signals import season_reopened
from league.turnout.acts import sign_ups
from tables.people.acts import sprints
from tables.runs import ladders
from tables.signals import run_finished, table_finished


@receiver(user_logged_in)
def keep_held_clubs(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Give the account the clubs that its phone holds and that were offered to its email."""
    for club in holding.keep_offered(user=user, phone=phones.phone_of(request)):
        messages.success(request, _("“%(club)s” is kept: it is yours now.") % {"club": club.name})


@receiver(club_closed)
def stop_ladder(club: Club, **kwargs: Any) -> None:
    """Stop the ladder of a club's bots: nobody sees it any more."""
    ladders.stop_ladder(pool=pool_of(club))


@receiver(club_deleted)
def delete_bots(club: Club, **kwargs: Any) -> None:
    """Delete the bots of a club's members: nobody could withdraw them, or use their names."""
    ladders.delete_pool(pool=pool_of(club))


@receiver(club_deleted)
def delete_sprints(club: Club, **kwargs: Any) -> None:
    """Delete the half-hour tournaments of a club: the next club may get its address."""
    sprints.delete_sprints(home=reverse("league:club_tables", args=[club.slug]))


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


@receiver(people_merged)
def carry_their_nights(
    alias: Player, into: Player, events: list[int], by: User, note: dict[str, Any], **kwargs: Any
) -> None:
    """Let the player of a merge have what the other name has in these nights, and note it."""
    note["nights"] = {}
    for event in Event.objects.filter(pk__in=events):
        own = two_names.carry(event=event, alias=alias, into=into, by=by)
        if event.is_open and (answer := sign_ups.carry(event=event, alias=alias, into=into)):
            own["answer"] = answer
        if own:
            note["nights"][str(event.pk)] = own


@receiver(people_parted)
def part_their_nights(
    alias: Player, into: Player, events: list[int], note: dict[str, Any], **kwargs: Any
) -> None:
    """Give two names that are separated back what each had in these nights."""
    for event in Event.objects.filter(pk__in=events):
        # Releases before 1.2 noted the presences alone.
        was = {key: {"presence": pair} for key, pair in note.get("presence", {}).items()}
        own = (was | note.get("nights", {})).get(str(event.pk), {})
        two_names.part(event=event, alias=alias, old=into, note=own)
        sign_ups.part(event=event, alias=alias, old=into, note=own.get("answer", {}))


@receiver(night_reopened)
def carry_answers(event: Event, **kwargs: Any) -> None:
    """Let players have what names answered that were merged while the night was closed."""
    merged = SignUpAnswer.objects.filter(sign_up__event=event, player__merged_into__isnull=False)
    for said in merged.select_related("player__merged_into"):
        assert said.player.merged_into is not None
        sign_ups.carry(event=event, alias=said.player, into=said.player.merged_into)


@receiver(zone_changes)
def move_plans(club: Club, zone: str, by: User, **kwargs: Any) -> None:
    """Move a club's plans and coming nights to its new time zone."""
    zones.move(club=club, zone=zone, by=by)


@receiver(season_reopened)
def try_schedules_again(season: Season, **kwargs: Any) -> None:
    """Create what the season's schedules could not while it was closed."""
    schedules.try_again(season=season)


@receiver(account_unlinked)
def free_their_seats(player: Player, user: User, **kwargs: Any) -> None:
    """Take the player's seats at online tables from an account that is not the player any more."""
    live_tables.free_seats(player=player, user=user)


@receiver(night_moved)
def move_deadline(event: Event, later: datetime.timedelta, by: User, **kwargs: Any) -> None:
    """Move the deadline of a night's sign-up list with the night."""
    if later:
        sign_ups.move_deadline(event=event, later=later, by=by)


@receiver(name_goes)
def forget_their_phones(players: list[Player], by: User | None, **kwargs: Any) -> None:
    """Forget the phones that have a name which is removed, with the news that wait for them."""
    claims.forget_players(players=players, by=by)


@receiver(name_unwanted)
def remove_the_name(player: Player, by: User | None, **kwargs: Any) -> None:
    """Remove a name on which an organiser decided."""
    players.anonymise_player(player=player, by=by)


@receiver([password_set, password_reset])
def end_tokens(user: User, **kwargs: Any) -> None:
    """Revoke all tokens of an account with a new password."""
    tokens.revoke_all(user=user)


@receiver(password_changed)
def end_tokens_unless_kept(user: User, request: HttpRequest, **kwargs: Any) -> None:
    """Revoke all tokens after a change of password, unless the form asks to keep them."""
    if not request.POST.get("keep_tokens"):
        tokens.revoke_all(user=user)


@receiver(words_forgotten)
def forget_computed_rows(club: Club, **kwargs: Any) -> None:
    """Drop cached standings and waiting files of a club whose texts were changed."""
    FileImport.objects.filter(club=club).delete()
    transaction.on_commit(lambda: season_cache.forget(club=club))


@receiver(news_waits)
def send_the_news(**kwargs: Any) -> None:
    """Send waiting news once the transaction commits; without a broker, the sweep does it."""
    transaction.on_commit(lambda: tasks.send(tasks.send_news))


@receiver(file_waits)
def read_a_file(key: int, **kwargs: Any) -> None:
    """Have a worker read the file after commit; without a broker, the sweep does it."""
    transaction.on_commit(lambda: tasks.send(tasks.read_file, key))
