"""Schedules and bot leagues over the API."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.arena.api.serializers import BotLeagueOut
from league.arena.facts.leagues import leagues_of
from league.base import texts
from league.base.api.views import ClubView
from league.base.domain.settings import settings_of
from league.base.lookup import find_season, first_or_404
from league.base.rights import Right
from league.clubs.api.views import asked_rules
from league.models import Club, Schedule
from league.nights.acts import events
from league.schedules.acts import leagues, schedules
from league.schedules.api import serializers as s
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Ahead, Nights, TournamentPlan, Tournaments
from league.seasons.domain.scoring import FieldError
from tables.refusals import Refusal


class Schedules(ClubView):
    needs = Right.ORGANISE

    @extend_schema(responses=s.ScheduleOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the recipes of nights and the schedules of the club's seasons."""
        return self.pages(s.ScheduleOut, _schedules_of(self.club))

    @extend_schema(
        request=s.ScheduleIn,
        responses={201: s.ScheduleOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a recipe of nights, or a schedule of nights or of bot tournaments."""
        data = self.checked(s.ScheduleIn)
        season = find_season(self.club, data["season"])
        rule = _rule(self.club, data["rule"]) if "rule" in data else None
        repeated: Nights | Tournaments
        if rule is not None and "tournament" in data:
            plan = data["tournament"]
            ruleset = asked_rules(self.club, plan.pop("ruleset"))
            repeated = Tournaments(data["name"], TournamentPlan.from_json(plan), rule, ruleset)
        else:
            plan = data["night"]
            venue = plan.pop("venue")
            ahead = Ahead(**{name: plan.pop(name) for name in settings_of(Ahead)})
            repeated = Nights(data["name"], events.read_plan(plan), rule, ahead, venue=venue)
        made = schedules.create_schedule(season=season, by=self.user, repeated=repeated)
        return Response(s.ScheduleOut(made).data, status=201)


class ScheduleDetail(ClubView):
    needs = Right.ORGANISE

    def schedule(self) -> Schedule:
        """Return the schedule that the URL names."""
        return first_or_404(_schedules_of(self.club).filter(pk=self.kwargs["pk"]))

    @extend_schema(responses=s.ScheduleOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a recipe or a schedule."""
        return Response(s.ScheduleOut(self.schedule()).data)

    @extend_schema(request=s.ScheduleChangeIn, responses=s.ScheduleOut)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Pause a schedule, or resume it with its next time."""
        paused = self.checked(s.ScheduleChangeIn)["paused"]
        schedules.pause_schedule(schedule=self.schedule(), by=self.user, paused=paused)
        return Response(s.ScheduleOut(self.schedule()).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """End a schedule; what it made stays."""
        schedules.delete_schedule(schedule=self.schedule(), by=self.user)
        return Response(status=204)


class BotLeagues(ClubView):
    scope_to_write = "arena"

    @extend_schema(responses=BotLeagueOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's bot leagues, the latest first."""
        return self.pages(BotLeagueOut, leagues_of(self.club))

    @extend_schema(
        request=s.BotLeagueIn,
        responses={201: BotLeagueOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a league of all bots of the club, with the schedule of its matchdays."""
        data = self.checked(s.BotLeagueIn)
        plan, rule = TournamentPlan(data["deals"]), _rule(self.club, data["rule"])
        ruleset = asked_rules(self.club, data["ruleset"])
        made = leagues.create_league(
            season=find_season(self.club, data["season"]),
            by=self.user,
            repeated=Tournaments(data["name"], plan, rule, ruleset),
            size=data["size"],
            moves=data["moves"],
        )
        return Response(BotLeagueOut(made).data, status=201)


def _schedules_of(club: Club) -> QuerySet[Schedule]:
    return Schedule.objects.filter(season__club=club, season__binned_at=None)


def _rule(club: Club, data: dict[str, Any]) -> Recurrence:
    """Return the rhythm, which has a time ahead; Refusal on the field that is wrong."""
    at = data["at"].replace(second=0, microsecond=0)
    try:
        rule = Recurrence(
            **data | {"at": at, "zone": club.time_zone, "weekdays": tuple(data["weekdays"])}
        )
    except FieldError as error:
        raise texts.refused(error, field=f"rule/{error.field}") from error
    if rule.next(timezone.now()) is None:
        raise Refusal(_("That time has passed. Choose a later one."), field="rule/start")
    return rule
