"""People's bots: code stored by version, or a program on the author's machine."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from tables.models.dated import CreatedRow
from tables.models.named import NamedRow
from tables.models.runs import Run


class Upload(CreatedRow, NamedRow):
    """One version of a person's bot; its code never changes.

    It plays as `name`, made of the author's `base` and the version number. `pool` is where it may
    compete, as named by the caller. A worker checks a waiting bot step by step: it holds the bot
    until `held_until` and has `checked` that many tables. A withdrawn bot enters no more runs. A
    `REMOTE` bot has no code here and polls for positions, last at `seen_at`. `seen_by` is the
    visibility its author chose; the bot plays only in runs that nobody else may see.
    """

    REMOTE = "remote"

    class State(models.TextChoices):
        WAITING = "waiting"
        SOUND = "sound"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    class SeenBy(models.TextChoices):
        AUTHOR = "author"
        CLUB = "club"
        EVERYONE = "everyone"

    pool = models.CharField(max_length=40)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="uploads"
    )
    base = models.CharField(max_length=26)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=30, unique=True)
    language = models.CharField(max_length=10)
    body = models.BinaryField(help_text="The ZIP file as it was sent.")
    digest = models.CharField(max_length=64)
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    report = models.TextField(blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    checked = models.PositiveSmallIntegerField(default=0, db_default=0)
    held_until = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    seen_by = models.CharField(
        max_length=8, choices=SeenBy.choices, default=SeenBy.EVERYONE, db_default="everyone"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["base", "number"], name="upload_version_once"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sound", "refused", "withdrawn"]),
                name="upload_state_known",
            ),
            models.CheckConstraint(
                condition=Q(language__in=["python", "node", "remote"]), name="upload_language_known"
            ),
            models.CheckConstraint(
                condition=Q(seen_by__in=["author", "club", "everyone"]), name="upload_seen_by_known"
            ),
        ]
        indexes = [
            models.Index(fields=["pool", "base", "-number"], name="upload_of_pool"),
            models.Index(
                fields=["created_at"], condition=Q(state="waiting"), name="upload_waiting"
            ),
        ]


class Trial(CreatedRow):
    """A test match of a bot against a house bot, for its author alone."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="trials")
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="trial")

    def __str__(self) -> str:
        return f"{self.upload_id} {self.run_id}"


class Tryout(CreatedRow):
    """A hundred games of pasted code against a house bot; its key is enough to see it.

    A worker holds it until `held_until` and stores the number of finished games, at last the
    `result`. It is deleted after a day.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    code = models.TextField()
    games = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(null=True)
    held_until = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(result__isnull=True), name="tryout_waiting"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
