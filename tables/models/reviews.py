"""What the judge found in finished games: a cache, made again from the game where it is lost."""

from django.db import models
from django.db.models import Q

from tables.models.play import Game


class Review(models.Model):
    """A game's review by a version of the judge; `why` says why a game is not judged.

    `body` is described in docs/review.md.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        MADE = "made"
        NOT_JUDGED = "not judged"

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="review"
    )
    judge = models.CharField(max_length=20)
    version = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    why = models.CharField(max_length=12, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)
    body = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", why="", made_at=None, body__isnull=True)
                | Q(state="made", why="", made_at__isnull=False, body__isnull=False)
                | Q(state="not judged", made_at__isnull=False, body__isnull=True) & ~Q(why=""),
                name="review_is_what_its_state_says",
            )
        ]
        indexes = [models.Index(fields=["state", "made_at"], name="review_state_made")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.state}"
