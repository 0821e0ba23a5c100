from __future__ import annotations

from django.db import models
from django.db.models import Q


class Rating(models.Model):
    """A player's strength after all games of a season, or of the club where `season` is null.

    Rebuilt from the results, in the order in which they were played.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="ratings")
    season = models.ForeignKey(
        "league.Season", null=True, on_delete=models.CASCADE, related_name="ratings"
    )
    player = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField(help_text="The estimate; a newcomer has 25.")
    sigma = models.FloatField(help_text="Its standard deviation.")
    games = models.PositiveIntegerField()
    computed_at = models.DateTimeField()

    class Meta:
        ordering = ["-mu", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "season", "player"], name="rating_once", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=Q(sigma__gt=0, games__gte=1), name="rating_is_of_somebody_who_played"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.mu:.1f} ± {self.sigma:.1f}"

    @property
    def margin(self) -> float:
        """Half of the interval that holds the true strength with 95 percent."""
        return 1.96 * self.sigma
