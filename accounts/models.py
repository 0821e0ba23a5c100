"""Accounts. A club's players need none: they are `league.Player`."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        return self.create_user(email, password, is_superuser=True, **extra)


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. `is_superuser` marks the owner of the installation."""

    email = models.EmailField(_("email"), unique=True)
    name = models.CharField(_("name"), max_length=60, blank=True)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    time_zone = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="The browser's last time zone, or the chosen one.",
    )
    keeps_zone = models.BooleanField(
        default=False, db_default=False, help_text="Whether the time zone was chosen."
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]

    def __str__(self) -> str:
        return self.name or gettext("a member")


class SecurityEvent(models.Model):
    """A security event of an account; rows are never changed and are deleted after 90 days."""

    class Kind(models.TextChoices):
        SIGNED_IN = "signed_in", _("signed in")
        FAILED = "failed", _("failed to sign in")
        SIGNED_OUT = "signed_out", _("signed out everywhere else")
        PASSWORD = "password", _("new password")
        PASSWORD_LINK = "password_link", _("password link created")
        FACTOR_ADDED = "factor_added", _("two-factor authentication added")
        FACTOR_REMOVED = "factor_removed", _("two-factor authentication removed")
        TOKEN_MADE = "token_made", _("token created")
        TOKEN_REVOKED = "token_revoked", _("token revoked")
        ROLE_TAKEN = "role_taken", _("role accepted")
        ROLE_LOWERED = "role_lowered", _("role lowered")
        ROLE_ENDED = "role_ended", _("role ended")
        LINKED = "linked", _("plays in a club")
        UNLINKED = "unlinked", _("no longer plays in a club")
        ASKED = "asked", _("a club asks whether you play there")
        PAID_TO = "paid_to", _("account number for payments changed")
        ERASED = "erased", _("account ended")

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="security_events")
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    address = models.CharField(max_length=50, blank=True, help_text="A network, not an address.")
    club = models.CharField(
        max_length=80, blank=True, db_default="", default="", help_text="Name of the club it is of."
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["at"], name="security_event_at")]

    def __str__(self) -> str:
        return f"{self.at}: {self.user} {self.kind}"


class SecurityMail(models.Model):
    """An unsent email about a security event; the row is deleted once it is sent.

    `to` is the address at the time of the event: a deleted account no longer has one.
    """

    event = models.OneToOneField(SecurityEvent, on_delete=models.CASCADE, related_name="mail")
    to = models.EmailField(max_length=254)
    language = models.CharField(max_length=5)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ["due_at"]

    def __str__(self) -> str:
        return f"{self.event_id}"
