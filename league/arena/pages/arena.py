"""The arena page: a club's bot tournaments, the bots' results and their ratings."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.page_parts import Button
from league.base.rights import Right
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
        return 100 * self.firsts / self.games


@dataclass(frozen=True)
class ArenaPage:
    """The arena for one reader: the bots' results, their ratings, and what the reader may do.

    `pools` groups rated bots that met; a version with faults in too many games is `unrated`.
    """

    standings: list[BotGames]
    pools: list[list[RatedBot]]
    unrated: list[dict[str, Any]]
    buttons: list[Button]
    needs_season: bool


def arena_page(club: Club, right: Right) -> ArenaPage:
    state = ratings.state_of(club, None)
    organises = right >= Right.ORGANISE
    season = club.seasons.filter(status=Season.Status.OPEN).first() if organises else None
    buttons = [Button(_("Bot rankings"), reverse("league:ladder", args=[club.slug]))]
    if right >= Right.BELONG:
        buttons.append(Button(_("Members' bots"), reverse("league:own_bots", args=[club.slug])))
    if season is not None:
        keys = [club.slug, season.pk]
        new_run, new_league = (
            reverse(f"league:{name}", args=keys) for name in ("bots_create", "league_create")
        )
        buttons.append(Button(_("New bot tournament"), new_run, "primary"))
        buttons.append(Button(_("New bot league"), new_league))
    return ArenaPage(
        bot_games(club),
        ratings.bot_pools(state),
        ratings.unrated_bots(state),
        buttons,
        needs_season=organises and season is None,
    )


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
