"""Bot tournaments over the API: create, watch, change, and read every game."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers as fields
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from engine.sim import designs
from league.arena.acts import bots
from league.arena.api import run_stream
from league.arena.api import serializers as s
from league.arena.facts import leagues, own_bots, run_effects
from league.arena.facts.own_bots import pool_of
from league.arena.pages import door, standing_ladder
from league.arena.pages import runs as selector
from league.base import downloads
from league.base.acts import locks
from league.base.api.filters import KEY, SINCE, UPDATED
from league.base.api.views import ClubView
from league.base.lookup import find_event, find_season, find_tournament, first_or_404
from league.base.rights import Right
from league.clubs.api.views import asked_rules
from league.models import Audit, Event
from tables.base.lookup import or_404
from tables.bots.acts import checks, uploads
from tables.models import Run, Unit, Upload
from tables.refusals import Refusal
from tables.runs import ladders, queues, runs, trials
from tables.runs.run_records import OtherVersion, changed_bots

SEASON = OpenApiParameter("season", int, description="Only tournaments of this season.")
STATUS = OpenApiParameter("status", str, enum=Run.Status.values)
STATE = OpenApiParameter("state", str, enum=Unit.State.values)
DEAL = OpenApiParameter("deal", int, description="The first deal, counted from 1.")
MATCHDAY = OpenApiParameter("matchday", int, description="The number of the matchday.")
LINES = OpenApiResponse(str, "One record a line; the last line has `next_deal`, or null.")
PROGRESS_LINES = OpenApiResponse(str, "`status`, `games`, `games_asked` and troubles, by line.")
PLAN = {
    "ruleset": "tien-len",
    "bots": ["greedy", "lowest", "random", "planner"],
    "design": "rotations",
    "deals": 200,
}


class RunView(ClubView):
    """A view of the club's tournaments; to change them, a token needs the scope `arena`."""

    scope_to_write = "arena"

    def event(self) -> Event:
        """Return the tournament that the URL names."""
        return find_tournament(self.club, self.kwargs["pk"])

    def run(self) -> tuple[Run, list[str]]:
        """Return the tournament's run and the names of its entries."""
        run = self.event().run
        assert run is not None
        return run, designs.entry_names([bot["name"] for bot in run.bots])

    def plan(self, serializer: type[s.RunPlanIn]) -> dict[str, Any]:
        data = self.checked(serializer)
        data["ruleset"] = asked_rules(self.club, data["ruleset"])
        return data


class BotView(ClubView):
    """A view of members' bots; `report` is only for the author and organisers."""

    scope_to_write = "arena"
    needs = Right.BELONG
    needs_to_write = Right.BELONG

    def shows(self) -> dict[str, Any]:
        readers = None if self.right >= Right.ORGANISE else [self.user.pk]
        return {"readers": readers}


