from __future__ import annotations

from django.conf import settings
from django.db import models

from league.models.secret import new_nonce, secret_of


class CalendarFeed(models.Model):
    """A secret address at which a calendar program reads what this account may see.

    Of a season, of a club (no `season`), or of all the account's own nights (no `club`).
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
    at = models.DateTimeField(auto_now_add=True)

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
        """Return the secret part of the address, the same each time."""
        return secret_of("league.calendar", self.nonce)
