"""Money tables of a club: their players, games and payments."""

import datetime
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.page_parts import Badge
from league.models import Club, ClubTable, Event, Player, Posting, Season, Transfer
from tables.base import rulesets
from tables.models import Game, Seat, SharedPlace, Table
from tables.people.facts import pairs
from tables.people.facts.pairs import PlacedAccount, StandingPair

MOST_SHOWN = 20
MOST_GAMES = 3_000


@dataclass(frozen=True)
class StakeTable:
    live: ClubTable
    rules: str
    seats: list[Seat]
    games: int

    @property
    def people(self) -> list[Player]:
        return [seat.club_seat.player for seat in self.seats]

    @property
    def free(self) -> int:
        return self.live.table.players - len(self.seats)

    @property
    def badge(self) -> Badge:
        if self.live.table.status != Table.Status.WAITING or not self.free:
            return Badge(_("playing"), "live")
        free = ngettext("%(n)s free seat", "%(n)s free seats", self.free)
        return Badge(free % {"n": self.free}, "open")

    @property
    def played(self) -> str:
        return ngettext("%(n)s game", "%(n)s games", self.games) % {"n": self.games}


def player_of(club: Club | int, user: Any) -> Player | None:
    if user is None or not user.is_authenticated:
        return None
    return Player.objects.people().filter(club=club, user=user).first()


def open_seasons(club: Club) -> list[Season]:
    """Return the club's open seasons, whose ledgers take stakes, the latest first."""
    return list(club.seasons.filter(status=Season.Status.OPEN).select_related("ruleset"))


def last_stake(club: Club, fixed_unit: str) -> int | None:
    """Return the stake of the latest stakes table in such a season, else of the latest night."""
    there = {"season__club": club, "season__fixed_unit": fixed_unit}
    found = ClubTable.objects.filter(**there).order_by("-pk")
    if stake := found.values_list("table__arrangement__stake", flat=True).first():
        return stake
    nights = Event.objects.filter(**there, stake__gt=0).order_by("-date", "-pk")
    return nights.values_list("stake", flat=True).first()


def open_tables(club: Club) -> list[StakeTable]:
    """Return the club's open stakes tables, the latest first."""
    return _with_seats(_tables(club).filter(ended_at=None))


def ended_tables(club: Club) -> list[StakeTable]:
    """Return the club's latest ended stakes tables that had a finished game."""
    played = Game.objects.filter(table=OuterRef("table"), over_at__isnull=False)
    return _with_seats(_tables(club).filter(Exists(played), ended_at__isnull=False)[:MOST_SHOWN])


def pairs_of(club: Club) -> list[StandingPair]:
    """Return the pairs that stand out at stakes tables, where players choose their opponents."""
    since = timezone.now() - pairs.SINCE
    here = Game.objects.filter(table__club_table__season__club=club, over_at__gte=since)
    rows: list[Any] = list(here.order_by("-pk").values_list("holders", "outcome")[:MOST_GAMES])
    holders = {pk for chairs, _outcome in rows for pk in chairs}
    seats = Seat.objects.filter(pk__in=holders).values_list("pk", "user_id", "name")
    people = {pk: (who, name) for pk, who, name in seats}
    games = [
        [
            PlacedAccount(*people[chairs[no]], rank)
            for rank, group in enumerate(outcome["placings"], start=1)
            for no in group
        ]
        for chairs, outcome in rows
    ]
    return pairs.pairs(games, meet_by_chance=False)


@dataclass(frozen=True)
class SharedPair:
    """Two players with the numbers of tables where they shared a browser or a network."""

    names: tuple[str, str]
    devices: int
    networks: int
    last: datetime.datetime


def shared_places_of(club: Club) -> list[SharedPair]:
    """Return the pairs that shared a browser or network, most tables with one browser first."""
    since = timezone.now() - pairs.SINCE
    here = SharedPlace.objects.filter(one__table__club_table__season__club=club, at__gte=since)
    meetings = here.order_by("-at").values_list(
        "one__user_id", "one__name", "other__user_id", "other__name", "by", "at", "one__table_id"
    )
    names: dict[int | None, str] = {}
    last: dict[tuple[Any, ...], datetime.datetime] = {}
    tables: defaultdict[tuple[Any, ...], set[int]] = defaultdict(set)
    for one, one_name, other, other_name, by, at, table in meetings[:MOST_GAMES]:
        pair = tuple(sorted((one, other)))
        names.setdefault(one, one_name)
        names.setdefault(other, other_name)
        last.setdefault(pair, at)
        tables[*pair, by].add(table)
    found = [
        SharedPair(
            (names[one], names[other]),
            len(tables[one, other, SharedPlace.By.DEVICE]),
            len(tables[one, other, SharedPlace.By.NETWORK]),
            last[one, other],
        )
        for one, other in last
    ]
    return sorted(found, key=lambda pair: (-pair.devices, -pair.networks, pair.names))


def clubs_of(user: Any) -> QuerySet[Club]:
    seen = Club.objects.public() | Club.objects.of(user)
    return seen.filter(players__user=user, players__merged_into=None).distinct()


def with_news() -> QuerySet[ClubTable]:
    """Return open seasons' stakes tables with an unposted finished game, or just closed."""
    unposted = Game.objects.filter(table=OuterRef("table"), over_at__isnull=False, posting=None)
    return (
        ClubTable.objects.filter(ended_at=None, season__status=Season.Status.OPEN)
        .filter(Exists(unposted) | Q(table__status=Table.Status.CLOSED))
        .order_by("pk")
    )


def games_of(live: ClubTable) -> QuerySet[Posting]:
    """Return the table's posted games, the latest first; `undone` is the time of a reversal."""
    people = Transfer.objects.select_related("payer__player", "payee__player").order_by("pk")
    return (
        Posting.objects.filter(game__table=live.table_id)
        .annotate(undone=F("posting__at"))
        .select_related("game")
        .prefetch_related(Prefetch("transfers", people))
        .order_by("-game__no")
    )


def transfers_of(live: ClubTable) -> QuerySet[Transfer]:
    """Return the transfers of the table's games and of their reversals."""
    here = Q(posting__game__table=live.table_id)
    return Transfer.objects.filter(here | Q(posting__reverses__game__table=live.table_id))


def _tables(club: Club) -> QuerySet[ClubTable]:
    sitting = Seat.objects.filter(left_at=None).select_related("club_seat__player").order_by("no")
    return (
        ClubTable.objects.filter(season__club=club)
        .annotate(games_played=Count("table__games", filter=Q(table__games__over_at__isnull=False)))
        .select_related("table__arrangement", "table__ruleset")
        .prefetch_related(Prefetch("table__seats", sitting, to_attr="sitting_now"))
        .order_by("-pk")
    )


def _with_seats(tables: QuerySet[ClubTable]) -> list[StakeTable]:
    return [
        StakeTable(
            live,
            rulesets.thaw(live.table.ruleset).name,
            live.table.sitting_now,  # type: ignore[attr-defined]
            live.games_played,  # type: ignore[attr-defined]
        )
        for live in tables
    ]
