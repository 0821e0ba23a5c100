"""Online tables of a night: their progress, their players, and their unrecorded games."""

import hashlib
from dataclasses import dataclass, field

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base import texts
from league.base.page_parts import Badge
from league.models import Entrant, Event, LiveTable, Place, Sitting
from tables.models import Game, Seat, Table


@dataclass(frozen=True)
class OnlinePlayer:
    """A player at an online table: the seat, and the player's place in the sitting."""

    seat: Seat
    place: Place

    @property
    def needs_link(self) -> bool:
        """Whether only a personal link opens this seat."""
        return bool(self.seat.token_hash)


@dataclass(frozen=True)
class TableProgress:
    """A round's table as organisers follow it; `live` is None for real cards.

    `too_few` means that not enough players sit there to play.
    """

    sitting: Sitting
    done: int
    total: int | None
    too_few: bool
    live: LiveTable | None = None
    chairs: list[OnlinePlayer] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.total is not None and self.done >= self.total

    @property
    def lacks_people(self) -> bool:
        return self.live is not None and len(self.chairs) < self.live.table.players

    @property
    def ready(self) -> int:
        """The number of players who have said that they are ready."""
        return len(self.live.table.arrangement.ready) if self.live else 0

    @property
    def people(self) -> int:
        return sum(not chair.seat.is_bot for chair in self.chairs)

    @property
    def problem(self) -> str:
        """Why a game could not be recorded, in the reader's language; "" if there is no problem."""
        return texts.stored(self.live.problem, self.live.problem_params) if self.live else ""

    @property
    def is_on(self) -> bool:
        return self.live is not None and self.live.ended_at is None

    @property
    def may_open(self) -> bool:
        """Whether an online table may be opened: enough players sit there, with games left."""
        return not self.is_on and not self.over and not self.too_few

    @property
    def badge(self) -> Badge:
        live = self.live
        if self.problem:
            return Badge(_("needs attention"), "live")
        if self.over:
            return Badge(_("all games entered"), "done")
        if live is not None and live.abandoned:
            return Badge(_("everyone left"), "gold")
        if live is not None and self.is_on and live.table.status == Table.Status.CLOSED:
            return Badge(_("done; others still play these deals"))
        if self.lacks_people or (live is None and self.too_few):
            return Badge(_("waiting for players"), "open")
        if live is None:
            return Badge(_("real cards"))
        if live.table.status == Table.Status.WAITING and not live.table.arrangement.held:
            ready = {"ready": self.ready, "people": self.people}
            return Badge(_("%(ready)s of %(people)s ready") % ready, "open")
        return Badge(_("online"), "live")

    @property
    def games(self) -> str:
        """The number of games played, with the total if it is fixed, as text."""
        if self.total:
            return _("%(done)s of %(total)s games") % {"done": self.done, "total": self.total}
        return ngettext("%(n)s game", "%(n)s games", self.done) % {"n": self.done}

    @property
    def stamp(self) -> str:
        """A text that changes whenever the organiser's view of the table changes."""
        live = self.live
        about: tuple[object, ...] = ()
        if live:
            held = live.table.arrangement.held
            about = (
                *(live.table.status, held, live.ended_at, live.problem, live.renewed),
                live.on_wall_at,
            )
        chairs = [(chair.seat.pk, chair.seat.autopilot) for chair in self.chairs]
        return repr((self.sitting.pk, self.done, self.ready, about, chairs))


def with_news() -> QuerySet[LiveTable]:
    """Return open events' online tables with an unrecorded finished game, or just closed."""
    untaken = Game.objects.filter(table=OuterRef("table"), over_at__isnull=False)
    return (
        LiveTable.objects.filter(ended_at=None, sitting__round__event__status="open")
        .filter(Exists(untaken.filter(league_result=None)) | Q(table__status=Table.Status.CLOSED))
        .select_related("sitting__round", "table")
        .order_by("pk")
    )


def progress(event: Event) -> list[TableProgress]:
    """Return the tables of the latest released round, with their online tables and players."""
    round_ = event.rounds.filter(status="released").order_by("-number").first()
    if round_ is None:
        return []
    played = Count("results", filter=Q(results__current=True, results__void=False))
    sittings = list(
        Sitting.objects.filter(round=round_)
        .annotate(games_played=played)
        .select_related("round")
        .prefetch_related(
            Prefetch("places", queryset=Place.objects.select_related("entrant__player"))
        )
        .order_by("table_no")
    )
    live = {
        live.sitting_id: live
        for live in LiveTable.objects.filter(sitting__round=round_)
        .select_related("table__arrangement")
        .annotate(dealt=Count("table__games", filter=Q(table__games__dealt_at__isnull=False)))
        .prefetch_related(
            Prefetch("table__seats", queryset=Seat.objects.filter(left_at=None).order_by("no"))
        )
        .order_by("pk")
    }
    return [_progress(sitting, live.get(sitting.pk), event) for sitting in sittings]


def stamp(tables: list[TableProgress]) -> str:
    """Return a digest of the tables, which a page sends back to ask for changes."""
    return hashlib.sha256("".join(each.stamp for each in tables).encode()).hexdigest()[:16]


def bots_here(event: Event) -> list[Entrant]:
    """Return the night's bots that take part in draws like people."""
    found = event.entrants.filter(presence="here", counts=True).exclude(player__bot="")
    return list(found.select_related("player").order_by("player__sort_key"))


def _progress(sitting: Sitting, live: LiveTable | None, event: Event) -> TableProgress:
    done: int = sitting.games_played  # type: ignore[attr-defined]
    too_few = len(sitting.seated) < event.least_at_table
    if live is None or (live.ended_at and not live.problem):
        ended = live if live is not None and live.abandoned else None
        return TableProgress(sitting, done, event.games_per_round, too_few, ended)
    places = _places_at(sitting, live)
    seats = list(live.table.seats.all())
    chairs = [OnlinePlayer(seat, places[seat.no]) for seat in seats if seat.no < len(places)]
    return TableProgress(sitting, done, event.games_per_round, too_few, live, chairs)


def _places_at(sitting: Sitting, live: LiveTable) -> list[Place]:
    """Return the current places at an online table; they may change after its game."""
    table, dealt = live.table, live.dealt  # type: ignore[attr-defined]
    on = table.status == Table.Status.PLAYING or table.arrangement.held
    number = live.from_game + dealt - on
    return [
        place
        for place in sitting.places.all()
        if place.from_game <= number and (place.to_game is None or place.to_game >= number)
    ]
