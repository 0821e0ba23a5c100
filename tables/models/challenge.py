"""People's own bots that play over the API, and the challenges to them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tables.models.dated import CreatedRow, DatedRow
from tables.models.named import NamedRow
from tables.models.play import Table


class BotAccount(CreatedRow, NamedRow):
    """An account that a program plays for, marked as such to everyone at a table."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_account"
    )
    name = models.CharField(max_length=30, unique=True)
    takes_challenges = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="bot_account_has_a_name"),
        ]


class Challenge(DatedRow):
    """A player's invitation of a bot to a seat; it ends with the answer or the table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="challenges")
    bot = models.ForeignKey(BotAccount, on_delete=models.CASCADE, related_name="challenges")
    by = models.CharField(max_length=40, help_text="The name at the table of who asked.")
    answered_at = models.DateTimeField(null=True)
    accepted = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "bot"],
                condition=Q(answered_at=None),
                name="challenge_open_once",
            ),
            models.CheckConstraint(
                condition=Q(accepted=False) | Q(answered_at__isnull=False),
                name="challenge_accepted_is_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} {self.table_id}"
