"""The implementation of `league.nights.online`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest

from accounts.models import User
from league.models import Entrant, Event, LiveTable, Place, Round, Sitting
from league.nights.online import OnlineTables, WallGame
from league.online.acts import live_tables, results_in
from league.online.facts import online_rounds
from league.online.pages import wall_games


class OwnChair(NamedTuple):
    """A seat at an online table, with the URL that opens it."""

    place: Place
    address: str


class Tables(OnlineTables):
    """The online tables of nights."""

    def open_round(self, *, round_: Round, event: Event, by: User | None) -> None:
        results_in.open_round(round_=round_, event=event, by=by)

    def open_formed(self, *, sitting: Sitting, event: Event) -> None:
        live_tables.open_formed(sitting, event)

    def end_tables(self, *, event: Event, round_: Round | None = None, now: bool) -> None:
        results_in.end_tables(event=event, round_=round_, now=now)

    def follow(self, *, event: Event) -> None:
        live_tables.follow(event)

    def following(self, *, event: Event) -> dict[int, int]:
        return {pk: opened.following for pk, opened in live_tables.opened_in(event).items()}

    def game_on(self, *, sitting: Sitting, event: Event) -> tuple[LiveTable | None, bool]:
        return results_in.game_on(sitting=sitting, event=event)

    def seat_entrant(self, *, live: LiveTable, chair: int, entrant: Entrant) -> None:
        results_in.seat_entrant(live=live, chair=chair, entrant=entrant)

    def take_waiting(self, *, event: Event) -> None:
        results_in.sweep(event=event)

    def tables_of(self, event: Event) -> dict[int, str]:
        return online_rounds.open_at(event)

    def key_at(self, sitting: Sitting) -> str:
        return online_rounds.key_at(sitting)

    def table_of_user(self, event: Event, user: Any) -> str:
        return online_rounds.table_of_user(event, user)

    def to_watch(
        self, request: HttpRequest, event: Event, waiting: Sequence[Entrant]
    ) -> dict[int, list[Any]]:
        from league.online.views.online import to_watch  # Imported late: only pages need it.

        return to_watch(request, event, waiting)

    def game_on_wall(self, event: Event) -> WallGame | None:
        return wall_games.game_on_wall(event)

    def chairs_of(
        self, request: HttpRequest, event: Event, player_ids: Collection[int]
    ) -> list[OwnChair]:
        from league.online.views.online import chair_link  # Imported late: only pages need it.

        return [
            OwnChair(place, chair_link(request, table, place.entrant_id).url)
            for table, place in online_rounds.chairs_of(event, player_ids)
        ]
