import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone

from tables.models.dated import DatedRow

UNDO_DAYS = 30


class Notebook(DatedRow):
    """What one import of a club's own sheets or people made, so that it can be undone as one.

    `postings` is its money: the database lets the ledger lose nothing else, and that for 30 days.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="notebooks")
    season = models.ForeignKey(
        "league.Season", null=True, on_delete=models.CASCADE, related_name="notebooks"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    games = models.PositiveIntegerField(default=0)
    events = models.ManyToManyField("league.Event", related_name="+")
    players = models.ManyToManyField("league.Player", related_name="+")
    postings = models.ManyToManyField("league.Posting", related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.club_id} {self.at:%Y-%m-%d}"

    @property
    def until(self) -> datetime.datetime:
        """The last moment at which it can be undone."""
        return self.at + datetime.timedelta(UNDO_DAYS)

    @property
    def may_be_undone(self) -> bool:
        return timezone.now() < self.until
