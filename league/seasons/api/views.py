"""API views of seasons: standings, ratings, teams and adjustments."""

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.base.acts import locks
from league.base.api.filters import SINCE, UPDATED, example
from league.base.api.views import ClubView, Pages
from league.base.lookup import (
    find_event,
    find_person,
    find_season,
    first_or_404,
    seasons_to_see,
)
from league.clubs.api.views import asked_rules
from league.models import Event, Season
from league.seasons.acts import adjustments, bins, season_cache, seasons
from league.seasons.acts import rosters as roster_services
from league.seasons.api import serializers as s
from league.seasons.facts import player_rows, ratings, rosters
from league.seasons.facts.season_cache import CachedRows
from league.seasons.pages import past_seasons, player_page
from tables.base.lookup import or_404
from tables.refusals import Refusal


class Seasons(ClubView):
    @extend_schema(responses=s.SeasonOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's seasons, latest first."""
        return self.pages(s.SeasonOut, seasons_to_see(self.club))

    @extend_schema(
        request=s.SeasonIn,
        responses={201: s.SeasonOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create an open season."""
        data = self.checked(s.SeasonIn)
        data["ruleset"] = asked_rules(self.club, data["ruleset"])
        data.setdefault("starts_on", timezone.localdate())
        made = seasons.create_season(club=self.club, by=self.user, **data)
        return Response(s.SeasonOut(made).data, status=201)


class SeasonDetail(ClubView):
    @extend_schema(responses=s.SeasonOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return one season with its scoring."""
        return Response(s.SeasonOut(find_season(self.club, pk)).data)

    @extend_schema(request=s.SeasonChangeIn, responses=s.SeasonOut)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change how an open season counts."""
        season, data = find_season(self.club, pk), self.checked(s.SeasonChangeIn)
        changed = seasons.change_scoring(season=season, by=self.user, **data)
        return Response(s.SeasonOut(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Put an unused season in the bin for 30 days. 409: the season is in use."""
        bins.bin_season(season=find_season(self.club, pk), by=self.user)
        return Response(status=204)


TAKES_ROSTER = extend_schema(
    request=s.RosterIn,
    responses={201: s.RosterOut(many=True)},
    examples=[example("A team", {"kind": "team", "name": "Sài Gòn", "players": [3, 5]})],
)


class RosterView(ClubView):
    """Teams and categories, for a season or one of its events."""

    def shown(self, season: Season, night: Event | None = None) -> Response:
        """Return the teams and categories with their places."""
        if night is None:
            season_cache.standings_of(season=season)
        tables = rosters.tables_of(season, night)
        return self.pages(s.RosterOut, [*tables.teams, *tables.categories])

    def saved(self, season: Season, night: Event | None = None) -> Response:
        """Save the submitted team or category; return all current ones."""
        data = self.checked(s.RosterIn)
        members = [find_person(self.club, key) for key in data["players"]]
        roster_services.save_roster(
            season=season,
            kind=data["kind"],
            name=data["name"],
            members=members,
            by=self.user,
            replaces=True,
        )
        answer = self.shown(season, night)
        answer.status_code = 201
        return answer


class SeasonRosters(RosterView):
    @extend_schema(responses=s.RosterOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the teams, best first, and the categories with their players' places."""
        return self.shown(find_season(self.club, pk))

    @TAKES_ROSTER
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create a team or a category, or replace the players of the one with that name."""
        return self.saved(find_season(self.club, pk))


class EventRosters(RosterView):
    @extend_schema(responses=s.RosterOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the teams, best first, and the categories with their places in this event."""
        event = find_event(self.club, pk)
        return self.shown(event.season, event)

    @TAKES_ROSTER
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create or replace a team or a category of the season; return the event's tables."""
        event = find_event(self.club, pk)
        return self.saved(event.season, event)


class SeasonStatus(ClubView):
    @extend_schema(request=s.StatusIn, responses=s.SeasonOut)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Close or reopen the season."""
        season, data = find_season(self.club, pk), self.checked(s.StatusIn)
        seasons.set_status(season=season, status=data["status"], by=self.user)
        return Response(s.SeasonOut(find_season(self.club, pk)).data)


class PastSeasons(ClubView):
    @extend_schema(responses=s.PastSeasonOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the closed seasons with their podiums, latest first."""
        pages = Pages()
        page = pages.paginate_queryset(past_seasons.closed_seasons(self.club), request, view=self)
        found = past_seasons.past_seasons(page or [])
        return pages.get_paginated_response(s.PastSeasonOut(found, many=True).data)


def _counted(season: Season) -> CachedRows:
    """Return the season's standings; Refusal while a long season is counted for the first time."""
    found = season_cache.standings_of(season=season)
    if found.at is None:
        raise Refusal(
            _("This long season is being calculated for the first time. Come back in a minute."),
            code="try_later",
            status=503,
        )
    return found.rows


class SeasonStandings(ClubView):
    @extend_schema(responses=s.StandingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the season's standings, best first."""
        season = find_season(self.club, pk)
        return self.pages(s.StandingOut, _counted(season), unit=season.unit)


class SeasonRowDetail(ClubView):
    @extend_schema(responses=s.LineOut(many=True))
    def get(self, request: Request, slug: str, pk: int, player: int) -> Response:
        """Return the terms of a row's sum; they add up to the points exactly."""
        season, person = find_season(self.club, pk), find_person(self.club, player)
        found = or_404(_counted(season).of(person.pk))
        return self.pages(s.LineOut, player_rows.row_of(found.player, season).explain)


class SeasonRatings(ClubView):
    @extend_schema(responses=s.RatingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the ratings of the season, strongest first."""
        return self.pages(s.RatingOut, ratings.of_season(find_season(self.club, pk)))


class ClubRatings(ClubView):
    @extend_schema(responses=s.RatingOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the ratings over all seasons, strongest first."""
        return self.pages(s.RatingOut, ratings.of_club(self.club))


class SeasonBotRatings(ClubView):
    @extend_schema(responses=s.BotRatingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the bots of the season's closed tournaments, each pool's strongest first.

        Bots of different pools never met, so their ratings cannot be compared.
        """
        state = ratings.state_of(self.club, find_season(self.club, pk))
        return self.pages(s.BotRatingOut, ratings.rated_bots(state))


class ClubBotRatings(ClubView):
    @extend_schema(responses=s.BotRatingOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the bots of the closed tournaments of all seasons, each pool's strongest first."""
        return self.pages(s.BotRatingOut, ratings.rated_bots(ratings.state_of(self.club, None)))


class SeasonSpecials(ClubView):
    @extend_schema(responses=s.SpecialsOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return each player's chops, times chopped, 2s or bombs left, cóng and instant wins."""
        return self.pages(s.SpecialsOut, _counted(find_season(self.club, pk)).specials())


class SeasonHonours(ClubView):
    @extend_schema(responses=s.HonourOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the season's titles with their holders."""
        return self.pages(s.HonourOut, _counted(find_season(self.club, pk)).honours())


class Opponents(ClubView):
    @extend_schema(responses=s.OpponentOut(many=True))
    def get(self, request: Request, slug: str, pk: int, season: int) -> Response:
        """Return the player's opponents in the season, with the results against each."""
        player = find_person(self.club, pk)
        of = find_season(self.club, season)
        met = player_page.opponents(player_page.keys_of(player), of)
        return self.pages(s.OpponentOut, met, unit=of.unit)


class PlayerNights(ClubView):
    @extend_schema(responses=s.PlayerNightOut(many=True))
    def get(self, request: Request, slug: str, pk: int, season: int) -> Response:
        """Return the player's nights of the season with points and rating, oldest first."""
        player = find_person(self.club, pk)
        nights = player_page.nights_of(
            player, player_page.keys_of(player), find_season(self.club, season)
        )
        return self.pages(s.PlayerNightOut, nights)


class Adjustments(ClubView):
    filters = {"updated_since": SINCE}

    def lock_to_change(self) -> None:
        locks.season(self.kwargs["pk"])

    @extend_schema(responses=s.AdjustmentOut(many=True), parameters=[UPDATED])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the season's penalties and bonuses, including revoked ones."""
        found = find_season(self.club, pk).adjustments.all()
        if since := self.asked.get("updated_since"):
            found = found.filter(Q(at__gte=since) | Q(revoked_at__gte=since))
        return self.pages(s.AdjustmentOut, found)

    @extend_schema(
        request=s.AdjustmentIn,
        responses={201: s.AdjustmentOut},
        examples=[
            example(
                "A penalty", {"player": 7, "event": None, "points": "-2", "reason": "came late"}
            )
        ],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Give a player points, or take them (below 0)."""
        data = self.checked(s.AdjustmentIn)
        player = find_person(self.club, data["player"])
        made = adjustments.adjust_points(
            season=find_season(self.club, pk),
            player=player,
            event=find_event(self.club, data["event"]) if data["event"] else None,
            points=data["points"],
            reason=data["reason"],
            stage=data["stage"],
            stage_round=data["round"],
            by=self.user,
        )
        return Response(s.AdjustmentOut(made).data, status=201)


class RevokeAdjustment(ClubView):
    @extend_schema(request=None, responses=s.AdjustmentOut)
    def post(self, request: Request, slug: str, pk: int, adjustment: int) -> Response:
        """Revoke a penalty or bonus; it stays listed. 409: it is already revoked."""
        found = first_or_404(find_season(self.club, pk).adjustments.filter(pk=adjustment))
        return Response(s.AdjustmentOut(adjustments.revoke(adjustment=found, by=self.user)).data)
