"""The club's implementation of `tables.hosts`."""

from collections.abc import Collection, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet

from league.base.rights import Right, hides_names, highest
from league.models import Club, ClubTable, LiveTable, Player
from league.nights.facts import online_tables
from league.online.acts import results_in, stake_tables
from league.online.facts import stake_tables as members
from tables.base.faces import Face
from tables.hosts import Host
from tables.models import Seat, Table
from tables.refusals import TableRefusal


class ClubHost(Host):
    """The host of tables opened for a club's night or by its players."""

    def name_of(self, user: Any) -> str:
        players = Player.objects.filter(user=user, merged_into=None).order_by("-pk")
        return players.values_list("name", flat=True).first() or ""

    def name_of_member(self, table: Table, user: Any) -> str:
        live = ClubTable.objects.filter(table=table).select_related("season").first()
        player = members.player_of(live.season.club_id, user) if live else None
        return player.name if player else ""

    def faces(self, table: Table, seats: Sequence[Seat]) -> dict[str, Face]:
        names: dict[int | None, str] = {one.user_id: one.name for one in seats if one.user_id}
        if not table.terms:
            return {names[user]: face for user, face in self.faces_of(names).items()}
        here = Q(club__in=_clubs_of(table))
        known = Q(user__in=names) | here & Q(name__in=[seat.name for seat in seats])
        players = Player.objects.filter(known, merged_into=None).alias(is_here=here)
        return {
            names.get(player.user_id, player.name): player.face
            for player in players.order_by("is_here", "pk")
        }

    def faces_of(self, users: Collection[int | None]) -> dict[int | None, Face]:
        players = Player.objects.filter(user__in=users, merged_into=None).order_by("pk")
        return {player.user_id: player.face for player in players} if users else {}

    def note_player(self, seat: Seat) -> None:
        stake_tables.note_player(seat=seat)

    def leave(self, seat: Seat) -> None:
        try:
            results_in.leave_night(seat=seat)
        except ValidationError as error:
            raise TableRefusal("closed") from error

    def uncounted(self, table: Table) -> frozenset[int]:
        nights = LiveTable.objects.select_related("table__arrangement", "sitting__round")
        night = nights.filter(table=table).first()
        return results_in.uncounted(night) if night else frozenset()

    def may_watch(self, table: Table, user: Any, token: str = "") -> bool:
        nights = LiveTable.objects.select_related("sitting__round__event__season__club")
        if (night := nights.filter(table=table).first()) is not None:
            event = night.sitting.round.event
            club = event.season.club
            entrants = event.entrants.values_list("pk", flat=True) if token else ()
            if token in (online_tables.secret_of(night, entrant) for entrant in entrants):
                return True
        else:
            live = ClubTable.objects.select_related("season__club").filter(table=table).first()
            if live is None:
                return not table.unit
            club = live.season.club
        if (highest(user, club) or Right.SEE) >= Right.BELONG:
            return True
        return not table.unit and not hides_names(club)

    def looks_after(self, table: Table, user: Any) -> bool:
        club = _clubs_of(table).first()
        return club is not None and (highest(user, club) or Right.SEE) >= Right.ORGANISE


def _clubs_of(table: Table) -> QuerySet[Club]:
    """Return the club, if any, that the table was opened for."""
    return Club.objects.filter(
        Q(seasons__events__rounds__sittings__live_tables__table=table)
        | Q(seasons__tables__table=table)
    )
