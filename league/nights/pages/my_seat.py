"""A player's seat tonight: the first line on the player's own phone."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.base.facts import links
from league.models import Club, Entrant, Event, Place, Round, Sitting
from league.nights.facts import waitlist

DOORS_OPEN = datetime.timedelta(minutes=30)
"""How long before the start the night's link allows check-in."""


@dataclass(frozen=True)
class MyTable:
    """A player who is here, and the player's seat in the latest released round.

    `place` is None without a seat; then `round` is None before the first draw, and `turn` is the
    position in the queue, if any. `secret` opens the entry at the table; "" without an active link.
    `watched` are the tables to watch while waiting.
    """

    entrant: Entrant
    round: Round | None
    place: Place | None = None
    others: tuple[Entrant, ...] = ()
    deals: bool = False
    secret: str = ""
    turn: int | None = None
    watched: Sequence[TableToWatch] = ()

    @property
    def waiting(self) -> str:
        """The message to a player without a seat."""
        if self.round is None:
            return _("You are checked in. Your table appears here once the round is drawn.")
        if self.turn:
            text = _("You are waiting for a seat: number %(turn)s in the queue.")
            return text % {"turn": self.turn}
        text = _("You have no table in round %(number)s. Your next table will appear here.")
        return text % {"number": self.round.number}


@dataclass(frozen=True)
class TableToWatch:
    """An online table that a waiting player may watch; with room, the player may sit down."""

    sitting: Sitting
    address: str
    has_room: bool


@dataclass(frozen=True)
class OnlineSeat:
    """A player's seat at an online table, with the personal address that opens it."""

    place: Place
    address: str


@dataclass(frozen=True)
class OwnSeats:
    """Where the visitor plays: the key of the account's online table, and the players' seats."""

    my_table: str
    my_tables: list[MyTable]
    my_night: bool


def doors_are_open(event: Event, *, all_day: bool) -> bool:
    """Return whether the night starts in half an hour or less, or someone is here.

    A night without an hour has its doors open `all_day`, too.
    """
    zone = zoneinfo.ZoneInfo(event.season.club.time_zone)
    hour = None if all_day else event.starts_at
    starts = datetime.datetime.combine(event.date, hour or datetime.time(), tzinfo=zone)
    if starts - (DOORS_OPEN if hour else datetime.timedelta()) <= timezone.now():
        return True
    return event.entrants.filter(presence=Entrant.Presence.HERE).exists()


def players_of(club: Club, user: Any) -> list[int]:
    """Return the keys of the account's players in the club."""
    if not user.is_authenticated:
        return []
    return list(club.players.filter(user=user, merged_into=None).values_list("pk", flat=True))


ToWatch = Callable[[Sequence[Entrant]], Mapping[int, Sequence[TableToWatch]]]
"""Returns the online tables to watch by waiting entrant."""


def tables_of(
    event: Event, player_ids: Collection[int], *, to_watch: ToWatch | None = None
) -> list[MyTable]:
    """Return these players' current seats, by name; players not here are left out."""
    if not player_ids:
        return []
    here = event.entrants.filter(player__in=player_ids, presence=Entrant.Presence.HERE)
    mine = list(here.select_related("player").order_by("player__sort_key"))
    if not mine:
        return []
    round_ = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()
    if round_ is None:
        return [MyTable(entrant, None) for entrant in mine]
    whose = Q(entrant__in=mine) | Q(entrant__player__merged_into__in=player_ids)
    own = Place.objects.filter(whose, round=round_, to_game=None)
    places = list(
        Place.objects.filter(to_game=None, sitting__in=own.values("sitting"))
        .select_related("entrant__player", "sitting")
        .order_by("seat")
    )
    secrets = {number: link.secret for number, link in links.of_tables(event).items()}
    queue = [entrant.pk for entrant in waitlist.queue(event)] if event.has_queue else []
    tables = [_my_table(entrant, round_, places, secrets, queue) for entrant in mine]
    if to_watch is None:
        return tables
    watched = to_watch([mine.entrant for mine in tables if mine.turn])
    return [replace(mine, watched=watched.get(mine.entrant.pk, ())) for mine in tables]


def table_numbers(event: Event) -> dict[int, int]:
    """Return each entrant's table number in the latest released round."""
    released = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number")
    places = Place.objects.filter(round=released.values("pk")[:1], to_game=None)
    return dict(places.values_list("entrant_id", "sitting__table_no").order_by())


def _is_of(place: Place, entrant: Entrant) -> bool:
    """Return whether the place is the entrant's, perhaps under a name merged into theirs."""
    player = entrant.player_id
    return place.entrant_id == entrant.pk or place.entrant.player.merged_into_id == player


def _my_table(
    entrant: Entrant,
    round_: Round,
    places: list[Place],
    secrets: dict[int, str],
    queue: list[int],
) -> MyTable:
    place = next((place for place in places if _is_of(place, entrant)), None)
    if place is None:
        turn = queue.index(entrant.pk) + 1 if entrant.pk in queue else None
        return MyTable(entrant, round_, turn=turn)
    others = (other for other in places if other.sitting_id == place.sitting_id and other != place)
    return MyTable(
        entrant,
        round_,
        place,
        tuple(other.entrant for other in others),
        deals=not round_.event.has_queue
        and (place.sitting.was_cut or not round_.event.cuts_first)
        and place.seat == place.sitting.first_dealer,
        secret=secrets.get(place.sitting.table_no, ""),
    )
