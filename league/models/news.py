from __future__ import annotations

import base64
import secrets
import uuid
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.mail import REASONS
from league.models.player import Player
from tables.models.dated import CreatedRow, DatedRow
from tables.models.named import NamedRow

if TYPE_CHECKING:
    from accounts.models import User


CLUBLESS = ("trouble", "invited", "company", "turn", "sprint_soon")
"""The kinds of news that belong to the server or to a table, not to a club."""


def new_secret() -> str:
    """Return a new secret in the format of the Standard Webhooks specification."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()


class Webhook(DatedRow):
    """An endpoint of a club's own program, which receives the club's news signed with `secret`."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    secret = models.CharField(max_length=60, default=new_secret)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "address"], name="webhook_address_once")
        ]

    def __str__(self) -> str:
        return self.host

    @property
    def host(self) -> str:
        """The host of the address; for a chat channel the rest of the URL is secret."""
        return urlsplit(self.address).netloc

    @property
    def secret_end(self) -> str:
        """The last characters of the secret, to distinguish it from others."""
        return self.secret[-4:]


class NewsWish(models.Model):
    """An account's news settings: kinds, e-mail, language and quiet hours."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="news_wish"
    )
    off = models.JSONField(default=list, help_text="Kinds that are not sent; `all` for every one.")
    language = models.CharField(max_length=5, blank=True)
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_to = models.TimeField(null=True, blank=True)
    by_email = models.BooleanField(default=True, db_default=True)
    silent_clubs = models.ManyToManyField(
        "league.Club",
        related_name="silenced_by",
        help_text="Of which the account gets no news and sees no offers.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_to=None)
                | Q(quiet_from__isnull=False, quiet_to__isnull=False),
                name="news_wish_quiet_has_two_ends",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}"

    def wants(self, kind: str) -> bool:
        return not {"all", kind} & set(self.off)


class Channel(DatedRow):
    """A push or Telegram address of one account, or of a phone without one, by the phone's hash.

    `lane` names the service that delivers to it. Only that lane's messages wait if it is down.
    """

    class Kind(models.TextChoices):
        PUSH = "push", "Web Push"
        TELEGRAM = "telegram", "Telegram"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="channels"
    )
    phone = models.CharField(max_length=64, blank=True, db_default="", db_index=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    address = models.CharField(max_length=500)
    keys = models.JSONField(default=dict, help_text="With what messages are encrypted for it.")
    lane = models.CharField(max_length=40)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "address"], name="channel_address_once"),
            models.CheckConstraint(
                condition=Q(user=None) & ~Q(phone="") | Q(user__isnull=False, phone=""),
                name="channel_of_an_account_or_a_phone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class NewsItem(CreatedRow):
    """A message to one account (by e-mail), to one of its channels or to one webhook.

    It is created in the transaction of its cause. `key` names the cause, so that each receiver gets
    it once. While a row is `sending`, one worker holds its lease.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("not sent any more")

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    club = models.ForeignKey(
        "league.Club", null=True, on_delete=models.CASCADE, related_name="news"
    )
    event = models.ForeignKey("league.Event", null=True, on_delete=models.CASCADE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="news"
    )
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.CASCADE, related_name="news")
    channel = models.ForeignKey(Channel, null=True, on_delete=models.CASCADE, related_name="news")
    data = models.JSONField(default=dict)
    body = models.TextField(blank=True, help_text="What a webhook gets, the same each time.")
    ref = models.UUIDField(default=uuid.uuid4, unique=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, help_text="When it is no longer worth telling.")
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "key"], condition=Q(user__isnull=False), name="news_once_per_user"
            ),
            models.UniqueConstraint(
                fields=["webhook", "key"],
                condition=Q(webhook__isnull=False),
                name="news_once_per_webhook",
            ),
            models.UniqueConstraint(
                fields=["channel", "key"],
                condition=Q(channel__isnull=False),
                name="news_once_per_channel",
            ),
            models.CheckConstraint(
                condition=Q(user=None, webhook=None, channel__isnull=False)
                | Q(user=None, webhook__isnull=False, channel=None)
                | Q(user__isnull=False, webhook=None, channel=None),
                name="news_has_one_receiver",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=CLUBLESS, club=None) | Q(club__isnull=False),
                name="news_without_club_is_of_server_or_table",
            ),
            models.CheckConstraint(
                condition=Q(state="sending", lease_until__isnull=False)
                | Q(lease_until=None) & ~Q(state="sending"),
                name="news_sending_has_a_lease",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(state__in=["waiting", "sending"]), name="news_due"
            ),
            models.Index(fields=["created_at"], name="news_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def reader(self) -> User | None:
        """The account that receives the message; None for a webhook or a phone without one."""
        return self.channel.user if self.channel else self.user

    @property
    def reason(self) -> str:
        """Why the message was not sent, in words where they are known."""
        return str(REASONS.get(self.error, self.error))

    def is_for(self, player: Player) -> bool:
        """Return whether the message goes to this player's account or phone."""
        reader = self.reader
        if reader is None:
            return player.pk in self._phone_of
        return bool(player.user_id == reader.pk)

    @cached_property
    def _phone_of(self) -> set[int | None]:
        """Return the player whose phone it goes to, and whom that name is merged into by now."""
        named = Player.objects.filter(pk=self.data.get("reader"))
        return {key for keys in named.values_list("pk", "merged_into") for key in keys}


class Alarm(NamedRow):
    """A fault of this server that lasts; its administrators are told of it until it is over."""

    name = models.CharField(max_length=20, primary_key=True)
    since = models.DateTimeField(default=timezone.now)
    value = models.CharField(max_length=200, blank=True)
    told_at = models.DateTimeField(null=True)


class NewsLane(NamedRow):
    """An outgoing service (e-mail, push or one webhook) with its backoff after failures."""

    name = models.CharField(max_length=40, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    rests_until = models.DateTimeField(null=True)
