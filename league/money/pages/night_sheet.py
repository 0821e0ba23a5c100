"""The money sheet of a night, for the treasurer: payments made, open debts, the club's fund."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from league.models import Event, Player, Posting
from league.money.facts import money, open_debts
from league.money.facts.money import CLUB, OwedPayment


@dataclass(frozen=True)
class SheetRow:
    """A player's balance of a night, above 0 won, and the payments on it.

    `beside` sums fees, costs, prizes, plus and minus. `paid` is above 0 for money handed over.
    """

    key: int
    name: str
    games: int
    beside: int
    paid: int
    open: int


@dataclass(frozen=True)
class Fund:
    """The club's own money of a night; `open` above 0 is owed to the club, below 0 by it."""

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
        """The sum of the payments made."""
        return sum(payment.amount for payment in self.payments)  # type: ignore[attr-defined]

    @property
    def open(self) -> int:
        """The sum of the open debts."""
        return sum(debt.amount for debt in self.debts)


def of_night(event: Event) -> NightSheet:
    """Return the night's sheet, the largest balance first; merged players share one row."""
    parts = _parts(event)
    even = money.is_even(money.sums_of_season(event.season))
    names = dict(Player.objects.filter(pk__in=parts.keys() - {CLUB}).values_list("pk", "name"))
    rows = [
        SheetRow(
            key=key,
            name=name,
            games=parts[key].get("game", 0),
            beside=sum(parts[key].get(kind, 0) for kind in ("fee", "cost", "prize", "side")),
            paid=parts[key].get("settlement", 0),
            open=0 if even else sum(parts[key].values()),
        )
        for key, name in names.items()
    ]
    club = parts.get(CLUB)
    paid = event.postings.filter(kind=Posting.Kind.SETTLEMENT, reverses=None, posting=None)
    return NightSheet(
        rows=sorted(rows, key=lambda row: (-row.games - row.beside, row.name, row.key)),
        fund=_fund(club, even=even) if club else None,
        payments=list(
            paid.annotate(amount=Sum("transfers__amount"))
            .select_related("by")
            .prefetch_related(*money.PEOPLE_OF_POSTINGS)
            .order_by("-id")
        ),
        debts=open_debts.of_night(event),
        settled_over_season=even and any(sum(part.values()) for part in parts.values()),
    )


def _parts(event: Event) -> dict[int, dict[str, int]]:
    """Return balances by player key and kind of entry."""
    found: dict[int, dict[str, int]] = {}
    lines: Any = event.transfers.order_by()
    for side, sign in (("payee", 1), ("payer", -1)):
        sums = lines.values_list(money.owner(side), "posting__kind").annotate(sum=Sum("amount"))
        for key, kind, amount in sums:
            part = found.setdefault(key, {})
            part[kind or "game"] = part.get(kind or "game", 0) + sign * amount
    return found


def _fund(part: Mapping[str, int], *, even: bool) -> Fund:
    return Fund(
        fees=part.get("fee", 0),
        costs=part.get("cost", 0),
        prizes=part.get("prize", 0),
        received=-part.get("settlement", 0),
        open=0 if even else sum(part.values()),
    )
