from django.db import models

from tables.models.dated import DatedRow


class OldRows(DatedRow):
    """How many old rows about people one night deleted, by their first model."""

    counts = models.JSONField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d}"


class Verification(models.Model):
    """The nightly check that all derived data still follow from their sources."""

    day = models.DateField(unique=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    checked = models.JSONField(default=dict, help_text="How many of what were looked at.")
    count = models.PositiveIntegerField(default=0, help_text="How many differences were found.")
    differences = models.JSONField(default=list, help_text="The first of them, as sentences.")

    class Meta:
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day} {self.count}"
