from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Schedule(models.Model):
    """Bot tournaments that begin by themselves, by a rule in the club's time zone.

    `rule` is a `league.domain.recurrence.Recurrence` as JSON, `plan` what each tournament is
    made of. `next_at` is the one thing that the clock is compared with; None: nothing to come.
    """

    season = models.ForeignKey("league.Season", on_delete=models.CASCADE, related_name="schedules")
    name = models.CharField(max_length=80)
    ruleset = models.ForeignKey("tables.FrozenRuleset", on_delete=models.PROTECT)
    plan = models.JSONField()
    rule = models.JSONField()
    next_at = models.DateTimeField(null=True, blank=True)
    paused = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(paused=False) | Q(next_at=None), name="schedule_paused_rests"
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(next_at__isnull=False), name="schedule_due"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Occurrence(models.Model):
    """One time of a schedule, by its local day: the event that it began, or why it could not."""

    schedule = models.ForeignKey(Schedule, on_delete=models.CASCADE, related_name="occurrences")
    day = models.DateField()
    event = models.OneToOneField("league.Event", null=True, blank=True, on_delete=models.CASCADE)
    problem = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

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
