"""Clubs, players, seasons and their tables."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import serializers as s
from league.api.base import ClubView, Pages
from league.models import Club, Player
from league.selectors import honours, own_rows, past_seasons, people, prepared, ratings
from league.services import adjustments, players, seasons

FIND = OpenApiParameter("q", str, description="Only names that contain this.")


@extend_schema(parameters=[FIND])
class Clubs(ListAPIView):
    """Public clubs, and those in which the caller has a role."""

    serializer_class = s.ClubOut

    def get_queryset(self) -> QuerySet[Club]:
        seen = Q(is_public=True)
        if self.request.user.is_authenticated:
            seen |= Q(memberships__user=self.request.user)
        query = self.request.query_params.get("q", "")[:60]
        return Club.objects.filter(seen, name__icontains=query).distinct()


class ClubDetail(ClubView):
    @extend_schema(responses=s.ClubOut)
    def get(self, request: Request, slug: str) -> Response:
        """One club."""
        return Response(s.ClubOut(self.club).data)


class Players(ClubView):
    @extend_schema(responses=s.PlayerOut(many=True), parameters=[FIND])
    def get(self, request: Request, slug: str) -> Response:
        """The club's players, names merged into others left out."""
        query = request.query_params.get("q", "")[:60]
        found = self.club.players.filter(merged_into=None, name__icontains=query)
        return self.pages(s.PlayerOut, found)

    @extend_schema(
        request=s.PlayerIn,
        responses={201: s.PlayerOut},
        examples=[OpenApiExample("Somebody new", {"name": "Nguyễn Lan"}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Adds a player."""
        data = self.checked(s.PlayerIn)
        made = players.add_player(club=self.club, name=data["name"], by=request.user)
        return Response(s.PlayerOut(made).data, status=201)


class PlayerDetail(ClubView):
    def _player(self, pk: int) -> Player:
        found = self.club.players.filter(pk=pk).select_related("club").first()
        if found is None:
            raise Http404
        return found

    @extend_schema(responses=s.PlayerOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One player; `merged_into` says who it is, when it is another name of somebody."""
        return Response(s.PlayerOut(self._player(pk)).data)

    @extend_schema(request=s.PlayerIn, responses=s.PlayerOut)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Renames the player."""
        data = self.checked(s.PlayerIn)
        named = players.rename_player(player=self._player(pk), name=data["name"], by=request.user)
        return Response(s.PlayerOut(named).data)


class Seasons(ClubView):
    @extend_schema(responses=s.SeasonOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The club's seasons, the latest first."""
        return self.pages(s.SeasonOut, self.club.seasons.all())


class SeasonDetail(ClubView):
    @extend_schema(responses=s.SeasonOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One season with how it counts."""
        return Response(s.SeasonOut(self.season(pk)).data)


class SeasonStatus(ClubView):
    @extend_schema(request=s.StatusIn, responses=s.SeasonOut)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Closes the season, or opens it again."""
        season, data = self.season(pk), self.checked(s.StatusIn)
        seasons.set_status(season=season, status=data["status"], by=request.user)
        return Response(s.SeasonOut(self.season(pk)).data)


class PastSeasons(ClubView):
    @extend_schema(responses=s.PastSeasonOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The closed seasons with their podiums, the latest first."""
        pages = Pages()
        closed = past_seasons.closed_seasons(self.club)
        page = pages.paginate_queryset(closed, request, view=self)
        shown = past_seasons.past_seasons(page)
        return pages.get_paginated_response(s.PastSeasonOut(shown, many=True).data)


class SeasonStandings(ClubView):
    @extend_schema(responses=s.StandingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The season's table, best first."""
        return self.pages(s.StandingOut, prepared.season_table(self.season(pk)).rows)


class SeasonRow(ClubView):
    @extend_schema(responses=s.LineOut(many=True))
    def get(self, request: Request, slug: str, pk: int, player: int) -> Response:
        """The sum behind a row: its lines add up to the points exactly."""
        season = self.season(pk)
        shown = prepared.season_table(season).rows.of(player)
        if shown is None:
            raise Http404
        return self.pages(s.LineOut, own_rows.row_of(shown.player, season).explain)


class SeasonRatings(ClubView):
    @extend_schema(responses=s.RatingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The ratings of the season, the strongest first."""
        return self.pages(s.RatingOut, ratings.of_season(self.season(pk)))


class ClubRatings(ClubView):
    @extend_schema(responses=s.RatingOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The ratings over all seasons, the strongest first."""
        return self.pages(s.RatingOut, ratings.of_club(self.club))


class SeasonBotRatings(ClubView):
    @extend_schema(responses=s.BotRatingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The bots of the season's closed tournaments, each pool's strongest first.

        Bots of different pools never met, so that their ratings cannot be compared.
        """
        state = ratings.state_of(self.club, self.season(pk))
        return self.pages(s.BotRatingOut, ratings.rated_bots(state))


class ClubBotRatings(ClubView):
    @extend_schema(responses=s.BotRatingOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The bots of the closed tournaments of all seasons, each pool's strongest first."""
        state = ratings.state_of(self.club, None)
        return self.pages(s.BotRatingOut, ratings.rated_bots(state))


class SeasonSpecials(ClubView):
    @extend_schema(responses=s.SpecialsOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How often everybody chopped, was chopped, kept 2s, never played, won as dealt."""
        return self.pages(s.SpecialsOut, honours.kept_specials(self.season(pk)))


class SeasonHonours(ClubView):
    @extend_schema(responses=s.HonourOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Who holds which title of the season."""
        season = self.season(pk)
        prepared.season_table(season)
        return self.pages(s.HonourOut, honours.kept_honours(season))


class Opponents(ClubView):
    @extend_schema(responses=s.OpponentOut(many=True))
    def get(self, request: Request, slug: str, pk: int, season: int) -> Response:
        """Whom the player met in the season, and how it went."""
        player = _player_or_404(self, pk)
        met = people.opponents(people.keys_of(player), self.season(season))
        return self.pages(s.OpponentOut, met)


class PlayerNights(ClubView):
    @extend_schema(responses=s.PlayerNightOut(many=True))
    def get(self, request: Request, slug: str, pk: int, season: int) -> Response:
        """The player's nights of the season with points and rating, oldest first."""
        player = _player_or_404(self, pk)
        nights = people.nights_of(player, people.keys_of(player), self.season(season))
        return self.pages(s.PlayerNightOut, nights)


class Adjustments(ClubView):
    @extend_schema(responses=s.AdjustmentOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Penalties and bonuses of the season, also those revoked."""
        return self.pages(s.AdjustmentOut, self.season(pk).adjustments.all())

    @extend_schema(
        request=s.AdjustmentIn,
        responses={201: s.AdjustmentOut},
        examples=[
            OpenApiExample(
                "A penalty",
                {"player": 7, "event": None, "points": "-2", "reason": "came late"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Gives a player points, or takes them."""
        data = self.checked(s.AdjustmentIn)
        player = self.club.players.filter(pk=data["player"]).first()
        if player is None:
            raise Http404
        made = adjustments.adjust_points(
            season=self.season(pk),
            player=player,
            event=self.event(data["event"]) if data["event"] else None,
            points=data["points"],
            reason=data["reason"],
            by=request.user,
        )
        return Response(s.AdjustmentOut(made).data, status=201)


class RevokeAdjustment(ClubView):
    @extend_schema(request=None, responses=s.AdjustmentOut)
    def post(self, request: Request, slug: str, pk: int, adjustment: int) -> Response:
        """Takes a penalty or bonus back; it stays listed. 409: somebody was quicker."""
        found = self.season(pk).adjustments.filter(pk=adjustment).first()
        if found is None:
            raise Http404
        done = adjustments.revoke(adjustment=found, by=request.user)
        return Response(s.AdjustmentOut(done).data)


def _player_or_404(view: ClubView, pk: int) -> Player:
    found = view.club.players.filter(pk=pk).select_related("club", "merged_into").first()
    if found is None:
        raise Http404
    return found.merged_into or found
