"""The open online tables of a night, and the seats at them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.crypto import salted_hmac

from league.models import Event, LiveTable, Place, Sitting


@dataclass(frozen=True)
class OpenTable:
    """An online table of a queue night; in open play it may have a free seat."""

    live: LiveTable
    has_room: bool


def open_at(event: Event) -> dict[int, str]:
    """Return the keys of the event's open online tables by sitting."""
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    return dict(found.values_list("sitting_id", "table__key"))


def key_at(sitting: Sitting) -> str:
    """Return the key of a sitting's open online table; "" for real cards."""
    found = LiveTable.objects.filter(sitting=sitting, ended_at=None)
    return found.values_list("table__key", flat=True).first() or ""


def key_of_user(event: Event, user: Any) -> str:
    """Return the key of the event's online table where the account has a seat; "" for none."""
    if not user.is_authenticated:
        return ""
    found = LiveTable.objects.filter(
        sitting__round__event=event,
        ended_at=None,
        table__seats__user=user,
        table__seats__left_at=None,
    )
    return found.values_list("table__key", flat=True).first() or ""


def seats_of(event: Event, player_ids: Collection[int]) -> list[tuple[LiveTable, Place]]:
    """Return the open online tables where these players sit, with their places."""
    if not player_ids:
        return []
    tables = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    live = {table.sitting_id: table for table in tables.select_related("table")}
    if not live:  # As on most nights, which are spared the places.
        return []
    own = Q(entrant__player__in=player_ids) | Q(entrant__player__merged_into__in=player_ids)
    places = Place.objects.filter(own, sitting__in=live, to_game=None)
    return [(live[one.sitting_id], one) for one in places.select_related("entrant__player")]


def to_watch(event: Event) -> list[OpenTable]:
    """Return a queue night's open online tables by table number; none on other nights."""
    if not event.has_queue:
        return []
    seated = Count("sitting__places", filter=Q(sitting__places__to_game=None))
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    found = found.select_related("sitting", "table").annotate(seated=seated)
    is_open_night = event.rules_of_format.kind == "open"
    return [
        OpenTable(live, is_open_night and 0 < live.seated < event.full_table)
        for live in found.order_by("sitting__table_no")
    ]


def secret_of(live: LiveTable, entrant_id: int) -> str:
    """Return the secret of an entrant's personal link, constant until the link is replaced."""
    renewed = live.renewed.get(str(entrant_id), 0)
    value = f"{live.nonce}:{entrant_id}:{renewed}"
    return salted_hmac("league.chair", value, algorithm="sha256").hexdigest()[:48]
