"""Accounts. A club's players need none: they are `league.Player`."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    def known(self) -> models.QuerySet[User]:
        """Return the accounts of people: those that may sign in, and locked ones."""
        return self.filter(models.Q(is_active=True) | models.Q(locked_at__isnull=False))

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
    language = models.CharField(
        max_length=5, blank=True, default="", db_default="", help_text="That of the last sign-in."
    )
    plays_plain = models.BooleanField(
        default=False, db_default=False, help_text="Whether tables come as words, without cards."
    )
    mail_refused_at = models.DateTimeField(
        null=True, help_text="When a mail server last said that the address does not exist."
    )
    mail_refused = models.EmailField(
        blank=True, default="", db_default="", help_text="Which one; the primary one if blank."
    )

    locked_at = models.DateTimeField(
        null=True, help_text="Since when an administrator keeps it from signing in."
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_any_case"),
            models.CheckConstraint(
                condition=models.Q(locked_at=None) | models.Q(is_active=False),
                name="user_locked_is_not_active",
            ),
        ]

    def __str__(self) -> str:
        return self.name or gettext("a member")

    @property
    def refused_address(self) -> str:
        """The own address that does not exist by its mail server, "" for none."""
        if self.mail_refused_at is None:
            return ""
        own = {self.email, *self.emailaddress_set.values_list("email", flat=True)}  # type: ignore[attr-defined]
        return "".join({self.mail_refused or self.email} & own)


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
        OWNER_ENDING = "owner_ending", _("another owner ends your role in a week")
        LINKED = "linked", _("plays in a club")
        UNLINKED = "unlinked", _("no longer plays in a club")
        ASKED = "asked", _("a club asks whether you play there")
        PAID_TO = "paid_to", _("account number for payments changed")
        CLUB_STOPPED = "club_stopped", _("a club of yours closed by the administrator")
        CLUB_ENDING = "club_ending", _("a club of yours is deleted in a week")
        LOCKED = "locked", _("account locked by the administrator")
        UNLOCKED = "unlocked", _("account unlocked")
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
    """An unsent email to an account's address; the row is deleted once it is sent, but for tests.

    `to` is the address at the time of its cause: a deleted account no longer has one. It is blank
    once an `outcome`, a reason of `accounts.mail`, says why it was not sent. While it is being
    sent, one worker holds its lease.
    """

    class Kind(models.TextChoices):
        EVENT = "event", _("security event")
        CONFIRM = "confirm", _("link to confirm an email")
        RESET = "reset", _("link for a new password")
        KNOWN = "known", _("sign-up with a known email")
        UNKNOWN = "unknown", _("no account with an email")
        TEST = "test", _("test mail")

    event = models.OneToOneField(
        SecurityEvent, null=True, on_delete=models.CASCADE, related_name="mail"
    )
    kind = models.CharField(
        max_length=8, choices=Kind.choices, default=Kind.EVENT, db_default=Kind.EVENT
    )
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="mails")
    to = models.EmailField(max_length=254)
    language = models.CharField(max_length=5)
    created_at = models.DateTimeField(default=timezone.now, db_default=Now())
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    lease_until = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=20, blank=True, default="", db_default="")
    answer = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="The mail server's words."
    )

    class Meta:
        ordering = ["due_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="event", event__isnull=False, user=None)
                | ~models.Q(kind="event") & models.Q(event=None),
                name="security_mail_has_one_cause",
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="") ^ models.Q(to=""), name="security_mail_to_or_outcome"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id or self.user_id}"

    @property
    def account(self) -> User | None:
        return self.event.user if self.event else self.user

    @property
    def about(self) -> str:
        return self.event.get_kind_display() if self.event else self.get_kind_display()
