"""What programs asked for, so that the same request again does nothing twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SentRequest(models.Model):
    """A request that was carried out, by the key that its program gave it; kept for a day.

    `digest` is of its address and content. `answer` is what was answered, null where the address
    itself knows what the same key stands for.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_requests"
    )
    key = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="sent_request_once"),
        ]

    def __str__(self) -> str:
        return self.key
