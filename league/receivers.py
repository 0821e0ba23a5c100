"""What the league does when a run or a live game ends."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from league import tasks
from league.models import LiveTable
from league.rights import Right, highest
from tables.models import Table
from tables.signals import looks_after, run_finished, table_finished


@receiver(run_finished)
def close_event_of_run(run_id: Any, **kwargs: Any) -> None:
    """Counts the run in the background. A broker that is away does no harm: the sweep does it."""
    tasks.send(tasks.close_run, str(run_id))


@receiver(table_finished)
def take_live_game(game_id: int, **kwargs: Any) -> None:
    """Takes a live game into its round, if it is of one; else the sweep does it."""
    found = LiveTable.objects.filter(table__games=game_id).values_list("table_id", flat=True)
    for table_id in found:
        tasks.send(tasks.take_games, table_id)


@receiver(looks_after)
def organiser_looks_after(table: Table, user: Any, **kwargs: Any) -> bool:
    """Whether the user organises the club whose round is played at this table."""
    found = LiveTable.objects.filter(table=table).select_related(
        "sitting__round__event__season__club"
    )
    return any(
        (highest(user, live.sitting.round.event.season.club) or Right.SEE) >= Right.ORGANISE
        for live in found
    )
