"""Ratings of people and bots at rated tables, and the games behind them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.statistics.strengths import LEAST
from tables.models.named import NamedRow
from tables.models.play import Game

LEVELS: list[tuple[float, Promise]] = [
    (17, _("Beginner")),
    (21, _("Improving")),
    (25, _("Steady")),
    (29, _("Strong")),
    (33, _("Expert")),
    (float("inf"), _("Champion")),
]
"""Names of levels with their upper bounds."""


class StrengthFigure(models.Model):
    """A published strength, on the scale of docs/ratings.md."""

    mu = models.FloatField(help_text="The estimate; 25 is the mean.")
    sigma = models.FloatField(help_text="The error of its difference to the mean.")
    games = models.PositiveIntegerField()

    class Meta:
        abstract = True

    @property
    def margin(self) -> float:
        """Half the width of its 95 percent interval."""
        return 1.96 * self.sigma

    @property
    def is_early(self) -> bool:
        """Whether it has too few games to be shown."""
        return self.games < LEAST


class TableStrength(StrengthFigure):
    """The strength of an account, or of a house bot, by all rated games; 25 is a bot's.

    `name` is its last name at a table.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="table_strength"
    )
    bot = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=40)
    model = models.PositiveSmallIntegerField()
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user=None) & ~Q(bot="") | Q(user__isnull=False, bot=""),
                name="table_strength_of_exactly_one",
            ),
            models.UniqueConstraint(
                fields=["bot"], condition=~Q(bot=""), name="table_strength_once_for_a_bot"
            ),
            models.CheckConstraint(
                condition=Q(sigma__gt=0, games__gte=1), name="table_strength_is_of_one_who_played"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.mu:.1f} ± {self.sigma:.1f}"

    @property
    def level(self) -> str | Promise:
        """Return the level's name, or "" after too few games."""
        return "" if self.is_early else next(name for below, name in LEVELS if self.mu < below)


class TableRating(NamedRow):
    """A rating as of releases before 1.2, on another scale: kept for them, and not read."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="table_rating"
    )
    bot = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=40)
    mu = models.FloatField(help_text="The estimate; a newcomer has 25.")
    sigma = models.FloatField(help_text="Its standard deviation.")
    games = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user=None) & ~Q(bot="") | Q(user__isnull=False, bot=""),
                name="table_rating_of_exactly_one",
            ),
            models.UniqueConstraint(
                fields=["bot"], condition=~Q(bot=""), name="table_rating_once_for_a_bot"
            ),
            models.CheckConstraint(condition=Q(sigma__gt=0), name="table_rating_is_uncertain"),
        ]
        indexes = [models.Index(fields=["-mu"], name="table_rating_order")]


class CountedGame(models.Model):
    """A game that counts for ratings; `rated_at` is `None` until it is rated."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="rated")
    rated_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["id"], condition=Q(rated_at=None), name="rated_game_waits")]

    def __str__(self) -> str:
        return f"{self.game_id}"


class RatedPlace(models.Model):
    """A player's place in a rated game, and the rating that was published after it.

    `before` and `after` are of releases before 1.2.
    """

    rated = models.ForeignKey(CountedGame, on_delete=models.CASCADE, related_name="places")
    no = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    name = models.CharField(max_length=40)
    rank = models.PositiveSmallIntegerField()
    before = models.FloatField()
    after = models.FloatField()
    told = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rated", "no"], name="rated_place_once")]

    def __str__(self) -> str:
        return f"{self.name} {self.rank}"
