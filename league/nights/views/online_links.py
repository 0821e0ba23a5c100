"""Addresses of a night's online tables, for the page and the phone of a player."""

from collections.abc import Collection, Sequence

from django.http import HttpRequest
from django.urls import reverse

from league.models import Entrant, Event, LiveTable
from league.nights.facts import online_tables
from league.nights.pages.my_seat import OnlineSeat, TableToWatch
from tables.web.addresses import Address, address_of


def seat_link(request: HttpRequest, live: LiveTable, entrant_id: int) -> Address:
    """Return the personal link to an entrant's seat, which works in any browser."""
    secret = online_tables.secret_of(live, entrant_id)
    return address_of(request, reverse("tables:claim", args=[live.table.key, secret]))


def own_seats(request: HttpRequest, event: Event, player_ids: Collection[int]) -> list[OnlineSeat]:
    """Return these players' seats at online tables."""
    return [
        OnlineSeat(place, seat_link(request, live, place.entrant_id).url)
        for live, place in online_tables.seats_of(event, player_ids)
    ]


def own_addresses(request: HttpRequest, event: Event, player_ids: Collection[int]) -> list[str]:
    """Return the addresses of these players' seats online, else of the account's own table."""
    found = [seat.address for seat in own_seats(request, event, player_ids)]
    if not found and (key := online_tables.key_of_user(event, request.user)):
        return [reverse("tables:table", args=[key])]
    return found


def to_watch(
    request: HttpRequest, event: Event, waiting: Sequence[Entrant]
) -> dict[int, list[TableToWatch]]:
    """Return the online tables to watch by waiting entrant.

    An entrant watches and later plays by account or by personal link.
    """
    tables = online_tables.to_watch(event) if waiting else []
    return {
        entrant.pk: [
            TableToWatch(
                table.live.sitting,
                reverse("tables:table", args=[table.live.table.key])
                if entrant.player.user_id
                else seat_link(request, table.live, entrant.pk).url,
                table.has_room,
            )
            for table in tables
        ]
        for entrant in waiting
    }
