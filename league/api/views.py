"""Clubs, players, seasons and their tables."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import serializers as s
from league.api.base import ClubView
from league.models import Club, Player
from league.selectors import money, prepared
from league.services import adjustments, players

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


class SeasonStandings(ClubView):
    @extend_schema(responses=s.StandingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The season's table, best first."""
        return self.pages(s.StandingOut, prepared.season_table(self.season(pk)).rows)


class SeasonBalances(ClubView):
    @extend_schema(responses=s.BalanceOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Who won and lost what over the season, in minor units of the club's unit."""
        found = money.money_page(money.sums_of_season(self.season(pk)))
        return self.pages(s.BalanceOut, found.balances)


class SeasonTransfers(ClubView):
    @extend_schema(responses=s.TransferOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Every transfer of the season, the latest 500, with why it was made."""
        return self.pages(s.TransferOut, money.latest(money.of_season(self.season(pk))))


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
