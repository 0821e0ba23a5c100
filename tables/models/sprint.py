"""Sprints: half an hour of games that anyone joins and leaves, at new tables after each game."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tables.models.named import NamedRow
from tables.models.play import Table
from tables.models.runs import FrozenRuleset


class Sprint(models.Model):
    """A tournament of half an hour; `home` is the page of its club, if any."""

    key = models.CharField(max_length=12, unique=True)
    ruleset = models.ForeignKey(FrozenRuleset, on_delete=models.PROTECT)
    players = models.PositiveSmallIntegerField()
    move_seconds = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)
    home = models.CharField(max_length=200, blank=True)
    home_name = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="sprint_ends_after_it_starts"
            ),
            models.CheckConstraint(
                condition=Q(players__gte=2, players__lte=8), name="sprint_seats_two_to_eight"
            ),
            models.UniqueConstraint(fields=["home", "starts_at"], name="sprint_once_at_a_time"),
        ]

    def __str__(self) -> str:
        return self.key


class SprintEntry(NamedRow):
    """A player of a sprint: an account, or a guest's browser by the SHA-256 of its secret.

    `seen_at` is the page's last poll; only players who wait there get a seat. `table` is the
    current table. A player who `left` gets no more seats.
    """

    sprint = models.ForeignKey(Sprint, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    device = models.CharField(max_length=64, blank=True)
    name = models.CharField(max_length=40)
    points = models.PositiveIntegerField(default=0)
    firsts = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    left = models.BooleanField(default=False)
    seen_at = models.DateTimeField()
    waits_since = models.DateTimeField()
    table = models.ForeignKey(
        Table, on_delete=models.SET_NULL, null=True, related_name="sprint_entries"
    )
    no = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user=None) & ~Q(device="") | Q(user__isnull=False, device=""),
                name="sprint_entry_of_exactly_one",
            ),
            models.UniqueConstraint(
                fields=["sprint", "user"], condition=Q(device=""), name="sprint_entry_once"
            ),
            models.UniqueConstraint(
                fields=["sprint", "device"],
                condition=Q(user=None),
                name="sprint_entry_once_for_a_browser",
            ),
            models.CheckConstraint(
                condition=Q(table=None, no=None) | Q(table__isnull=False, no__isnull=False),
                name="sprint_entry_has_a_chair",
            ),
            models.UniqueConstraint(fields=["table", "no"], name="sprint_entry_one_for_a_chair"),
        ]


class SprintTable(models.Model):
    """A table of a sprint, for one game; `counted` once its points are booked."""

    sprint = models.ForeignKey(Sprint, on_delete=models.CASCADE, related_name="tables")
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="sprint_table")
    counted = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["id"], condition=Q(counted=False), name="sprint_table_counts")
        ]

    def __str__(self) -> str:
        return f"{self.sprint_id} {self.table_id}"
