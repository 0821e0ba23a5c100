"""Decisions of real games to solve: puzzles for everyone, and each person's attempts."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tables.models.play import Game


class Puzzle(models.Model):
    """A decision after `step` actions of a game with open replays; its page shows no names.

    It is found in a review and checked with many more games, whose `decision` it then has
    (docs/review.md). `day` is the day whose puzzle it is; `mu` and `sigma` rate it against those
    who try it.
    """

    class State(models.TextChoices):
        FOUND = "found"
        READY = "ready"
        REFUSED = "refused"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="puzzles")
    step = models.PositiveSmallIntegerField()
    decision = models.JSONField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.FOUND)
    day = models.DateField(null=True, unique=True)
    mu = models.FloatField(default=25.0)
    sigma = models.FloatField(default=25 / 3)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "step"], name="puzzle_once"),
            models.CheckConstraint(
                condition=Q(day=None) | Q(state="ready"), name="puzzle_of_a_day_is_checked"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.step}"


class Attempt(models.Model):
    """A person's attempts at a decision: the first choice counts, later ones are repetitions.

    It comes again on `due`, later each time that it was right (`stage`); None when it is learnt.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts"
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    step = models.PositiveSmallIntegerField()
    chosen = models.CharField(max_length=40, help_text="The first choice, as its cards or a word.")
    right = models.BooleanField()
    on = models.DateField()
    stage = models.PositiveSmallIntegerField(default=0)
    due = models.DateField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "step"], name="attempt_once")
        ]
        indexes = [models.Index(fields=["game", "step"], name="attempt_at_a_decision")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game_id} {self.step}"


class Solver(models.Model):
    """How well a person solves puzzles; a newcomer has 25."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="solver"
    )
    mu = models.FloatField(default=25.0)
    sigma = models.FloatField(default=25 / 3)

    def __str__(self) -> str:
        return f"{self.user_id} {self.mu:.1f}"
