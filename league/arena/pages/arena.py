"""The arena page: a club's bot tournaments, the bots' results and their ratings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from league.models import Club, Event, Season, Tally
from league.seasons.facts import ratings
from league.seasons.facts.ratings import RatedBot


@dataclass(frozen=True)
class BotGames:
    """A bot's results in the club's tournaments."""

    name: str
    tournaments: int
    games: int
    firsts: int
    average_place: Fraction

    @property
    def percent_first(self) -> float:
        """The percentage of games won."""
        return 100 * self.firsts / self.games


def tournaments_of(club: Club) -> QuerySet[Event]:
    """Return the club's bot tournaments, the latest first."""
    found = Event.objects.filter(season__club=club, kind=Event.Kind.BOTS)
    return found.select_related("season")


def bot_games(club: Club) -> list[BotGames]:
    """Return the results of all bots in tournaments, sorted by average place."""
    played = Tally.objects.filter(event__season__club=club, event__kind=Event.Kind.BOTS)
    # A shared place counts as the mean of the places shared; doubled, it is an integer.
    counted = (
        played.values("entrant__player__bot")
        .annotate(
            tournaments=Count("event", distinct=True),
            all=Sum("games"),
            firsts=Sum("games", filter=Q(rank=1), default=0),
            twice=Sum((2 * F("rank") + F("tied") - 1) * F("games")),
        )
        .order_by()
    )
    rows = [
        BotGames(
            one["entrant__player__bot"],
            one["tournaments"],
            one["all"],
            one["firsts"],
            Fraction(one["twice"], 2 * one["all"]),
        )
        for one in counted
        if one["all"]
    ]
    return sorted(rows, key=lambda row: (row.average_place, row.name))


def ladder(club: Club) -> tuple[list[list[RatedBot]], list[dict[str, Any]]]:
    """Return the ratings over all closed tournaments, and the unrated versions.

    Ratings come in groups of bots that met. A version with faults in too many games is unrated.
    """
    state = ratings.state_of(club, None)
    return ratings.bot_pools(state), ratings.unrated_bots(state)


def open_seasons(club: Club) -> list[Season]:
    """Return the open seasons, in which a tournament can be created, the latest first."""
    return list(club.seasons.filter(status=Season.Status.OPEN))
