"""Events: who is here, who sits where, results."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import serializers as s
from league.api.base import ClubView
from league.models import Event, Result, Sitting
from league.rights import Right
from league.selectors import events as selector
from league.selectors import standings
from league.services import events, results

SEASON = OpenApiParameter("season", int, description="Only events of this season.")
STATUS = OpenApiParameter("status", str, enum=["open", "closed"])
ROUND = OpenApiParameter("round", int, description="Only results of this round.")
GAME = {
    "round": 1,
    "table": 1,
    "game": 1,
    "groups": [[11], [14], [12, 13]],
    "client_id": "0b1f6f0a-6f0e-4f7a-9a52-0a9b3c1f5d10",
}


class Events(ClubView):
    @extend_schema(responses=s.EventOut(many=True), parameters=[SEASON, STATUS])
    def get(self, request: Request, slug: str) -> Response:
        """The club's events, the latest first."""
        found = Event.objects.filter(season__club=self.club)
        season, status = (request.query_params.get(name, "") for name in ("season", "status"))
        if season:
            key = int(season) if season.isdecimal() and len(season) < 18 else 0
            found = found.filter(season=key)
        if status:
            found = found.filter(status=status)
        return self.pages(s.EventOut, found)

    @extend_schema(request=s.EventIn, responses={201: s.EventOut})
    def post(self, request: Request, slug: str) -> Response:
        """Opens a night with the season's rules and points."""
        data = self.checked(s.EventIn)
        season = self.season(data.pop("season"))
        made = events.create_event(season=season, by=request.user, **data)
        return Response(s.EventOut(made).data, status=201)


class EventDetail(ClubView):
    @extend_schema(responses=s.EventOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One event; `version` rises with every change of it."""
        return Response(s.EventOut(self.event(pk)).data)


class EventStandings(ClubView):
    @extend_schema(responses=s.StandingOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The event's table, best first."""
        return self.pages(s.StandingOut, standings.event_standings(self.event(pk)))


class Entrants(ClubView):
    @extend_schema(responses=s.EntrantOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Who is expected, here, or has left."""
        found = self.event(pk).entrants.select_related("player").order_by("player__sort_key", "pk")
        return self.pages(s.EntrantOut, found)

    @extend_schema(
        request=s.PresenceIn,
        responses=s.EntrantOut(many=True),
        examples=[
            OpenApiExample("Two came", {"players": [3, 5], "presence": "here"}, request_only=True)
        ],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Marks players as here, expected or left."""
        event, data = self.event(pk), self.checked(s.PresenceIn)
        events.set_presence(
            event=event,
            player_ids=set(data["players"]),
            presence=data["presence"],
            by=request.user,
        )
        return self.get(request, slug, pk)


class Rounds(ClubView):
    @extend_schema(responses=s.RoundOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The released rounds with their tables and who sits there."""
        return self.pages(s.RoundOut, selector.rounds_of(self.event(pk), with_drafts=False))


class Results(ClubView):
    needs_to_write = Right.SCORE

    @extend_schema(responses=s.ResultOut(many=True), parameters=[ROUND])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The games that count, in the order of rounds, tables and games."""
        found = (
            Result.objects.filter(sitting__round__event=self.event(pk), current=True)
            .select_related("sitting__round")
            .prefetch_related("placings__entrant__player")
            .order_by("sitting__round__number", "sitting__table_no", "game_no")
        )
        number = request.query_params.get("round", "")
        if number:
            key = int(number) if number.isdecimal() and len(number) < 6 else 0
            found = found.filter(sitting__round__number=key)
        return self.pages(s.ResultOut, found)

    @extend_schema(
        request=s.ResultIn,
        responses={201: s.ResultOut},
        examples=[
            OpenApiExample("A new game, two share third place", GAME, request_only=True),
            OpenApiExample("The same game corrected", GAME | {"version": 1}, request_only=True),
        ],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Saves the next game of a table, or corrects one. 409: somebody else was quicker."""
        event, data = self.event(pk), self.checked(s.ResultIn)
        sitting = Sitting.objects.filter(
            round__event=event,
            round__number=data["round"],
            round__status="released",
            table_no=data["table"],
        ).first()
        if sitting is None:
            raise Http404
        if data["version"] is None:
            result = results.record(
                sitting_id=sitting.pk,
                game_no=data["game"],
                groups=data["groups"],
                client_id=data["client_id"],
                by=request.user,
            )
        else:
            result = results.correct(
                sitting_id=sitting.pk,
                game_no=data["game"],
                version=data["version"],
                groups=data["groups"],
                client_id=data["client_id"],
                by=request.user,
                reason=data["reason"],
                void=data["void"],
            )
        return Response(s.ResultOut(result).data, status=201)
