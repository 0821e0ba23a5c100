"""Live tables that a club's players opened for a stake: who plays there, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet

from league.models import Club, ClubTable, Player, Posting, Season, Transfer
from tables.models import Game, Seat, Table
from tables.services import rulesets

MOST_SHOWN = 20


@dataclass(frozen=True)
class Shown:
    """A table with those who sit there."""

    live: ClubTable
    rules: str
    seats: list[Seat]
    games: int

    @property
    def free(self) -> int:
        """How many chairs nobody has."""
        return self.live.table.players - len(self.seats)


def player_of(club: Club | int, user: Any) -> Player | None:
    """The player as whom this account plays in the club."""
    if user is None or not user.is_authenticated:
        return None
    return Player.objects.filter(club=club, user=user, merged_into=None, bot="").first()


def open_seasons(club: Club) -> list[Season]:
    """The seasons in whose ledger a stake can stand, the latest first."""
    return list(club.seasons.filter(status=Season.Status.OPEN).select_related("ruleset"))


def last_stake(club: Club) -> int | None:
    """What the club's players last played for."""
    found = ClubTable.objects.filter(season__club=club).order_by("-pk")
    return found.values_list("table__arrangement__stake", flat=True).first()


def open_tables(club: Club) -> list[Shown]:
    """The tables where people play or wait, the latest first."""
    return _shown(_tables(club).filter(ended_at=None))


def ended_tables(club: Club) -> list[Shown]:
    """The latest tables that are over and had a game."""
    played = Game.objects.filter(table=OuterRef("table"), over_at__isnull=False)
    ended = _tables(club).filter(Exists(played), ended_at__isnull=False)
    return _shown(ended[:MOST_SHOWN])


def clubs_of(user: Any) -> QuerySet[Club]:
    """The clubs in which this account is a player."""
    return Club.objects.filter(players__user=user, players__merged_into=None).distinct()


def with_news() -> QuerySet[ClubTable]:
    """The tables of open seasons with a finished game that is not posted, or just closed."""
    unposted = Game.objects.filter(table=OuterRef("table"), over_at__isnull=False, posting=None)
    return (
        ClubTable.objects.filter(ended_at=None, season__status=Season.Status.OPEN)
        .filter(Exists(unposted) | Q(table__status=Table.Status.CLOSED))
        .order_by("pk")
    )


def games_of(live: ClubTable) -> QuerySet[Posting]:
    """The games posted, the latest first; `undone` says that one was taken back."""
    people = Transfer.objects.select_related("payer__player", "payee__player").order_by("pk")
    return (
        Posting.objects.filter(game__table=live.table_id)
        .annotate(undone=F("posting__at"))
        .select_related("game")
        .prefetch_related(Prefetch("transfers", people))
        .order_by("-game__no")
    )


def transfers_of(live: ClubTable) -> QuerySet[Transfer]:
    """What moved in the games of the table, and what was taken back."""
    here = Q(posting__game__table=live.table_id)
    return Transfer.objects.filter(here | Q(posting__reverses__game__table=live.table_id))


def _tables(club: Club) -> QuerySet[ClubTable]:
    sitting = Seat.objects.filter(left_at=None).order_by("no")
    return (
        ClubTable.objects.filter(season__club=club)
        .annotate(games_played=Count("table__games", filter=Q(table__games__over_at__isnull=False)))
        .select_related("table__arrangement", "table__ruleset")
        .prefetch_related(Prefetch("table__seats", sitting, to_attr="sitting_now"))
        .order_by("-pk")
    )


def _shown(tables: QuerySet[ClubTable]) -> list[Shown]:
    return [
        Shown(
            live,
            rulesets.thaw(live.table.ruleset).name,
            live.table.sitting_now,  # type: ignore[attr-defined]
            live.games_played,  # type: ignore[attr-defined]
        )
        for live in tables
    ]
