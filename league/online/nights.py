"""The implementation of `league.nights.online`."""

from collections.abc import Collection

from league.models import Entrant, Event, LiveTable, Sitting
from league.nights.online import OnlineTables
from league.online.acts import live_tables, results_in
from league.online.pages import wall_games
from tables.chairs.acts import arrangements


class Tables(OnlineTables):
    open_round = staticmethod(results_in.open_round)
    end_tables = staticmethod(results_in.end_tables)
    game_on = staticmethod(results_in.game_on)
    game_on_wall = staticmethod(wall_games.game_on_wall)

    def follow(self, *, event: Event, formed: Collection[Sitting] = ()) -> None:
        for sitting in formed:
            live_tables.open_formed(sitting, event)
        live_tables.follow(event)

    def following(self, *, event: Event) -> dict[int, int]:
        return {pk: opened.following for pk, opened in live_tables.opened_in(event).items()}

    def seat_entrant(self, *, live: LiveTable, chair: int, entrant: Entrant) -> None:
        holder = live_tables.holder(live, entrant)
        arrangements.hand_over(table_id=live.table_id, no=chair, holder=holder)

    def take_games(self, *, event: Event) -> None:
        results_in.sweep(event=event)
