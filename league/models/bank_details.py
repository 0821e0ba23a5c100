from __future__ import annotations

from django.conf import settings
from django.db import models


class BankDetails(models.Model):
    """An account's payment details, visible to members of its clubs only.

    For a Vietnamese bank its BIN and the account number; otherwise free text in `words`.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bank_details"
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
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.bank or '*'}"