class MemberBots(BotView):
    @extend_schema(responses=s.MemberBotOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the members' bots, the newest first."""
        found = own_bots.visible_bots(self.club, self.user, self.right)
        return self.pages(s.MemberBotOut, found.order_by("-pk"))

    @extend_schema(
        request=s.MemberBotIn,
        responses={201: s.MemberBotOut},
        examples=[OpenApiExample("Over the network", {"name": "mine"}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a new version of your bot; without a `zip` it plays over the network."""
        data = self.checked(s.MemberBotIn)
        own = {"pool": pool_of(self.club), "author": self.user, "base": data["name"]}
        own["seen_by"] = data.get("seen_by", "")
        if "zip" in data:
            made = uploads.add_upload(**own, body=data["zip"], point=data["entry_point"])
        else:
            made = uploads.add_remote(**own)
        return Response(self.data_of(s.MemberBotOut, made), status=201)


class OneBot(BotView):
    """A view of one version of a member's bot, which its author may change."""

    def upload(self) -> Upload:
        """Return the version; 404 if the caller may not see it."""
        found = own_bots.visible_bots(self.club, self.user, self.right)
        return first_or_404(found.filter(name=self.kwargs["bot"]))

    def own(self) -> Upload:
        """Return the version; 403 if it is not the caller's own."""
        found = self.upload()
        if found.author_id != self.user.pk:
            raise PermissionDenied
        return found

    def answer(self) -> Response:
        return Response(self.data_of(s.MemberBotOut, self.upload()))


class MemberBotDetail(OneBot):
    @extend_schema(responses=s.MemberBotOut)
    def get(self, request: Request, slug: str, bot: str) -> Response:
        """Return a version of a member's bot."""
        return self.answer()

    @extend_schema(request=s.SeenByIn, responses=s.MemberBotOut)
    def patch(self, request: Request, slug: str, bot: str) -> Response:
        """Set who sees your bot, in all its versions."""
        found, data = self.own(), self.checked(s.SeenByIn)
        uploads.show_to(upload=found, seen_by=data["seen_by"])
        return self.answer()

    @extend_schema(responses=s.MemberBotOut)
    def delete(self, request: Request, slug: str, bot: str) -> Response:
        """Withdraw a version from new tournaments; those it is already in continue."""
        found = self.upload()
        if found.author_id != self.user.pk and self.right < Right.ORGANISE:
            raise PermissionDenied
        uploads.withdraw(upload=found)
        return self.answer()


class BotCheck(OneBot):
    @extend_schema(request=None, responses=s.MemberBotOut)
    def post(self, request: Request, slug: str, bot: str) -> Response:
        """Repeat the check of a version of your bot that failed it."""
        checks.check_again(upload=self.own())
        return self.answer()


class BotTests(OneBot):
    @extend_schema(responses=s.TestMatchOut(many=True))
    def get(self, request: Request, slug: str, bot: str) -> Response:
        """Return the latest test matches of your bot, the latest first."""
        found = own_bots.bot_page(self.club, self.own(), self.user, self.right)
        return Response(s.TestMatchOut(found.tests, many=True).data)

    @extend_schema(request=None, responses={201: s.TestMatchOut})
    def post(self, request: Request, slug: str, bot: str) -> Response:
        """Start a test match of your bot, or return the one that is still being played."""
        trial = trials.start_trial(upload=self.own())
        return Response(s.TestMatchOut(own_bots.test_match(trial.run)).data, status=201)


class StandingLadder(ClubView):
    @extend_schema(responses=s.LadderOut)
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's standing ladder; `ruleset` is null if none was started."""
        found = ladders.ladder_of(pool_of(self.club))
        page = standing_ladder.ladder_page(self.club, found, request.user, self.right)
        return Response(s.NO_LADDER if page is None else s.LadderOut(page).data)


class BotLeagueDetail(ClubView):
    filters = {"matchday": fields.IntegerField(min_value=1, max_value=1_000_000)}

    @extend_schema(responses=s.LeagueTablesOut, parameters=[MATCHDAY])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the standings of a league's divisions, on its last matchday by default."""
        found = first_or_404(leagues.leagues_of(self.club).filter(pk=pk))
        page = or_404(leagues.league_page(found, self.asked.get("matchday")))
        return Response(s.LeagueTablesOut(page).data)


class Runs(RunView):
    filters = {
        "season": KEY,
        "status": fields.ChoiceField(Run.Status.choices),
        "updated_since": SINCE,
    }

    def lock_to_change(self) -> None:
        locks.club(self.club.pk)

    @extend_schema(responses=s.RunOut(many=True), parameters=[SEASON, STATUS, UPDATED])
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's bot tournaments, the latest first."""
        found = door.tournaments_of(self.club).filter(run__isnull=False).select_related("run")
        if "season" in self.asked:
            found = found.filter(season=self.asked["season"])
        if "status" in self.asked:
            found = found.filter(run__status=self.asked["status"])
        if since := self.asked.get("updated_since"):
            changed = Audit.objects.filter(event=OuterRef("pk"), at__gte=since)
            begun_or_ended = Q(run__created_at__gte=since) | Q(run__finished_at__gte=since)
            found = found.filter(begun_or_ended | Exists(changed))
        return self.pages(s.RunOut, found)

    @extend_schema(
        request=s.RunIn,
        responses={201: s.RunOut},
        examples=[
            OpenApiExample("Four bots", {"season": 1, "name": "Nightly"} | PLAN, request_only=True)
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a tournament; send an `Idempotency-Key` to create it only once."""
        data = self.plan(s.RunIn)
        season, start = find_season(self.club, data.pop("season")), data.pop("start")
        data.setdefault("date", timezone.localdate())
        with transaction.atomic():
            made = bots.create_bot_event(season=season, by=self.user, **data)
            if not start:
                bots.change_run(event=made, by=self.user, change="pause")
        return Response(s.RunOut(find_event(self.club, made.pk)).data, status=201)


class RunEstimate(RunView):
    @extend_schema(
        request=s.EstimateIn,
        responses=s.EstimateOut,
        examples=[OpenApiExample("Four bots", PLAN, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Return the games, batches and seconds of such a tournament without creating it."""
        data = self.plan(s.EstimateIn)
        bots.check_bots(data["ruleset"], data["bots"], data["design"], self.club)
        found = runs.estimate(
            ruleset=data["ruleset"], bots=data["bots"], deals=data["deals"], design=data["design"]
        )
        return Response(s.EstimateOut(found).data)


class RunDetail(RunView):
    @extend_schema(responses=s.RunOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a tournament; `seed` appears once it is over, `commitment` from the start."""
        return Response(s.RunOut(self.event()).data)


class RunTables(RunView):
    @extend_schema(responses=s.RunTablesOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the run's progress and its statistics with their intervals."""
        run, names = self.run()
        progress = runs.progress(run)
        pace = runs.pace(run, left=progress.games_asked - progress.games)
        counted = vars(progress) | {"rate": pace.rate, "seconds_left": pace.seconds_left}
        counted["waiting"] = queues.place_of(run)
        tables = vars(selector.statistics(run, names)) | {"run": run, "progress": counted}
        return Response(s.RunTablesOut(tables).data)


class RunStream(RunView):
    @extend_schema(responses={(200, "application/x-ndjson"): PROGRESS_LINES})
    def get(self, request: Request, slug: str, pk: int) -> HttpResponseBase:
        """Stream the run's progress: a line now and after every change, until it is over."""
        run, _names = self.run()
        return run_stream.respond(request, slug, pk, run)


class RunChange(RunView):
    @extend_schema(
        request=s.RunChangeIn,
        responses=s.RunOut,
        examples=[
            OpenApiExample("More deals", {"change": "extend", "deals": 100}, request_only=True)
        ],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Pause, resume, cancel or extend the run, or retry its dead units."""
        event, data = self.event(), self.checked(s.RunChangeIn)
        bots.change_run(event=event, by=self.user, **data)
        return Response(s.RunOut(self.event()).data)


class RunUnits(RunView):
    filters = {"state": fields.ChoiceField(Unit.State.choices)}

    @extend_schema(responses=s.UnitOut(many=True), parameters=[STATE])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the batches of deals in order, with their digests."""
        run, _names = self.run()
        found = run.units.order_by("index").defer("tally", "moments")
        if "state" in self.asked:
            found = found.filter(state=self.asked["state"])
        return self.pages(s.UnitOut, found)

    def shows(self) -> dict[str, Any]:
        is_administrator = self.request.user.is_superuser
        return {"traces": self.right >= Right.ORGANISE, "machines": is_administrator}


class RunVerdicts(RunView):
    needs = Right.BELONG

    def shows(self) -> dict[str, Any]:
        return {"slug": self.club.slug}

    @extend_schema(responses=s.VerdictOut(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the bots' faults with their output; authors see only those of their own bots."""
        run, names = self.run()
        only = None if self.right >= Right.ORGANISE else own_bots.entries_of(self.user, run)
        return self.pages(s.VerdictOut, [*run_effects.all_notes(run, names, only)])


class RunRecords(RunView):
    needs = Right.BELONG
    filters = {"deal": fields.IntegerField(min_value=1, max_value=bots.MOST_DEALS)}

    @extend_schema(responses={(200, "application/x-ndjson"): LINES}, parameters=[DEAL])
    def get(self, request: Request, slug: str, pk: int) -> HttpResponseBase:
        """Return the game records, some hundred at a time."""
        run, _names = self.run()
        deal = self.asked.get("deal", 1)
        try:
            return downloads.json_lines(request._request, run, deal, f"tien-len-{pk}-{deal}.jsonl")
        except OtherVersion as error:
            text = _(
                "Since this tournament, %(bots)s changed or was removed. Its games can't be "
                "replayed, so none can be opened or downloaded."
            )
            changed = {"bots": ", ".join(changed_bots(run))}
            raise Refusal(text % changed, "other_version", status=410) from error
