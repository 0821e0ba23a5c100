"""Games that bots over the network play: each stands still until its answer has come."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tables.models.runs import Unit


class RemoteGame(models.Model):
    """A game of a unit in play, as what was decided in it so far.

    `question` is for the bot that is asked, and has nothing that its seat may not know; a game
    without one is over, or has not begun. A position is this game at this `turn`: so many events
    its seat has seen, since the log's length would tell of others' secret answers. `asked` has the
    place in the log of each question so far, by bot and turn. `client` has the position until
    `leased_until`, and it is to be answered `until` then; both are null before anyone has it.
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
