"""A round's page: the seating by table and by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from league.base.domain.names import is_meant
from league.models import Entrant, Event, Place, Player, Round, Sitting
from league.nights.facts import stages, waitlist
from league.nights.facts.events import rounds_of
from league.nights.facts.stages import StageCut
from league.nights.facts.waitlist import FloorPage, drawn_queue


@dataclass(frozen=True)
class DrawnSeat:
    """A seat in the seating diagram."""

    name: str
    deals: bool = False
    leads: bool = False


@dataclass(frozen=True)
class TableView:
    """A table with its seats, and the kind and number of its pool, if any."""

    sitting: Sitting
    seats: list[DrawnSeat]
    pool: tuple[str, int] | None = None


def is_clockwise(event: Event) -> bool:
    """Return whether play runs clockwise by the event's rules; only diagrams use it."""
    return event.rules.direction == "clockwise"


def cuts_first(event: Event) -> bool:
    """Return whether the rules cut for a table's first deal, so no dealer is named."""
    return event.rules.first_dealer == "highest_cut"


def is_to_cut(event: Event, sitting: Sitting) -> bool:
    """Return whether the table still has to cut for its first deal, so no dealer is named."""
    return cuts_first(event) and not sitting.was_cut


def are_printed(round_: Round) -> bool:
    """Return whether every table of the round had its card printed in an earlier round."""
    earlier = Sitting.objects.filter(
        round__event=round_.event_id,
        round__number__lt=round_.number,
        round__status=Round.Status.RELEASED,
    )
    return not round_.sittings.exclude(table_no__in=earlier.values("table_no")).exists()


@dataclass(frozen=True)
class RoundPage:
    """A round's tables in order, its places by name, and who sits out or is `out`."""

    tables: list[TableView]
    by_name: list[tuple[Place, Sitting]]
    byes: list[Player]
    stage: StageCut | None
    out: list[Entrant]
    floor: FloorPage | None
    clockwise: bool
    games: range
    is_last: bool

    def only_meant(self, name: str) -> RoundPage:
        """Return the page reduced to the places and tables of players whom `name` matches."""
        places = [pair for pair in self.by_name if is_meant(pair[0].entrant.player.name, name)]
        meant = {sitting.pk for _place, sitting in places}
        tables = [each for each in self.tables if not name or each.sitting.pk in meant]
        return replace(self, by_name=places, tables=tables)


def round_page(event: Event, round_: Round) -> RoundPage:
    full = next(r for r in rounds_of(event, with_drafts=True) if r.pk == round_.pk)
    places: list[tuple[Place, Sitting]] = []
    tables = []
    pools = stages.labels(full)
    for sitting in full.sittings.all():
        seated = sitting.seated
        dealer = None if is_to_cut(event, sitting) else sitting.first_dealer
        seats = [
            DrawnSeat(place.entrant.player.name, deals=place.seat == dealer) for place in seated
        ]
        tables.append(TableView(sitting, seats, pools.get(sitting.table_no)))
        places += [(place, sitting) for place in seated]
    places.sort(key=lambda pair: pair[0].entrant.player.sort_key)
    order = {key: at for at, key in enumerate(drawn_queue(full))}
    byes = sorted(full.byes.all(), key=lambda bye: order.get(bye.entrant_id, 0))
    return RoundPage(
        tables=tables,
        by_name=places,
        byes=[bye.entrant.player for bye in byes],
        stage=stages.who_went_on(event, full),
        out=_out(full, places),
        floor=waitlist.floor_page(event, [full]),
        clockwise=is_clockwise(event),
        games=range(1, (event.games_per_round or 8) + 1),
        is_last=not event.rounds.filter(number__gt=round_.number).exists(),
    )


def _out(round_: Round, places: list[tuple[Place, Sitting]]) -> list[Entrant]:
    """Return the entrants who were here for the draw but are eliminated or came too late for it."""
    if not stages.pools_of(round_):
        return []
    drawn = {place.entrant_id for place, _sitting in places}
    drawn |= {bye.entrant_id for bye in round_.byes.all()}
    missing = set(round_.settings["here"]) - drawn
    found = Entrant.objects.filter(pk__in=missing).exclude(places__round=round_)
    return list(found.select_related("player").order_by("player__sort_key"))


@dataclass(frozen=True)
class RepeatMeeting:
    """A pair at one table of this round who met in earlier rounds."""

    names: tuple[str, str]
    table_no: int
    rounds: list[int]


@dataclass(frozen=True)
class Explanation:
    """How a round was drawn: its measures, its pools with their members, who meets again."""

    method: str
    settings: dict[str, Any]
    quality: dict[str, Any]
    stage: StageCut | None
    pools: list[tuple[str, list[int]]]
    again: list[RepeatMeeting]


def explanation(event: Event, round_: Round) -> Explanation:
    rounds = [each for each in rounds_of(event, with_drafts=True) if each.number <= round_.number]
    *earlier, now = rounds
    met: dict[frozenset[int], list[int]] = {}
    for each in earlier:
        for pair, _names, _table in _pairs(each):
            met.setdefault(pair, []).append(each.number)
    pools = [(stages.pool_name(p["kind"], p["no"]), p["members"]) for p in stages.pools_of(now)]
    return Explanation(
        method=_method(now),
        settings=round_.settings,
        quality=round_.quality,
        stage=stages.who_went_on(event, now),
        pools=pools,
        again=[
            RepeatMeeting(names, table_no, met[pair])
            for pair, names, table_no in _pairs(now)
            if pair in met
        ],
    )


def _method(round_: Round) -> str:
    """Return the draw's method in words."""
    words = {
        "loser_leaves": _(
            "first tables and queue by lot; after that, last place gives up the seat"
        ),
        "open": _("by lot among the players present; after that, tables form as players arrive"),
        "swiss": _("players with similar scores meet"),
    }
    return words.get(round_.settings["method"], _("as few repeat meetings as possible"))


def swap_choices(round_: Round) -> list[tuple[int, str]]:
    """Return a draft's entrants by name, each with the table or as sitting out."""
    found = Entrant.objects.filter(Q(places__round=round_) | Q(byes__round=round_))
    people = found.select_related("player").order_by("player__sort_key").distinct()
    tables = dict(
        Place.objects.filter(round=round_, to_game=None).values_list(
            "entrant_id", "sitting__table_no"
        )
    )
    return [(one.pk, f"{one.player.name} · {_where(tables.get(one.pk))}") for one in people]


def _where(table_no: int | None) -> str:
    if table_no is None:
        return _("sits out")
    return _("table %(table)s") % {"table": table_no}


def chair_choices(event: Event, round_: Round) -> list[Entrant]:
    """Return the entrants who can take a seat in this round: not seated, left or absent."""
    seated = Place.objects.filter(round=round_, to_game=None).values("entrant")
    free = event.entrants.filter(counts=True).exclude(pk__in=seated)
    free = free.exclude(presence__in=[Entrant.Presence.LEFT, Entrant.Presence.ABSENT])
    return list(free.select_related("player").order_by("player__sort_key"))


def _pairs(round_: Round) -> Iterator[tuple[frozenset[int], tuple[str, str], int]]:
    for sitting in round_.sittings.all():
        seated = [place.entrant for place in sitting.seated]
        for a, b in combinations(seated, 2):
            yield frozenset((a.pk, b.pk)), (a.player.name, b.player.name), sitting.table_no
