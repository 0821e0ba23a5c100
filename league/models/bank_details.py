from django.conf import settings
from django.db import models


class BankDetails(models.Model):
    """How an account, or a player without one, is paid; shown to members and to who owes them.

    For a Vietnamese bank its BIN and the account number; otherwise free text in `words`. `by` is
    the organiser who gave those of a player; None if the player's own phone did.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="bank_details"
    )
    player = models.OneToOneField(
        "league.Player", null=True, on_delete=models.CASCADE, related_name="bank_details"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    bank = models.CharField(max_length=6, blank=True)
    number = models.CharField(max_length=19, blank=True)
    holder = models.CharField(max_length=60, blank=True)
    words = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="bank_details_say_how",
                condition=models.Q(bank="", number="", holder="") & ~models.Q(words="")
                | models.Q(bank__regex=r"^[0-9]{6}$", number__regex=r"^[0-9A-Za-z]{4,19}$"),
            ),
            models.CheckConstraint(
                name="bank_details_of_one",
                condition=models.Q(user=None, player__isnull=False)
                | models.Q(user__isnull=False, player=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user or self.player}: {self.bank or '*'}"
