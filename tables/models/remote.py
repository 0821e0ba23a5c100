"""Games of remote bots, each of which stands still until its answer arrives."""

from django.db import models
from django.db.models import Q

from tables.models.runs import Unit


class RemoteGame(models.Model):
    """A unit's game in progress, stored as its decisions so far.

    `question` is for the asked bot and holds only what its seat may know; without a question the
    game is over or not begun. A position is this game at this `turn`, the number of events its seat
    has seen; the log's length would reveal others' secret answers. `asked` maps each question so
    far, by bot and turn, to its place in the log. `client` holds the position until `leased_until`,
    and must answer by `until`; both are null before a client takes it.
    """

    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="remote_games")
    number = models.PositiveIntegerField()
    log = models.JSONField(default=list)
    turn = models.PositiveIntegerField(default=0)
    asked = models.JSONField(default=dict)
    over = models.BooleanField(default=False)
    bot = models.CharField(max_length=30, blank=True)
    question = models.JSONField(null=True)
    asked_at = models.DateTimeField(null=True)
    client = models.CharField(max_length=40, blank=True)
    leased_until = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True)
    answer = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["unit", "number"], name="remote_game_once"),
            models.CheckConstraint(
                condition=Q(bot="", question__isnull=True, answer__isnull=True)
                | (~Q(bot="") & Q(question__isnull=False, asked_at__isnull=False, over=False)),
                name="remote_game_asks_one",
            ),
        ]
        indexes = [
            models.Index(
                fields=["bot", "asked_at"],
                condition=Q(question__isnull=False, answer__isnull=True),
                name="remote_game_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}-{self.turn}"
