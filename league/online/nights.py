"""The implementation of `league.nights.online`."""

from __future__ import annotations

from collections.abc import Collection

from accounts.models import User
from league.models import Entrant, Event, LiveTable, Round, Sitting
from league.nights.online import OnlineTables, WallGame
from league.online.acts import live_tables, results_in
from league.online.pages import wall_games
from tables.chairs.acts import arrangements


class Tables(OnlineTables):
    """The online tables of nights."""

    def open_round(self, *, round_: Round, event: Event, by: User | None) -> None:
        results_in.open_round(round_=round_, event=event, by=by)

    def end_tables(self, *, event: Event, round_: Round | None = None, now: bool) -> None:
        results_in.end_tables(event=event, round_=round_, now=now)

    def follow(self, *, event: Event, formed: Collection[Sitting] = ()) -> None:
        for sitting in formed:
            live_tables.open_formed(sitting, event)
        live_tables.follow(event)

    def following(self, *, event: Event) -> dict[int, int]:
        return {pk: opened.following for pk, opened in live_tables.opened_in(event).items()}

    def game_on(self, *, sitting: Sitting, event: Event) -> tuple[LiveTable | None, bool]:
        return results_in.game_on(sitting=sitting, event=event)

    def seat_entrant(self, *, live: LiveTable, chair: int, entrant: Entrant) -> None:
        holder = live_tables.holder(live, entrant)
        arrangements.hand_over(table_id=live.table_id, no=chair, holder=holder)

    def take_games(self, *, event: Event) -> None:
        results_in.sweep(event=event)

    def game_on_wall(self, event: Event) -> WallGame | None:
        return wall_games.game_on_wall(event)
