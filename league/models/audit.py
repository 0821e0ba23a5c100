from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

NAMES = ["player.renamed", "player.merged", "player.unmerged", "player.anonymised"]
"""What changes who is who, or in which order equals are listed."""


class Audit(models.Model):
    """Who changed what, in the order it happened. Never changed.

    Of a night deleted from the bin an entry keeps the number: it outlasts what it tells of.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="audit")
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.DO_NOTHING, db_constraint=False
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["club", "id"], condition=Q(action__in=NAMES), name="audit_names")
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
