"""Events: who is here, who sits where, results."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from engine.specials import Special
from league import rights
from league.api import serializers as s
from league.api.base import ClubView
from league.models import Event, Result, Round, Sitting
from league.rights import Right
from league.selectors import events as selector
from league.selectors import standings
from league.services import draws, events, live, results

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

CHOPPED = {
    "round": 1,
    "table": 2,
    "game": 1,
    "groups": [[15], [16], [17], [18]],
    "specials": [
        {"kind": "chop", "by": 15, "of": 17, "what": "R"},
        {"kind": "cong", "of": 18},
    ],
    "client_id": "5a0c1a52-6f35-4a5c-9a3e-0d4a4bb0b9c1",
}


QUEUE = {
    "season": 2,
    "name": "Tối thứ Sáu",
    "date": "2026-11-27",
    "counting": "average",
    "stake": 5,
    "format": {"kind": "loser_leaves", "tables": 2, "cap": 3, "look": 2},
}

FINAL = {"format": {"kind": "groups", "groups": 4, "group_rounds": 3, "final": 8}}


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

    @extend_schema(
        request=s.EventIn,
        responses={201: s.EventOut},
        examples=[OpenApiExample("The loser leaves", QUEUE, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Opens a night with the season's rules and points; `format` says how it is run."""
        data = self.checked(s.EventIn)
        season = self.season(data.pop("season"))
        made = events.create_event(season=season, by=request.user, **data)
        return Response(s.EventOut(made).data, status=201)


class EventDetail(ClubView):
    @extend_schema(responses=s.EventOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One event; `version` rises with every change of it."""
        return Response(s.EventOut(self.event(pk)).data)

    @extend_schema(
        request=s.EventChangeIn,
        responses=s.EventOut,
        examples=[OpenApiExample("Groups and a final", FINAL, request_only=True)],
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Changes the open night; the kind of its format stays once a round is drawn."""
        event, data = self.event(pk), self.checked(s.EventChangeIn)
        kept = ("name", "date", "rounds_planned", "confirmed_by", "round_minutes")
        values = {name: getattr(event, name) for name in kept} | data
        return Response(
            s.EventOut(events.change_settings(event=event, by=request.user, **values)).data
        )


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
        """The rounds with their tables and who sits there; drafts for organisers only."""
        drafts = (rights.highest(request.user, self.club) or Right.SEE) >= Right.ORGANISE
        return self.pages(s.RoundOut, selector.rounds_of(self.event(pk), with_drafts=drafts))

    @extend_schema(
        request=s.DrawIn,
        responses={201: s.RoundOut},
        examples=[OpenApiExample("A draft", {"method": "few_repeats"}, request_only=True)],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Drafts the next round for everybody who is here; an earlier draft is replaced."""
        event, data = self.event(pk), self.checked(s.DrawIn)
        drawn = draws.draw_round(event=event, by=request.user, **data)
        return Response(_round(event, drawn.number), status=201)


class ReleaseRound(ClubView):
    @extend_schema(request=None, responses=s.RoundOut)
    def post(self, request: Request, slug: str, pk: int, number: int) -> Response:
        """Shows a draft to everybody: from now on results can be saved."""
        event = self.event(pk)
        draws.release_round(round_=_round_or_404(event, number), by=request.user)
        return Response(_round(event, number))


class DiscardRound(ClubView):
    @extend_schema(
        request=s.ReasonIn,
        responses={204: None},
        examples=[OpenApiExample("Why", {"reason": "two came late"}, request_only=True)],
    )
    def post(self, request: Request, slug: str, pk: int, number: int) -> Response:
        """Throws a draft away, or takes back the last round while it has no results.

        A released round needs a reason.
        """
        round_, data = _round_or_404(self.event(pk), number), self.checked(s.ReasonIn)
        draws.discard_round(round_=round_, by=request.user, reason=data["reason"])
        return Response(status=204)


class EventStatus(ClubView):
    @extend_schema(request=s.EventStatusIn, responses=s.EventOut)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Closes the night, or opens it again. 409: games are missing or disputed."""
        event, data = self.event(pk), self.checked(s.EventStatusIn)
        if data["status"] == Event.Status.OPEN:
            done = events.reopen_event(event=event, by=request.user)
        else:
            live.sweep(event=event)
            done = events.close_event(
                event=event, by=request.user, despite_unfinished=data["despite_unfinished"]
            )
        return Response(s.EventOut(done).data)


def _round_or_404(event: Event, number: int) -> Round:
    found = event.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    return found


def _round(event: Event, number: int) -> dict[str, Any]:
    """The round as the API shows it."""
    [shown] = [r for r in selector.rounds_of(event, with_drafts=True) if r.number == number]
    data: dict[str, Any] = s.RoundOut(shown).data
    return data


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
            OpenApiExample(
                "With a chop and somebody who played no card", CHOPPED, request_only=True
            ),
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
        specials = [Special(**special) for special in data["specials"]]
        if data["version"] is None:
            result = results.record(
                sitting_id=sitting.pk,
                game_no=data["game"],
                groups=data["groups"],
                specials=specials,
                client_id=data["client_id"],
                by=request.user,
            )
        else:
            result = results.correct(
                sitting_id=sitting.pk,
                game_no=data["game"],
                version=data["version"],
                groups=data["groups"],
                specials=specials,
                client_id=data["client_id"],
                by=request.user,
                reason=data["reason"],
                void=data["void"],
            )
        return Response(s.ResultOut(result).data, status=201)
