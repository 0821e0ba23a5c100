from django.conf import settings
from django.db import models

from league.models.secret import new_nonce, secret_of
from tables.models.dated import DatedRow


class CalendarFeed(DatedRow):
    """A secret address of a calendar feed, which shows what its account may see.

    The feed covers a season, a club (no `season`), or all nights of the account (no `club`).
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_feeds"
    )
    club = models.ForeignKey(
        "league.Club", null=True, on_delete=models.CASCADE, related_name="calendar_feeds"
    )
    season = models.ForeignKey("league.Season", null=True, on_delete=models.CASCADE)
    nonce = models.CharField(max_length=32, default=new_nonce)
    secret_hash = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "club", "season"],
                name="calendar_feed_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=models.Q(season=None) | models.Q(club__isnull=False),
                name="calendar_feed_season_of_club",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.season or self.club or '*'}"

    @property
    def secret(self) -> str:
        """The secret part of the address, derived from the nonce."""
        return secret_of("league.calendar", self.nonce)
