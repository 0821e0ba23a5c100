"""A player's seat tonight: the first line on the player's own phone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.models import Entrant, Place, Round, Sitting
from league.nights.facts.night import Night
from league.nights.facts.persons import as_persons, persons
from league.nights.facts.stages import pools_of


@dataclass(frozen=True)
class MyTable:
    """A player who is here or still has a seat, and that seat in the latest released round.

    `place` is None without a seat; then `round` is None before the first draw, and `turn` is the
    position in the queue, if any. `secret` opens the entry at the table; "" without an active link.
    `watched` are the tables to watch while waiting. `is_done`: the table has all its games.
    """

    entrant: Entrant
    round: Round | None
    place: Place | None = None
    others: tuple[Entrant, ...] = ()
    deals: bool = False
    secret: str = ""
    turn: int | None = None
    watched: Sequence[TableToWatch] = ()
    is_done: bool = False

    @property
    def waiting(self) -> str:
        """The message to a player without a seat."""
        if self.round is None:
            return _("You are checked in. Your table appears here once the round is drawn.")
        if self.turn:
            text = _("You are waiting for a seat: number %(turn)s in the queue.")
            return text % {"turn": self.turn}
        number, event = self.round.number, self.round.event
        text = _("You have no table in round %(number)s. Your next table will appear here.")
        if event.rules_of_format.kind == "rounds" and number < event.rounds_planned:
            text = _(
                "You have no table in round %(number)s. You should have one in round %(next)s; it "
                "will appear here."
            )
        if self._is_out(self.round):
            text = _("Round %(number)s is for those who advanced; you are out.")
        return text % {"number": number, "next": number + 1}

    def _is_out(self, drawn: Round) -> bool:
        """Return whether the round is a later stage without the player, under any name."""
        pools = pools_of(drawn)
        if not pools or pools[0]["kind"] == "group":
            return False
        members = as_persons([pool["members"] for pool in pools], persons(drawn.event))
        return not any(self.entrant.pk in pool for pool in members)


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


ToWatch = Callable[[Sequence[Entrant]], Mapping[int, Sequence[TableToWatch]]]
"""Returns the online tables to watch by waiting entrant."""


def tables_of(
    night: Night, player_ids: Collection[int], *, to_watch: ToWatch | None = None
) -> list[MyTable]:
    """Return these players' current seats, by name; who is not here and has none is left out."""
    if not player_ids:
        return []
    tables = [_my_table(night, entrant) for entrant in night.of(player_ids)]
    tables = [one for one in tables if one.place or one.entrant.presence == Entrant.Presence.HERE]
    if to_watch is None:
        return tables
    watched = to_watch([mine.entrant for mine in tables if mine.turn])
    return [replace(mine, watched=watched.get(mine.entrant.pk, ())) for mine in tables]


def _is_of(place: Place, entrant: Entrant) -> bool:
    """Return whether the place is the entrant's, perhaps under a name merged into theirs."""
    player = entrant.player_id
    return place.entrant_id == entrant.pk or place.entrant.player.merged_into_id == player


def _my_table(night: Night, entrant: Entrant) -> MyTable:
    round_, queue = night.playing, night.queue
    place = next((place for place in night.seats if _is_of(place, entrant)), None)
    if round_ is None or place is None:
        turn = queue.index(entrant.pk) + 1 if round_ and entrant.pk in queue else None
        return MyTable(entrant, round_, turn=turn)
    table, event = place.sitting, night.event
    others = [one for one in night.seats if one.sitting_id == table.pk and one is not place]
    return MyTable(
        entrant,
        round_,
        place,
        tuple(other.entrant for other in others),
        deals=not event.has_queue
        and (table.was_cut or not event.cuts_first)
        and place.seat == table.first_dealer,
        secret=night.secrets.get(table.table_no, ""),
        is_done=not event.has_queue
        and event.games_per_round is not None
        and place.games_settled >= event.games_per_round,  # type: ignore[attr-defined]
    )
