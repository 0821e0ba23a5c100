from django.db import models
from django.db.models import Q


class Rating(models.Model):
    """A player's rating after all games of a season, or of the club if `season` is null.

    Rebuilt from the results in the order of play.
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
        """Half the width of the 95 percent interval of the rating."""
        return 1.96 * self.sigma


class RatingPoint(models.Model):
    """A player's rating after one night: a point of the curve, and the start of the next night.

    `games` counts all games so far. It belongs to a season, or to the club if `season` is null.
    """

    club = models.ForeignKey(
        "league.Club", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    season = models.ForeignKey("league.Season", null=True, on_delete=models.CASCADE)
    event = models.ForeignKey("league.Event", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("league.Player", on_delete=models.CASCADE, db_index=False)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "season", "event"],
                name="rating_point_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(sigma__gt=0, games__gte=1), name="rating_point_is_of_somebody"
            ),
        ]
        indexes = [models.Index(fields=["club", "season", "event"], name="rating_point_of_night")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.event_id}: {self.mu:.1f} ± {self.sigma:.1f}"

    @property
    def margin(self) -> float:
        """Half the width of the 95 percent interval of the rating."""
        return 1.96 * self.sigma


class RatingState(models.Model):
    """The progress of the ratings of a season or a club.

    `nights` lists the rated nights in order as [event, version, date]; `names` is the key of the
    last log entry of a merge that they include. `stamp` identifies the data of the last complete
    rating, at `computed_at`. `bots` are the ratings of the bots of closed tournaments, fitted to
    all their games at once: one list of {name, version, rating, low, high, games} per pool of bots
    that met, strongest first. `bots_stamp` identifies those tournaments.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="+")
    season = models.OneToOneField("league.Season", null=True, on_delete=models.CASCADE)
    nights = models.JSONField(default=list)
    names = models.BigIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    stamp = models.CharField(max_length=80, blank=True)
    computed_at = models.DateTimeField(null=True)
    bots = models.JSONField(default=list, db_default=[])
    bots_stamp = models.CharField(max_length=80, blank=True, db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "season"], name="rating_state_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.season_id}: {len(self.nights)} of {self.total}"

    @property
    def waiting(self) -> bool:
        """Whether some nights are not yet rated."""
        return len(self.nights) < self.total
