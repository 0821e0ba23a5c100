"""Tables for anyone with the same settings, where people play."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet

from tables.models import Seat, Table


def others(like: Table, statuses: Sequence[str]) -> QuerySet[Any]:
    """Return the tables for anyone with the same settings where a person plays."""
    here = Q(seats__left_at=None, seats__bot="")
    found = Table.objects.filter(
        for_anyone=True,
        rated=like.rated,
        closed_at=None,
        status__in=statuses,
        ruleset=like.ruleset_id,
        players=like.players,
        move_seconds=like.move_seconds,
        talk=like.talk,
    ).exclude(pk=like.pk)
    awake = Count("seats", filter=here & Q(seats__autopilot=False))
    return found.annotate(people=Count("seats", filter=here), awake=awake).filter(awake__gte=1)


def names(table: Table) -> list[str]:
    """Return names of people who play the same elsewhere at tables with room, at most four."""
    if not table.for_anyone or table.status != Table.Status.BETWEEN:
        return []
    found = others(table, [Table.Status.PLAYING]).filter(people__lt=table.players)
    playing = Seat.objects.filter(table__in=found.values("pk"), left_at=None, bot="")
    return list(playing.filter(autopilot=False).order_by("pk").values_list("name", flat=True)[:4])
