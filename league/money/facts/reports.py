"""Payments that their payers report and that nobody has answered yet."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from league.models import Event, Player, Posting, ReportedPayment, Season, Transfer
from league.money.facts.money import OwedPayment


class PaymentReport(NamedTuple):
    """An open report, with its people after merges."""

    row: ReportedPayment
    payer: Player
    payee: Player


def open_reports(season: Season, event: Event | None = None) -> list[PaymentReport]:
    """Return the open reports of a night, or without one of the season, the oldest first."""
    found = season.reported.filter(outcome=ReportedPayment.Outcome.OPEN)
    if event is not None:
        found = found.filter(event=event)
    people = found.select_related("payer__merged_into", "payee__merged_into", "event")
    return [
        PaymentReport(row, row.payer.merged_into or row.payer, row.payee.merged_into or row.payee)
        for row in people
    ]


def between(season: Season, payer: int, payee: int) -> PaymentReport | None:
    """Return the open report of one of these players to the other, by their keys."""
    found = open_reports(season)
    return next((one for one in found if (one.payer.pk, one.payee.pk) == (payer, payee)), None)


def refused(season: Season, payer: Player | None) -> dict[int, ReportedPayment]:
    """Return the payer's last reports that were refused, by the payee's key.

    A payment of theirs since then ends the matter.
    """
    paid_since = Transfer.objects.filter(
        posting__season=OuterRef("season"),
        posting__kind=Posting.Kind.SETTLEMENT,
        payee__player=OuterRef("payer"),
        at__gte=OuterRef("ended_at"),
    )
    rows = season.reported.filter(~Exists(paid_since), payer=payer)
    last = rows.order_by("payee_id", "-pk").distinct("payee_id")
    refused = ReportedPayment.Outcome.REFUSED
    return {one.payee_id: one for one in last if one.outcome == refused}


def unsaid(payments: Iterable[OwedPayment], said: Sequence[PaymentReport]) -> list[OwedPayment]:
    """Return the payments that no open reports, of several nights together, say were made."""
    paid: Counter[tuple[int | None, int | None]] = Counter()
    for one in said:
        paid[one.payer.pk, one.payee.pk] += one.row.amount
    return [e for e in payments if e.amount > paid[e.payer.player_id, e.payee.player_id]]
