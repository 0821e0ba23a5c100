"""The treasurer's sheet of a night: who has paid, what is open, and what the club took and gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from league.models import Event, Player, Posting
from league.money.facts import money, open_debts
from league.money.facts.money import CLUB, OwedPayment


@dataclass(frozen=True)
class SheetRow:
    """What a night brought a player, above 0 won, and what of it was paid.

    `beside` are fees, costs, prizes, plus and minus; `paid` is above 0 where money was handed
    over.
    """

    key: int
    name: str
    games: int
    beside: int
    paid: int
    open: int


@dataclass(frozen=True)
class Fund:
    """What the club took and gave in a night; `open` is still to come, below 0 to be paid."""

    fees: int
    costs: int
    prizes: int
    received: int
    open: int


@dataclass(frozen=True)
class NightSheet:
    rows: list[SheetRow]
    fund: Fund | None
    payments: Sequence[Posting]
    debts: Sequence[OwedPayment]
    settled_over_season: bool

    @property
    def paid(self) -> int:
        """What was handed over so far."""
        return sum(payment.amount for payment in self.payments)  # type: ignore[attr-defined]

    @property
    def open(self) -> int:
        """What is still to be handed over."""
        return sum(debt.amount for debt in self.debts)


def of_night(event: Event) -> NightSheet:
    """Return the sheet, who won most first; names merged into one player are one row."""
    parts = _parts(event)
    even = money.is_even(money.sums_of_season(event.season))
    names = dict(Player.objects.filter(pk__in=parts.keys() - {CLUB}).values_list("pk", "name"))
    rows = [_row(key, names[key], parts[key], even=even) for key in names]
    club = parts.get(CLUB)
    return NightSheet(
        rows=sorted(rows, key=lambda row: (-row.games - row.beside, row.name, row.key)),
        fund=_fund(club, even=even) if club else None,
        payments=payments_of(event),
        debts=open_debts.of_night(event),
        settled_over_season=even and any(sum(part.values()) for part in parts.values()),
    )


def _parts(event: Event) -> dict[int, dict[str, int]]:
    """Return for everyone what each kind of entry brought."""
    found: dict[int, dict[str, int]] = {}
    lines: Any = event.transfers.order_by()
    for side, sign in (("payee", 1), ("payer", -1)):
        sums = lines.values_list(money.owner(side), "posting__kind").annotate(sum=Sum("amount"))
        for key, kind, amount in sums:
            part = found.setdefault(key, {})
            part[kind or "game"] = part.get(kind or "game", 0) + sign * amount
    return found


def _row(key: int, name: str, part: Mapping[str, int], *, even: bool) -> SheetRow:
    beside = sum(part.get(kind, 0) for kind in ("fee", "cost", "prize", "side"))
    rest = 0 if even else sum(part.values())
    return SheetRow(key, name, part.get("game", 0), beside, part.get("settlement", 0), rest)


def _fund(part: Mapping[str, int], *, even: bool) -> Fund:
    return Fund(
        fees=part.get("fee", 0),
        costs=part.get("cost", 0),
        prizes=part.get("prize", 0),
        received=-part.get("settlement", 0),
        open=0 if even else sum(part.values()),
    )


def payments_of(event: Event) -> list[Posting]:
    """Return what was paid of a night and not taken back, the latest first."""
    paid = event.postings.filter(kind=Posting.Kind.SETTLEMENT, reverses=None, posting=None)
    return list(
        paid.annotate(amount=Sum("transfers__amount"))
        .select_related("by")
        .prefetch_related("transfers__payer__player", "transfers__payee__player")
        .order_by("-id")
    )
