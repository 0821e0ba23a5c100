from __future__ import annotations

import datetime

from django.db import models
from django.db.models import Expression, F, Q
from django.utils import timezone

from league.models.club import Membership
from league.models.secret import secret_of
from tables.models.dated import ActRow


class LinkQuerySet(models.QuerySet["Link"]):
    def alive(self, at: datetime.datetime | Expression | None = None) -> LinkQuerySet:
        """Return the links that are not revoked, expired or used up."""
        in_time = Q(expires_at=None) | Q(expires_at__gt=at or timezone.now())
        unused = Q(max_uses=None) | Q(uses__lt=F("max_uses"))
        return self.filter(in_time, unused, revoked_at=None)


class Link(ActRow):
    """A secret address for one purpose, which can expire and be revoked.

    Only the secret's hash is stored. The secret derives from `nonce` and the server's key, so that
    a table's card can be printed again.
    """

    class Purpose(models.TextChoices):
        TABLE = "table"
        INVITATION = "invitation"
        NIGHT = "check_in", "Check In"  # Stored under the name of when it only checked in.
        SIGN_UP = "sign_up"  # Of older nights; it leads on to the night's own.

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="links")
    purpose = models.CharField(max_length=12, choices=Purpose.choices)
    sitting = models.ForeignKey(
        "league.Sitting",
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="Of older links, which stood for a table of one round: where they lead on from.",
    )
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.CASCADE, related_name="links"
    )
    table_no = models.PositiveSmallIntegerField(
        null=True, help_text="The table of the event that the link opens, whatever round it is."
    )
    role = models.CharField(max_length=10, choices=Membership.Role.choices, blank=True)
    player = models.ForeignKey(
        "league.Player",
        null=True,
        on_delete=models.CASCADE,
        related_name="invitations",
        help_text="Whom the account that accepts this invitation plays.",
    )
    nonce = models.CharField(max_length=32)
    secret_hash = models.CharField(max_length=64, unique=True)
    uses = models.PositiveIntegerField(default=0)
    max_uses = models.PositiveIntegerField(null=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = LinkQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    purpose="table", sitting=None, event__isnull=False, table_no__gte=1, role=""
                )
                | Q(purpose="table", sitting__isnull=False, event=None, table_no=None, role="")
                | Q(
                    purpose__in=["check_in", "sign_up"],
                    sitting=None,
                    event__isnull=False,
                    table_no=None,
                    role="",
                )
                | Q(
                    purpose="invitation",
                    sitting=None,
                    event=None,
                    table_no=None,
                    role__in=["player", "scorer", "organiser"],
                    expires_at__isnull=False,
                ),
                name="link_has_what_its_purpose_needs",
            ),
            models.CheckConstraint(
                condition=Q(player=None) | Q(purpose="invitation", max_uses=1),
                name="link_of_a_player_invites_once",
            ),
            models.UniqueConstraint(
                fields=["sitting"], condition=Q(revoked_at=None), name="link_one_open_per_sitting"
            ),
            models.UniqueConstraint(
                fields=["event", "purpose"],
                condition=Q(revoked_at=None, table_no=None),
                name="link_one_open_per_event",
            ),
            models.UniqueConstraint(
                fields=["event", "table_no"],
                condition=Q(revoked_at=None),
                name="link_one_open_per_table",
            ),
            models.CheckConstraint(
                condition=Q(max_uses=None) | Q(uses__lte=F("max_uses")),
                name="link_not_used_too_often",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.pk}"

    @property
    def secret(self) -> str:
        """The secret part of the address, derived from the nonce."""
        return secret_of("league.link", self.nonce)
