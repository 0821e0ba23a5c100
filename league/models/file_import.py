from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q


class FileImport(models.Model):
    """An uploaded file to import, with the state of its processing.

    An account has one at a time. A worker reads a `WAITING` file. A text table is then `READ` until
    its sender confirms the preview in `told` (`SAVING`). `club` is the target; for an archive it is
    the club created from it. The import is deleted at `expires_at` in any state.
    """

    class Kind(models.TextChoices):
        ARCHIVE = "archive"
        PLAYERS = "players"
        RESULTS = "results"

    class State(models.TextChoices):
        WAITING = "waiting"
        READ = "read"
        SAVING = "saving"
        DONE = "done"
        FAILED = "failed"

    AT_WORK = (State.WAITING, State.SAVING)

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="file_import"
    )
    kind = models.CharField(max_length=7, choices=Kind.choices)
    club = models.ForeignKey("league.Club", null=True, on_delete=models.CASCADE, related_name="+")
    season = models.ForeignKey(
        "league.Season", null=True, on_delete=models.CASCADE, related_name="+"
    )
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    language = models.CharField(max_length=10)
    encoding = models.CharField(max_length=10, blank=True)
    size = models.PositiveIntegerField(help_text="Of the file in bytes.")
    text = models.TextField(blank=True, help_text="The table that was read.")
    add_missing = models.BooleanField(default=False)
    told = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    tries = models.PositiveSmallIntegerField(default=0)
    since = models.DateTimeField(help_text="When it came into its state.")
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="archive", season=None)
                | Q(kind="players", club__isnull=False, season=None)
                | Q(kind="results", club__isnull=False, season__isnull=False),
                name="file_import_goes_somewhere",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "read", "saving", "done", "failed"]),
                name="file_import_state_known",
            ),
            models.CheckConstraint(
                condition=Q(size__lte=50_000_000), name="file_import_size_has_an_end"
            ),
        ]
        indexes = [
            models.Index(
                fields=["since"], condition=Q(state__in=["waiting", "saving"]), name="file_at_work"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class FilePiece(models.Model):
    """A chunk of a file, deleted as soon as the worker has read it."""

    file = models.ForeignKey(FileImport, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveSmallIntegerField()
    body = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="file_piece_once")]

    def __str__(self) -> str:
        return f"{self.file_id}/{self.number}"
