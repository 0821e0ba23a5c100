from django.conf import settings
from django.db import models
from django.db.models import Q

from tables.models.dated import DatedRow


class Claim(DatedRow):
    """A phone whose holder claims to be a player of a night, without an account.

    Only the phone's key in the club is stored (`league.base.phone_keys`). Within a night a phone
    has one player and a player has one phone, until the claim ends. A second phone that wants the
    name asks the first: `asked_by` is its key, `refused_at` the time of a no.
    """

    event = models.ForeignKey("league.Event", on_delete=models.CASCADE, related_name="claims")
    player = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="claims")
    phone_hash = models.CharField(max_length=64, db_index=True)
    asked_by = models.CharField(max_length=64, blank=True, db_default="")
    refused_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player"],
                condition=Q(ended_at=None),
                name="claim_one_phone_of_a_player",
            ),
            models.UniqueConstraint(
                fields=["event", "phone_hash"],
                condition=Q(ended_at=None),
                name="claim_one_player_of_a_phone",
            ),
            models.CheckConstraint(
                condition=Q(ended_by=None) | Q(ended_at__isnull=False),
                name="claim_ended_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.player_id}"

    @property
    def asking(self) -> str:
        """What names the phone that asks for this name and waits for an answer; "" for none."""
        return self.asked_by[:16] if self.refused_at is None else ""
