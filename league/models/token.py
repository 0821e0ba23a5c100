from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tables.models.dated import CreatedRow
from tables.models.named import NamedRow

ALL_SCOPES = ["read", "play", "organise", "arena"]


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def alive(self) -> ApiTokenQuerySet:
        """Return the tokens that are neither revoked nor expired."""
        in_time = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(in_time, revoked_at=None)


class ApiToken(CreatedRow, NamedRow):
    """A secret that lets a program act for an account; only its digest is stored."""

    class Scope(models.TextChoices):
        READ = "read", _("read clubs and results")
        PLAY = "play", _("play at tables")
        ORGANISE = "organise", _("enter results, run nights and clubs")
        ARENA = "arena", _("play as a bot: register, take challenges")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(
        models.CharField(max_length=10, choices=Scope.choices), db_default=ALL_SCOPES
    )
    expires_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="api_token_has_a_name"),
            models.CheckConstraint(
                condition=Q(scopes__contained_by=ALL_SCOPES, scopes__len__gt=0),
                name="api_token_scopes_known",
            ),
        ]

    @property
    def may(self) -> list[str]:
        """The labels of its scopes."""
        return [str(self.Scope(scope).label) for scope in self.scopes]
