"""The money sheet of a night, for the treasurer: each player's sums, and the club's fund."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Sum

from league.models import Event, Player
from league.money.facts import money
from league.money.facts.money import CLUB, Balance


@dataclass(frozen=True)
class SheetRow:
    """A player's balance of a night, above 0 won, and the payments on it.

    `beside` sums fees, costs, prizes, plus and minus. `paid` is above 0 for money handed over.
    """

    player: Player
    games: int
    beside: int
    paid: int
    open: int

    @property
    def name(self) -> str:
        return self.player.name


@dataclass(frozen=True)
class Fund:
    """The club's own money of a night; `open` above 0 is owed to the club, below 0 by it."""

    fees: int
    costs: int
    prizes: int
    received: int
    open: int

    @property
    def beside(self) -> int:
        """What the fund has of fees, costs and prizes, with the sign of a player's row."""
        return self.fees + self.costs + self.prizes

    @property
    def paid(self) -> int:
        return -self.received


@dataclass(frozen=True)
class NightSheet:
    """A row for each player, and the fund if the night has one."""

    rows: list[SheetRow]
    fund: Fund | None
    settled_over_season: bool

    @cached_property
    def has_beside(self) -> bool:
        """Whether there is a fee, cost or prize."""
        return any(row.beside for row in self.rows)

    @cached_property
    def has_paid(self) -> bool:
        """Whether anything has been paid."""
        return any(row.paid for row in self.rows)

    @property
    def open(self) -> int:
        """What is open of all rows and the fund together: 0 unless rows are left out."""
        return sum(row.open for row in self.rows) + (self.fund.open if self.fund else 0)


def of_night(event: Event, *, even: bool, only: Iterable[Balance] | None = None) -> NightSheet:
    """Return the night's sheet, the largest balance first; merged players share one row.

    With `only` just those who have one of these balances have a row. `even` says that its whole
    season is settled, so that nothing is open.
    """
    parts = _parts(event)
    keys = parts.keys() - {CLUB}
    if only is not None:
        keys &= {balance.account.player_id for balance in only}
    rows = [
        SheetRow(
            player=player,
            games=parts[key].get("game", 0),
            beside=sum(parts[key].get(kind, 0) for kind in ("fee", "cost", "prize", "side")),
            paid=parts[key].get("settlement", 0),
            open=0 if even else sum(parts[key].values()),
        )
        for key, player in Player.objects.in_bulk(keys).items()
    ]
    club = parts.get(CLUB)
    return NightSheet(
        rows=sorted(rows, key=_by_balance),
        fund=_fund(club, even=even) if club else None,
        settled_over_season=even and any(sum(part.values()) for part in parts.values()),
    )


def _by_balance(row: SheetRow) -> tuple[int, str, int]:
    return -row.games - row.beside, row.name, row.player.pk


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
