"""Rulesets as played, and runs of bots; independent of clubs, seasons and players."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from engine.sim.verify import commitment_to
from tables.models.dated import CreatedRow


class FrozenRuleset(models.Model):
    """A ruleset as played, shared by all games with equal rules; it never changes."""

    digest = models.CharField(primary_key=True, max_length=64)
    key = models.CharField(max_length=60)
    body = models.JSONField()

    def __str__(self) -> str:
        return self.key


class Run(CreatedRow):
    """Many deals played by bots. Everything that decides the games is frozen here.

    With `effect` a sequential test may end the run early; `verdict` is its result. The run with the
    lowest `turn` gets the next worker. `substitute` plays on for a bot at fault; with `forfeits`
    that bot is last whatever the result, and one at fault in more than the share `most_faults` of
    its games is not rated. If an external program plays, the run is `outside`: its units cannot be
    replayed, so its games are stored. `redone` counts how often finished units were discarded and
    played again. An `extended` run got more deals later. `remote_since` is set if remote bots play:
    the time from which they could answer; `remote_swept_at` is the server's last sweep.
    `spent` is the milliseconds that workers took for its `counted` games; `is_slow` says that its
    games hold a worker for long. The runs of an `owner` in a queue share one turn's worth of time.
    """

    class Status(models.TextChoices):
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"
        CANCELLED = "cancelled"

    class Priority(models.IntegerChoices):
        LOW = 0
        NORMAL = 1
        HIGH = 2

    class Queue(models.TextChoices):
        TEST = "test"
        LADDER = "ladder"
        TOURNAMENT = "tournament"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    ruleset = models.ForeignKey(FrozenRuleset, on_delete=models.PROTECT)
    bots = models.JSONField(help_text="By entry: [{'name': 'greedy', 'version': '1'}, …].")
    design = models.CharField(max_length=20, default="rotations")
    seed = models.CharField(max_length=64)
    deals = models.PositiveIntegerField()
    deals_per_unit = models.PositiveIntegerField()
    stake = models.PositiveIntegerField(default=1)
    substitute = models.CharField(max_length=30, default="lowest")
    forfeits = models.BooleanField(default=True, db_default=False)
    most_faults = models.FloatField(default=0.01, db_default=0.01)
    outside = models.BooleanField(default=False)
    remote_since = models.DateTimeField(null=True, blank=True)
    remote_swept_at = models.DateTimeField(null=True, blank=True)
    extended = models.BooleanField(default=False, db_default=False)
    effect = models.FloatField(null=True, blank=True)
    verdict = models.JSONField(null=True, blank=True)
    ratings = models.JSONField(null=True, blank=True)
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.NORMAL)
    turn = models.BigIntegerField(default=0)
    queue = models.CharField(max_length=10, choices=Queue.choices, default=Queue.TOURNAMENT,
                             db_default="tournament")  # fmt: skip
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    spent = models.BigIntegerField(default=0, db_default=0)
    counted = models.PositiveIntegerField(default=0, db_default=0)
    is_slow = models.BooleanField(default=False, db_default=False)
    redone = models.PositiveIntegerField(default=0, db_default=0)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.RUNNING)
    digest = models.CharField(max_length=64, blank=True, help_text="Over all units, when done.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deals__gte=1), name="run_has_deals"),
            models.CheckConstraint(condition=Q(deals_per_unit__gte=1), name="run_unit_has_deals"),
            models.CheckConstraint(
                condition=Q(status__in=["running", "paused"]) | Q(finished_at__isnull=False),
                name="run_ended_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(effect__isnull=True) | Q(effect__gt=0, effect__lte=1, design="versus"),
                name="run_effect_is_between_two",
            ),
            models.CheckConstraint(
                condition=Q(verdict__isnull=True) | Q(effect__isnull=False, status="done"),
                name="run_verdict_ended_it",
            ),
            models.CheckConstraint(condition=Q(priority__lte=2), name="run_priority_known"),
            models.CheckConstraint(
                condition=Q(queue__in=["test", "ladder", "tournament"]), name="run_queue_known"
            ),
            models.CheckConstraint(
                condition=Q(most_faults__gte=0, most_faults__lte=1),
                name="run_most_faults_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def commitment(self) -> str:
        """Return the commitment to the seed, published before the seed."""
        return commitment_to(self.seed)

    @property
    def is_looked_at(self) -> bool:
        """Return whether its number of deals may depend on interim results."""
        return bool(self.effect) or self.extended or self.status != Run.Status.DONE

    @property
    def may_go_on(self) -> bool:
        """Return whether deals may be added or tried again: never once it has a verdict.

        Nor if remote bots would be asked whose authors can deal all cards from the revealed seed.
        """
        is_open = self.status != Run.Status.CANCELLED and self.verdict is None
        return is_open and not (self.remote_since and self.revealed_seed)

    @property
    def revealed_seed(self) -> str | None:
        """Return the seed of a finished run; `None` before."""
        return None if self.finished_at is None else self.seed


class QueueTurn(models.Model):
    """The time that a queue has had of the workers, in milliseconds over its share."""

    queue = models.CharField(primary_key=True, max_length=10)
    turn = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.queue


class Unit(models.Model):
    """A contiguous block of a run's deals, played by one worker under one lease.

    `attempts` counts leases, `failures` those that ended in an error rather than with a lost
    worker. An `asking` unit waits for remote bots. A skipped unit does not count: the run ended
    before it. `moments` are the sums for intervals (engine.statistics), `faults` counts games with
    a bot's fault. `begun` holds the finished games of a unit played or replayed in several goes
    (tables.runs.goes). `machine` played it; `conflict_machine` got another result.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        LEASED = "leased"
        ASKING = "asking"
        DONE = "done"
        DEAD = "dead"
        SKIPPED = "skipped"

    class Replay(models.TextChoices):
        NO = "no"
        WANTED = "wanted"
        SAME = "same"
        DIFFERENT = "different"
        NEVER = "never"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="units")
    index = models.PositiveIntegerField()
    first_deal = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    replay = models.CharField(max_length=9, choices=Replay.choices, default=Replay.NO)
    digest = models.CharField(max_length=64, blank=True)
    conflict_digest = models.CharField(max_length=64, blank=True)
    machine = models.CharField(max_length=60, blank=True, db_default="")
    conflict_machine = models.CharField(max_length=60, blank=True, db_default="")
    games = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    tally = models.JSONField(null=True, blank=True)
    moments = models.JSONField(null=True, blank=True)
    trace = models.TextField(blank=True)
    begun = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "index"], name="unit_once_per_run"),
            models.CheckConstraint(
                condition=~Q(state="done") | (~Q(digest="") & Q(tally__isnull=False)),
                name="unit_done_has_a_result",
            ),
            models.CheckConstraint(
                condition=~Q(state="leased") | Q(lease_until__isnull=False),
                name="unit_leased_until",
            ),
            models.CheckConstraint(
                condition=Q(conflict_digest="") | ~Q(conflict_digest=F("digest")),
                name="unit_conflict_differs",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_until"],
                condition=Q(state="leased"),
                name="unit_leases",
            ),
            models.Index(
                fields=["run", "index"], condition=Q(state="waiting"), name="unit_waiting"
            ),
            models.Index(fields=["run", "done_at"], condition=Q(state="done"), name="unit_done"),
            models.Index(fields=["run"], condition=Q(replay="wanted"), name="unit_replays"),
            models.Index(fields=["run", "index"], condition=Q(faults__gt=0), name="unit_faults"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.index}"


class KeptGames(models.Model):
    """The games of a unit that cannot be replayed: records as JSON lines, deflated."""

    unit = models.OneToOneField(
        Unit, on_delete=models.CASCADE, primary_key=True, related_name="kept"
    )
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"games of {self.unit_id}"
