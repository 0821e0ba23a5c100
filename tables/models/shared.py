"""Two who sat at one table for members and played from one place."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from tables.models.play import Seat


class SharedPlace(models.Model):
    """That two seats of a table were played from one browser or one network, at the same time.

    Neither is kept: only that it was the same one.
    """

    class By(models.TextChoices):
        DEVICE = "device"
        NETWORK = "network"

    one = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    by = models.CharField(max_length=7, choices=By.choices)
    at = models.DateTimeField(auto_now_add=True)

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
