from django.db import models
from django.db.models import Q

from engine.statistics.strengths import Figures, chance
from tables.models import StrengthFigure


class PlayerStrength(StrengthFigure):
    """A player's published strength."""

    player = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="+")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.player_id} {self.mu:.1f} ± {self.sigma:.1f}"

    def chance_against(self, other: StrengthFigure) -> int | None:
        """Return the percentage of games finished ahead of another; None with too few games."""
        if self.is_early or other.is_early:
            return None
        own, theirs = (Figures(one.mu, one.sigma, one.games) for one in (self, other))
        return round(100 * chance(own, theirs))


class Strength(PlayerStrength):
    """A player's strength by the games of a season, or of the club if `season` is null.

    Fitted to all of them at once, by the version `model` of the model.
    """

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="strengths")
    season = models.ForeignKey(
        "league.Season", null=True, on_delete=models.CASCADE, related_name="strengths"
    )
    model = models.PositiveSmallIntegerField()
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "season", "player"], name="strength_once", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=Q(sigma__gt=0, games__gte=1), name="strength_is_of_somebody_who_played"
            ),
        ]


class StrengthPoint(PlayerStrength):
    """A player's strength by the games of a season up to one night: a point of the curve."""

    season = models.ForeignKey(
        "league.Season", on_delete=models.CASCADE, related_name="strength_points"
    )
    event = models.ForeignKey("league.Event", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "season", "event"], name="strength_point_once"
            ),
            models.CheckConstraint(
                condition=Q(sigma__gt=0, games__gte=1), name="strength_point_is_of_somebody"
            ),
        ]


class CountedState(models.Model):
    """When and from what the numbers of a season, or of a club, were counted."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="+")
    season = models.OneToOneField("league.Season", null=True, on_delete=models.CASCADE)
    nights = models.JSONField(default=list)
    names = models.BigIntegerField(default=0)
    stamp = models.CharField(max_length=80, blank=True)
    computed_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class StrengthState(CountedState):
    """From what the strengths of a season or a club were counted.

    `nights` lists them in order as [event, version, date], `names` is the key of the last log entry
    of a merge; `begins` is the number of the night from which on there are points, and `stamp`
    tells quickly whether something changed.
    """

    begins = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "season"], name="strength_state_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.season_id}: {len(self.nights)} nights"


class Rating(models.Model):
    """A rating as of releases before 1.2, on another scale: kept for them, and not read."""

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
        return f"{self.player_id} {self.season_id}"


class RatingPoint(models.Model):
    """A rating after one night as of releases before 1.2: kept for them, and not read."""

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
        return f"{self.player_id} {self.event_id}"


class RatingState(CountedState):
    """The ratings of the bots of a season or a club.

    `bots` are those of the bots of closed tournaments, fitted to all their games at once: one list
    of {name, version, rating, low, high, games} per pool of bots that met, strongest first.
    `bots_stamp` identifies those tournaments. The other fields are of releases before 1.2.
    """

    total = models.PositiveIntegerField(default=0)
    bots = models.JSONField(default=list, db_default=[])
    bots_stamp = models.CharField(max_length=80, blank=True, db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "season"], name="rating_state_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.season_id}"
