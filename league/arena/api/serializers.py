"""Requests and responses of the API of bot tournaments."""

import base64
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers as s

from engine.sim.designs import DESIGNS, MOST_BOTS
from league.arena.acts.bots import MOST_DEALS
from league.arena.facts.leagues import LeagueRow
from league.arena.facts.run_effects import Note
from league.models import BotLeague, Event
from tables.models import Run, Unit, Upload
from tables.programs import checking
from tables.programs.uploaded import MOST_BYTES
from tables.runs import queues

MOST_ZIP = 4 * (MOST_BYTES // 3 + 1)
CHANGES = ("pause", "resume", "cancel", "extend", "retry")


class RunPlanIn(s.Serializer[Any]):
    """A plan; `ruleset` is the key of a preset or the digest of the club's house rules.

    `effect` may end a run of `versus` early; `substitute` takes over for a bot at fault.
    """

    ruleset = s.CharField(max_length=64)
    bots = s.ListField(child=s.CharField(max_length=30), min_length=2, max_length=MOST_BOTS)
    design = s.ChoiceField(list(DESIGNS), default="rotations")
    deals = s.IntegerField(min_value=1, max_value=MOST_DEALS)
    effect = s.FloatField(min_value=0.001, max_value=1, required=False, allow_null=True)
    priority = s.ChoiceField(Run.Priority.choices, default=Run.Priority.NORMAL)
    substitute = s.ChoiceField(["lowest", "greedy", "random"], default="lowest")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("effect") and attrs["design"] != "versus":
            raise s.ValidationError({"effect": [_("Only for two bots head to head.")]})
        return attrs


class MemberBotIn(s.Serializer[Any]):
    """A new version of your bot: its ZIP file in base 64, or none for play over the network.

    `seen_by` applies to all its versions. The default is the setting of the previous version, or
    `everyone` for a new bot.
    """

    name = s.CharField(max_length=26)
    zip = s.CharField(max_length=MOST_ZIP, required=False)
    entry_point = s.CharField(max_length=100, required=False, default="", allow_blank=True)
    seen_by = s.ChoiceField(Upload.SeenBy.choices, required=False)

    def validate_zip(self, value: str) -> bytes:
        try:
            return base64.b64decode(value, validate=True)
        except ValueError:
            raise s.ValidationError(_("This is not base 64.")) from None


class MemberBotOut(s.ModelSerializer[Upload]):
    """A version of a member's bot; `name` is the name that it plays under.

    `report` is filled only for its author and the organisers. While it is checked, `checked` of
    `tables` are done and `place` is its place in the queue. `seen_at` is when a bot over the
    network last asked for positions.
    """

    report = s.SerializerMethodField()
    tables = s.SerializerMethodField()
    place = s.SerializerMethodField()

    def get_tables(self, upload: Upload) -> int:
        return checking.number_of_tables()

    def get_place(self, upload: Upload) -> int | None:
        return queues.place_of_check(upload)

    def get_report(self, upload: Upload) -> str:
        readers = self.context.get("readers", ())
        return upload.report if readers is None or upload.author_id in readers else ""

    class Meta:
        model = Upload
        fields = ["name", "base", "number", "language", "state", "report", "checked", "tables",
                  "place", "seen_at", "seen_by", "created_at"]  # fmt: skip


class SeenByIn(s.Serializer[Any]):
    """The visibility of a bot, in all its versions."""

    seen_by = s.ChoiceField(Upload.SeenBy.choices)


class LadderRowOut(s.Serializer[Any]):
    """A version on the ladder; `rating` and its 95 % interval are null after too many faults."""

    bot = s.CharField(source="name")
    version = s.IntegerField()
    games = s.IntegerField()
    faults = s.IntegerField()
    rating = s.FloatField(default=None, allow_null=True)
    low = s.FloatField(default=None, allow_null=True)
    high = s.FloatField(default=None, allow_null=True)


class LadderTestOut(s.Serializer[Any]):
    """A test of a new version against the previous one."""

    new = s.CharField()
    old = s.CharField()
    games = s.IntegerField()
    verdict = s.ChoiceField(["better", "not better", "even", "open"])


class LadderOut(s.Serializer[Any]):
    """The standing ladder, the strongest first; `now` lists the bots of the current meeting."""

    ruleset = s.CharField(source="ladder.ruleset_id", allow_null=True)
    is_on = s.BooleanField(source="ladder.is_on")
    rows = LadderRowOut(source="all", many=True)
    tests = LadderTestOut(many=True)
    now = s.ListField(child=s.CharField())


NO_LADDER: dict[str, Any] = {
    "ruleset": None, "is_on": False, "rows": [], "tests": [], "now": [],
}  # fmt: skip


class BotLeagueOut(s.ModelSerializer[BotLeague]):
    """A bot league: divisions of about `size` bots, of which `moves` go up and down."""

    next_at = s.DateTimeField(source="schedule.next_at", default=None, allow_null=True)

    class Meta:
        model = BotLeague
        fields = ["id", "name", "season", "size", "moves", "next_at", "created_at"]


class LeagueRowOut(s.Serializer[Any]):
    """A bot in its division; `beaten` is its share of opponents beaten.

    `change` is its promotion or relegation, provisional until the next matchday. `away` is true
    if it did not play.
    """

    place = s.IntegerField()
    bot = s.CharField(source="seat.entry")
    beaten = s.FloatField(allow_null=True)
    games = s.IntegerField()
    change = s.ChoiceField(["up", "down", ""])
    away = s.SerializerMethodField()

    def get_away(self, row: LeagueRow) -> bool:
        return row.seat.event is None


class DivisionOut(s.Serializer[Any]):
    """A division, the best bot first; `run` is its tournament, null if it did not play."""

    division = s.IntegerField(source="level")
    run = s.IntegerField(source="event.pk", default=None, allow_null=True)
    rows = LeagueRowOut(many=True)


class LeagueTablesOut(s.Serializer[Any]):
    """A league on one of its `matchdays`; `is_final` is true once all games are played."""

    league = BotLeagueOut()
    matchday = s.IntegerField(source="matchday.number", default=None, allow_null=True)
    day = s.DateField(source="matchday.day", default=None, allow_null=True)
    matchdays = s.IntegerField(source="days")
    is_final = s.BooleanField()
    divisions = DivisionOut(many=True)


class RunIn(RunPlanIn):
    """A new tournament in an open season; with `start` false it begins paused."""

    season = s.IntegerField()
    name = s.CharField(max_length=60)
    date = s.DateField(required=False)
    start = s.BooleanField(default=True)


class EstimateIn(RunIn):
    """The body of a new tournament, or its plan alone."""

    season = s.IntegerField(required=False)
    name = s.CharField(max_length=60, required=False)


class EstimateOut(s.Serializer[Any]):
    """An estimate; `seconds` assumes no other run and the last run's pace, null if unknown."""

    games = s.IntegerField()
    units = s.IntegerField()
    seconds = s.FloatField(allow_null=True)


class BotVersionOut(s.Serializer[Any]):
    name = s.CharField()
    version = s.IntegerField()


class RunOut(s.ModelSerializer[Event]):
    """A tournament. `run` is its key in records; `seed` is null until its last game is played.

    `commitment` is the SHA-256 of the seed, published before the first game.
    """

    run = s.UUIDField(source="run_id")
    status = s.CharField(source="run.status")
    ruleset = s.CharField(source="run.ruleset_id")
    bots = BotVersionOut(source="run.bots", many=True)
    design = s.CharField(source="run.design")
    deals = s.IntegerField(source="run.deals")
    effect = s.FloatField(source="run.effect", allow_null=True)
    priority = s.IntegerField(source="run.priority")
    substitute = s.CharField(source="run.substitute")
    most_faults = s.FloatField(source="run.most_faults")
    outside = s.BooleanField(source="run.outside")
    digest = s.CharField(source="run.digest")
    commitment = s.CharField(source="run.commitment")
    seed = s.CharField(source="run.revealed_seed", allow_null=True)
    created_at = s.DateTimeField(source="run.created_at")
    finished_at = s.DateTimeField(source="run.finished_at", allow_null=True)

    class Meta:
        model = Event
        fields = ["id", "run", "season", "name", "date", "status", "ruleset", "bots", "design",
                  "deals", "effect", "priority", "substitute", "most_faults", "outside", "digest",
                  "commitment", "seed", "created_at", "finished_at"]  # fmt: skip


class WaitingOut(s.Serializer[Any]):
    """A place in the queue, from 1, and the seconds until the last game if they can be told."""

    place = s.IntegerField()
    seconds = s.FloatField(allow_null=True)


class ProgressOut(s.Serializer[Any]):
    games = s.IntegerField()
    games_asked = s.IntegerField()
    dead = s.IntegerField()
    conflicts = s.IntegerField()
    replayed = s.IntegerField()
    rate = s.FloatField()
    seconds_left = s.FloatField(allow_null=True)
    waiting = WaitingOut(allow_null=True)


class IntervalOut(s.Serializer[Any]):
    """A bot's mean with the ends of its 95 % interval."""

    bot = s.CharField(source="name")
    mean = s.FloatField()
    low = s.FloatField()
    high = s.FloatField()


class PairOut(s.Serializer[Any]):
    """The lead of `one` over `other`; `sure` is a probability, corrected for all pairs."""

    one = s.CharField()
    other = s.CharField()
    mean = s.FloatField(source="gap.mean")
    low = s.FloatField(source="gap.low")
    high = s.FloatField(source="gap.high")
    sure = s.FloatField(source="superiority")


class FaultsOut(s.Serializer[Any]):
    """A bot's games with faults, by kind; with too large a `percent` of them it is `unrated`."""

    bot = s.CharField(source="name")
    illegal = s.IntegerField(source="of_kind.illegal")
    slow = s.IntegerField(source="of_kind.slow")
    crashed = s.IntegerField(source="of_kind.crashed")
    protocol = s.IntegerField(source="of_kind.protocol")
    percent = s.FloatField(source="share")
    unrated = s.BooleanField()


class SequentialOut(s.Serializer[Any]):
    better = s.BooleanField()
    deals = s.IntegerField()


@extend_schema_serializer(component_name="RunTables")
class RunTablesOut(s.Serializer[Any]):
    """A run's progress and statistics; strengths are percent of opponents beaten.

    `adjusted` are those without the luck of cards and seats, in runs that play each deal once. With
    `anytime` the intervals stay valid under repeated looks and optional stopping.
    """

    progress = ProgressOut()
    deals = s.IntegerField(source="deals_done")
    anytime = s.BooleanField(default=True)
    strengths = IntervalOut(many=True)
    adjusted = IntervalOut(many=True)
    pairs = PairOut(many=True, source="comparisons")
    money = IntervalOut(many=True)
    ratings = IntervalOut(many=True)
    faults = FaultsOut(many=True, source="verdicts")
    verdict = SequentialOut(source="run.verdict", allow_null=True)


class UnitOut(s.ModelSerializer[Unit]):
    """A batch of deals, counted from 0.

    Organisers get the `trace` of a failed one, administrators the names of machines, others "".
    """

    trace = s.SerializerMethodField()

    def get_trace(self, unit: Unit) -> str:
        return unit.trace if self.context.get("traces") else ""

    def to_representation(self, unit: Unit) -> dict[str, Any]:
        names = {} if self.context.get("machines") else {"machine": "", "conflict_machine": ""}
        return super().to_representation(unit) | names

    class Meta:
        model = Unit
        fields = ["index", "first_deal", "deals", "state", "attempts", "failures", "games",
                  "faults", "replay", "digest", "conflict_digest", "machine", "conflict_machine",
                  "done_at", "trace"]  # fmt: skip


class VerdictOut(s.Serializer[Any]):
    """A bot's fault in one game, the first of each batch.

    `text` has the bot's own frames and its output, standard error included. `move` is the number
    of actions before it, null in older runs; `record` and `replay` are the addresses of its game
    and of the page at this position, null in a test match.
    """

    bot = s.CharField(source="name")
    kind = s.CharField()
    deal = s.IntegerField()
    game = s.IntegerField()
    move = s.IntegerField(allow_null=True)
    text = s.CharField()
    record = s.SerializerMethodField()
    replay = s.SerializerMethodField()

    def get_record(self, note: Note) -> str | None:
        return self._at("record", note)

    def get_replay(self, note: Note) -> str | None:
        found = self._at("replay", note)
        return f"{found}?step={note.move or 0}" if found else None

    def _at(self, name: str, note: Note) -> str | None:
        if note.event is None or "slug" not in self.context:
            return None
        return reverse(
            f"league:{name}", args=[self.context["slug"], note.event, note.deal, note.game]
        )


class TestMatchOut(s.Serializer[Any]):
    """A test match; `beaten` is the percentage of opponents beaten, `faults` are the bot's own."""

    opponent = s.CharField()
    games = s.IntegerField()
    games_asked = s.IntegerField()
    is_over = s.BooleanField()
    beaten = s.FloatField(allow_null=True)
    faults = VerdictOut(source="notes", many=True)


class RunChangeIn(s.Serializer[Any]):
    """A change of a run: `extend` adds `deals`, `retry` replays dead and conflicting units."""

    change = s.ChoiceField(CHANGES)
    deals = s.IntegerField(min_value=1, max_value=MOST_DEALS, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["change"] == "extend") != ("deals" in attrs):
            raise s.ValidationError({"deals": [_("Enter how many deals to add.")]})
        return attrs
