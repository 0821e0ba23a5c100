from __future__ import annotations

from django.conf import settings
from django.db import models


class Audit(models.Model):
    """Who changed what, in the order it happened. Never changed."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="audit")
    event = models.ForeignKey("league.Event", null=True, on_delete=models.CASCADE)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
