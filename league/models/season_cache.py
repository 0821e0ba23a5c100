from django.db import models
from django.db.models import Q


class SeasonTable(models.Model):
    """The metadata of a season's cached standings; `count` is the number of rows.

    The rows are stale if `stamp` differs from the season's current one, which changes with all data
    they depend on (`league.seasons.facts.season_cache`).
    """

    season = models.OneToOneField("league.Season", on_delete=models.CASCADE, related_name="table")
    stamp = models.CharField(max_length=120)
    nights = models.JSONField(
        db_default=[],
        default=list,
        help_text="Event, version and whether anything was played in it, of each.",
    )
    computed_at = models.DateTimeField()
    seconds = models.FloatField(help_text="How long the computing took.")
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.season_id} at {self.computed_at}"


class SeasonRow(models.Model):
    """A row of the cached standings. `points` is an exact fraction as text, such as 3/2."""

    season = models.ForeignKey("league.Season", on_delete=models.CASCADE, related_name="rows")
    position = models.PositiveIntegerField(help_text="From 1, best first; shared ranks too.")
    player = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField(null=True)
    points = models.CharField(max_length=200)
    games = models.PositiveIntegerField()
    rest = models.JSONField(
        help_text="The other numbers, as `league.seasons.facts.season_cache` has them."
    )

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["season", "position"], name="season_row_position_once"),
            models.UniqueConstraint(fields=["season", "player"], name="season_row_player_once"),
            models.CheckConstraint(condition=Q(position__gte=1), name="season_row_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} {self.position}"
