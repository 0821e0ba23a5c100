"""Bot rankings: bots meet in small runs, and one fit of all games rates them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from tables.models.runs import FrozenRuleset, Run


class Ladder(models.Model):
    """The ladder of a pool of bots by one ruleset; at most one per pool is on.

    `rows` are the ratings of the last fit, over `rated_games` games. `zero` lists the house bots,
    as name and version, whose mean rating is fixed at 0.
    """

    pool = models.CharField(max_length=40)
    ruleset = models.ForeignKey(FrozenRuleset, on_delete=models.PROTECT)
    zero = models.JSONField()
    is_on = models.BooleanField(default=True)
    rows = models.JSONField(default=list)
    rated_games = models.PositiveIntegerField(default=0)
    chosen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "ruleset"], name="ladder_once_by_rules"),
            models.UniqueConstraint(
                fields=["pool"], condition=Q(is_on=True), name="ladder_one_is_on"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool} {self.ruleset_id[:8]}"


class Meeting(models.Model):
    """A run of a ladder; at most one per ladder `is_open`, besides slow ones that go on.

    A `test` plays a version against its predecessor. It is reopened with more deals until the
    sequential test has a verdict.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="meetings")
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="meeting")
    test = models.BooleanField(default=False)
    is_open = models.BooleanField(default=True)
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ladder"], condition=Q(is_open=True), name="ladder_meets_once"
            ),
        ]
        indexes = [models.Index(fields=["ladder", "-opened_at"], name="ladder_meetings")]

    def __str__(self) -> str:
        return f"{self.ladder_id} {self.run_id}"
