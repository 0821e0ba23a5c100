"""Ratings of people and bots at rated tables, and the games behind them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
SURE = 5.0
"""Standard deviation above which a rating has no level yet."""


class TableRating(models.Model):
    """The rating of an account or a house bot after its rated games.

    `name` is its last name at a table.
    """

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

    def __str__(self) -> str:
        return f"{self.name} {self.mu:.1f} ± {self.sigma:.1f}"

    @property
    def level(self) -> str | Promise:
        """Return the level's name, or "" while the rating is too uncertain."""
        if self.sigma > SURE:
            return ""
        return next(name for below, name in LEVELS if self.mu < below)

    @property
    def margin(self) -> float:
        """Return half the width of the rating's 95 % interval."""
        return 1.96 * self.sigma


class CountedGame(models.Model):
    """A game that counts for ratings; `rated_at` is `None` until it is rated."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="rated")
    rated_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["id"], condition=Q(rated_at=None), name="rated_game_waits")]

    def __str__(self) -> str:
        return f"{self.game_id}"


class RatedPlace(models.Model):
    """A player's place in a rated game, with the rating before and after it."""

    rated = models.ForeignKey(CountedGame, on_delete=models.CASCADE, related_name="places")
    no = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    name = models.CharField(max_length=40)
    rank = models.PositiveSmallIntegerField()
    before = models.FloatField()
    after = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rated", "no"], name="rated_place_once")]

    def __str__(self) -> str:
        return f"{self.name} {self.rank}"

    @property
    def change(self) -> float:
        return self.after - self.before
