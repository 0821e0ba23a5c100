"""Requests and responses of the money API."""

from typing import Any

from rest_framework import serializers as s

from league.base.api.serializers import CountedOut


class BalanceOut(CountedOut):
    """A balance; `player` is null for the club's own account."""

    player = s.IntegerField(source="account.player_id", allow_null=True)
    name = s.CharField(source="account")
    games = s.IntegerField()
    other = s.IntegerField()
    amount = s.IntegerField()


class MoveOut(s.Serializer[Any]):
    """An amount that one owes another; a null key is the club."""

    payer = s.IntegerField(source="payer.player_id", allow_null=True)
    payee = s.IntegerField(source="payee.player_id", allow_null=True)
    amount = s.IntegerField()


class TransferOut(MoveOut, CountedOut):
    id = s.IntegerField()
    event = s.IntegerField(source="event_id", allow_null=True)
    reason = s.CharField()
    words = s.CharField()
    reverses = s.IntegerField(source="reverses_id", allow_null=True)
    at = s.DateTimeField()


class PaymentOut(MoveOut, CountedOut):
    """A payment that settles debts; a null key is the club."""

    payer_name = s.CharField(source="payer")
    payee_name = s.CharField(source="payee")


class PostingOut(CountedOut):
    """An entry of the ledger; `taken_back_at` is when it was reversed, null if it was not."""

    id = s.IntegerField()
    kind = s.CharField()
    event = s.IntegerField(source="event_id", allow_null=True)
    note = s.CharField(source="told")
    at = s.DateTimeField()
    taken_back_at = s.DateTimeField(source="undone", default=None, allow_null=True)
    transfers = MoveOut(many=True, source="transfers.all")


class ReportedPaymentOut(CountedOut):
    """A payment that its payer says was made; it is in no balance until a yes posts it."""

    id = s.IntegerField(source="row.pk")
    event = s.IntegerField(source="row.event_id", allow_null=True)
    payer = s.IntegerField(source="payer.pk")
    payee = s.IntegerField(source="payee.pk")
    amount = s.IntegerField(source="row.amount")
    at = s.DateTimeField(source="row.at")


class ReportAnswerIn(s.Serializer[Any]):
    received = s.BooleanField()


class PostingIn(s.Serializer[Any]):
    """A new entry; each kind needs different people.

    `settlement`: `payer` gave `payee` the amount. `cost`: `bearers` share it, `paid_by` paid it
    upfront (null: the club), and bears a share only if among them. `fee`: each of `bearers` owes
    the club the amount. `prize`: the club owes `player` the amount. You choose `client_id`: the
    same one is posted only once.
    """

    kind = s.ChoiceField(["settlement", "cost", "fee", "prize"])
    amount = s.IntegerField(min_value=1, max_value=10**12)
    client_id = s.UUIDField()
    event = s.IntegerField(required=False, allow_null=True, default=None)
    note = s.CharField(max_length=200, required=False, default="", allow_blank=True)
    payer = s.IntegerField(required=False)
    payee = s.IntegerField(required=False)
    player = s.IntegerField(required=False)
    bearers = s.ListField(child=s.IntegerField(), max_length=2000, required=False)
    paid_by = s.IntegerField(required=False, allow_null=True, default=None)
