from __future__ import annotations

import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

KEPT = datetime.timedelta(days=30)
"""How long what was replaced or ended stays, for who wrote it."""


class PaymentDetails(models.Model):
    """How a person is paid: a bank's BIN and the account number, or free text in `words`.

    In place of a bank there may be a service of `league.money.domain.services`, in place of the
    account number an IBAN or the person's name there.

    It is of an account (`user`), or of a player. `by` is the organiser who wrote or confirmed what
    is of a player; None where a phone with the player's name left it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="%(class)ss"
    )
    player = models.ForeignKey(
        "league.Player", null=True, on_delete=models.CASCADE, related_name="%(class)ss"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    bank = models.CharField(max_length=10, blank=True)
    number = models.CharField(max_length=34, blank=True)
    holder = models.CharField(max_length=60, blank=True)
    words = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.user or self.player}: {self.bank or '*'}"


class PaymentWay(PaymentDetails):
    """A way to pay a person, shown to who owes them.

    `claim` is the phone's that left it, until an organiser confirms it; it ends with the claim.
    Without `by` and `claim` a phone left it before 1.2: nobody is shown it until it is confirmed.
    `place` orders the ways of a person, counted from one.
    """

    claim = models.ForeignKey(
        "league.Claim", null=True, on_delete=models.CASCADE, related_name="paymentways"
    )
    place = models.PositiveSmallIntegerField(default=1, db_default=1)
    at = models.DateTimeField(null=True, help_text="Since when it is so; unset before 1.2.")

    class Meta:
        db_table = "league_bankdetails"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="bank_details_say_how",
                condition=Q(bank="", number="", holder="") & ~Q(words="")
                | Q(bank__regex=r"^[0-9]{6}$", number__regex=r"^[0-9A-Za-z]{4,19}$")
                | Q(bank__regex=r"^[a-z]{4,10}$", number__regex=r"^[0-9A-Za-z_-]{1,34}$"),
            ),
            models.CheckConstraint(
                name="bank_details_of_one",
                condition=Q(user=None, player__isnull=False) | Q(user__isnull=False, player=None),
            ),
            models.CheckConstraint(
                name="payment_way_of_a_claim_is_unconfirmed",
                condition=Q(claim=None) | Q(player__isnull=False, by=None),
            ),
            models.UniqueConstraint(
                fields=["user", "place"],
                condition=Q(user__isnull=False),
                name="payment_way_once_of_an_account",
            ),
            models.UniqueConstraint(
                fields=["player", "claim", "place"],
                condition=Q(player__isnull=False),
                nulls_distinct=False,
                name="payment_way_once_of_a_player",
            ),
        ]


class WayAtTable(models.Model):
    """An account that lets who owes it after an evening of friends see how it is paid."""

    table = models.ForeignKey("tables.Table", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="way_at_table_once")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.user_id}"


class FormerWay(PaymentDetails):
    """A way to pay that was replaced or ended, kept for 30 days for who wrote it."""

    phone = models.CharField(max_length=64, blank=True, help_text="Hash of the phone that left it.")
    ended_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-id"]
