"""What tables tell and ask the club that stands behind them: `tables.hosts` is the door."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q

from league.base.rights import Right, highest
from league.models import Club, ClubTable
from league.online.selectors import stake_tables as members
from league.online.services import results_in, stake_tables
from tables.hosts import Host
from tables.models import Seat, Table
from tables.refusals import TableRefusal


class ClubHost(Host):
    """The club whose night or whose players a table was opened for."""

    def name_of_member(self, table: Table, user: Any) -> str:
        live = ClubTable.objects.filter(table=table).select_related("season").first()
        player = members.player_of(live.season.club_id, user) if live else None
        return player.name if player else ""

    def note_player(self, seat: Seat) -> None:
        stake_tables.note_player(seat=seat)

    def leave(self, seat: Seat) -> None:
        try:
            results_in.leave_night(seat=seat)
        except ValidationError as error:
            raise TableRefusal("closed") from error

    def looks_after(self, table: Table, user: Any) -> bool:
        club = Club.objects.filter(
            Q(seasons__events__rounds__sittings__live_tables__table=table)
            | Q(seasons__tables__table=table)
        ).first()
        return club is not None and (highest(user, club) or Right.SEE) >= Right.ORGANISE
