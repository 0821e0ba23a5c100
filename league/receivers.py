"""What the league does when a run or a live game ends."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.dispatch import receiver

from league import tasks
from league.models import Club, ClubTable, LiveTable
from league.rights import Right, highest
from league.selectors import club_tables as members
from league.services import club_tables, live
from tables.models import Seat, Table
from tables.services.errors import Refused
from tables.signals import leaves, looks_after, run_finished, sat_down, sits_down, table_finished


@receiver(run_finished)
def close_event_of_run(run_id: Any, **kwargs: Any) -> None:
    """Counts the run in the background. A broker that is away does no harm: the sweep does it."""
    tasks.send(tasks.close_run, str(run_id))


@receiver(table_finished)
def take_live_game(game_id: int, **kwargs: Any) -> None:
    """Takes a live game into its round, or posts it for its club; else the sweep does it."""
    for model in (LiveTable, ClubTable):
        found = model._default_manager.filter(table__games=game_id)
        for table_id in found.values_list("table_id", flat=True):
            tasks.send(tasks.take_games, table_id)


@receiver(looks_after)
def organiser_looks_after(table: Table, user: Any, **kwargs: Any) -> bool:
    """Whether the user organises the club that stands behind this table."""
    club = Club.objects.filter(
        Q(seasons__events__rounds__sittings__live_tables__table=table)
        | Q(seasons__tables__table=table)
    ).first()
    return club is not None and (highest(user, club) or Right.SEE) >= Right.ORGANISE


@receiver(leaves)
def leave_the_night(seat: Seat, **kwargs: Any) -> None:
    """Lets the next of the queue have the chair of somebody who stops playing."""
    try:
        live.leave_night(seat=seat)
    except ValidationError as error:
        raise Refused("closed") from error


@receiver(sits_down)
def name_in_the_club(table: Table, user: Any, **kwargs: Any) -> str:
    """The name under which the user plays in the club whose players opened this table."""
    live = ClubTable.objects.filter(table=table).select_related("season").first()
    player = members.player_of(live.season.club_id, user) if live else None
    return player.name if player else ""


@receiver(sat_down)
def note_player(seat: Seat, **kwargs: Any) -> None:
    """Keeps for whose money the chair plays."""
    club_tables.note_player(seat=seat)
