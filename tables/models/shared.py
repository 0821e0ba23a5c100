"""Pairs of seats at a members-only table that were played from one place."""

from django.db import models
from django.db.models import F, Q

from tables.models.dated import DatedRow
from tables.models.play import Seat


class SharedPlace(DatedRow):
    """Two seats of a table played from the same browser or network at the same time.

    Only the fact is stored, not the browser or network.
    """

    class By(models.TextChoices):
        DEVICE = "device"
        NETWORK = "network"

    one = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    by = models.CharField(max_length=7, choices=By.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other", "by"], name="shared_place_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="shared_place_in_order"),
            models.CheckConstraint(
                condition=Q(by__in=["device", "network"]), name="shared_place_by_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} {self.other_id} {self.by}"
