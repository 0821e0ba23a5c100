from django.db import models
from django.db.models import Q

from tables.models.dated import ActRow

NAMES = ["player.renamed", "player.merged", "player.unmerged", "player.anonymised"]
"""Actions that change a player's identity, or the order in which tied players are listed."""


class Audit(ActRow):
    """The log of changes, with who made them. Entries are immutable.

    An entry keeps the key of its event even after the event is deleted from the bin.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="audit")
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.DO_NOTHING, db_constraint=False
    )
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["club", "id"], condition=Q(action__in=NAMES), name="audit_names")
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"


class AuditMark(models.Model):
    """A link of a club's log: a digest of an entry and of the mark before it.

    The database alone writes it, when the entry's transaction commits. An entry whose names were
    removed has another mark; the earlier one lost its salt, so that nobody can guess the names.
    """

    club_id = models.BigIntegerField()
    entry = models.ForeignKey(Audit, on_delete=models.DO_NOTHING, related_name="marks")
    salt = models.UUIDField(null=True)
    digest = models.CharField(max_length=64)

    class Meta:
        indexes = [models.Index(fields=["club_id", "id"], name="audit_mark_last")]

    def __str__(self) -> str:
        return self.digest
