from django.conf import settings
from django.db import models
from django.db.models import Q

from league.models.event import Event
from tables.models.dated import CreatedRow, DatedRow
from tables.models.named import NamedRow


class Schedule(CreatedRow, NamedRow):
    """A recipe of nights, with or without a rhythm; or a rhythm of bot tournaments.

    `rule` is a `schedules.domain.recurrence.Recurrence` as JSON in the club's time zone, None for a
    recipe that people start by hand; `plan` the settings of each event. `next_at` alone decides
    when the schedule is due; None: it is not. A tournament starts at its time under the schedule's
    own rules. A night is created `days_ahead` days before, under the schedule's rules or, if it has
    none, the season's rules at that time. For nights `name` is the next night's name.
    """

    season = models.ForeignKey("league.Season", on_delete=models.CASCADE, related_name="schedules")
    kind = models.CharField(max_length=8, choices=Event.Kind.choices, default=Event.Kind.BOTS)
    name = models.CharField(max_length=80)
    ruleset = models.ForeignKey("tables.FrozenRuleset", null=True, on_delete=models.PROTECT)
    plan = models.JSONField()
    rule = models.JSONField(null=True, blank=True)
    venue = models.CharField(max_length=80, blank=True, default="", db_default="")
    days_ahead = models.PositiveSmallIntegerField(default=0)
    opens_sign_up = models.BooleanField(
        default=False, db_default=False, help_text="Each night it makes opens its sign-up list."
    )
    sign_up_places = models.PositiveSmallIntegerField(null=True, blank=True)
    sign_up_hours = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="So many hours before the night the list closes."
    )
    next_at = models.DateTimeField(null=True, blank=True)
    paused = models.BooleanField(default=False)
    changes = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Rises with every change, for calendar programs."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(
        auto_now=True, null=True, help_text="When calendars last had to change; None: at creation."
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(paused=False) | Q(next_at=None), name="schedule_paused_rests"
            ),
            models.CheckConstraint(
                condition=Q(kind="bots", ruleset__isnull=False, rule__isnull=False, days_ahead=0)
                | Q(kind="night"),
                name="schedule_rules_of_bots",
            ),
            models.CheckConstraint(
                condition=Q(rule__isnull=False) | Q(next_at=None),
                name="schedule_without_rule_rests",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(next_at__isnull=False), name="schedule_due"
            )
        ]


class Occurrence(DatedRow):
    """One date of a schedule, in local time, with the event created or the reason for none.

    `problem` is an English message template for the catalogue, `problem_params` its parameters.
    """

    schedule = models.ForeignKey(Schedule, on_delete=models.CASCADE, related_name="occurrences")
    day = models.DateField()
    event = models.OneToOneField("league.Event", null=True, blank=True, on_delete=models.CASCADE)
    problem = models.TextField(blank=True)
    problem_params = models.JSONField(default=dict, db_default={}, blank=True)

    class Meta:
        ordering = ["-day"]
        constraints = [
            models.UniqueConstraint(fields=["schedule", "day"], name="occurrence_once"),
            models.CheckConstraint(
                condition=Q(event__isnull=False, problem="") | Q(event=None) & ~Q(problem=""),
                name="occurrence_began_or_says_why_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.schedule} {self.day}"
