"""Balances of a game, a table, a night or a season, what settles them, and why money moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from league.domain import settle_up
from league.domain import standings as domain
from league.models import Account, Posting, Season, Transfer
from league.selectors import money_words

CLUB = 0
"""Stands for the club's own account where players stand by their keys."""


@dataclass(frozen=True)
class Balance:
    """What somebody won (above 0) or lost: in games, by postings, and together."""

    account: Account
    games: int
    other: int

    @property
    def amount(self) -> int:
        return self.games + self.other


@dataclass(frozen=True)
class Payment:
    payer: Account
    payee: Account
    amount: int


@dataclass(frozen=True)
class MoneyPage:
    """Balances, best first; who pays whom; `total` is 0 or something is badly wrong."""

    balances: list[Balance]
    payments: list[Payment]
    total: int
    transfers: list[Transfer]


MOST_TRANSFERS = 500


def money_page(transfers: QuerySet[Transfer]) -> MoneyPage:
    """Who won and lost what over these transfers, and the fewest payments that settle it.

    Names merged into one player are one balance. Of the transfers the latest 500 are listed.
    """
    games, other = _net(transfers.filter(posting=None)), _net(transfers.filter(result=None))
    keys = {*games, *other}
    accounts = accounts_of(transfers, keys)
    balances = [Balance(accounts[key], games.get(key, 0), other.get(key, 0)) for key in keys]
    balances.sort(key=lambda b: (-b.amount, b.account.player.sort_key if b.account.player else ""))
    net: dict[domain.Key, int] = {key: games.get(key, 0) + other.get(key, 0) for key in keys}
    return MoneyPage(
        balances,
        [Payment(accounts[int(a)], accounts[int(b)], n) for a, b, n in settle_up.settle(net)],
        sum(net.values()),
        listed(transfers.order_by("-id")[:MOST_TRANSFERS]),
    )


def listed(transfers: QuerySet[Transfer]) -> list[Transfer]:
    """The transfers with all that their lines show; `words` says why each was made."""
    found = list(
        transfers.select_related(
            "payer__player__merged_into",
            "payer__club",
            "payee__player__merged_into",
            "payee__club",
            "result__sitting__round",
            "posting",
            "event",
        )
    )
    money_words.explain(found)
    return found


def accounts_of(transfers: QuerySet[Transfer], keys: set[int]) -> dict[int, Account]:
    """The account of each player's key, and of the club."""
    found = Account.objects.filter(player__in=keys - {CLUB}).select_related("player", "club")
    accounts = {int(a.player_id): a for a in found if a.player_id}
    if CLUB in keys:
        move = transfers.filter(Q(payer__player=None) | Q(payee__player=None)).order_by("id")
        first = move.select_related("payer__club", "payee__club")[:1].get()
        accounts[CLUB] = first.payee if first.payee.player_id is None else first.payer
    return accounts


def postings_of(season: Season) -> list[Posting]:
    """Everything posted beside the games, the latest first; `undone` says that it was reversed."""
    return list(
        season.postings.filter(reverses=None)
        .annotate(undone=F("posting__at"), amount=Sum("transfers__amount"))
        .select_related("event", "by")
        .prefetch_related("transfers__payer__player", "transfers__payee__player")
    )


def of_season(season: Season) -> QuerySet[Transfer]:
    """Every transfer of the season, those of its nights and those of the season as a whole."""
    return Transfer.objects.filter(Q(event__season=season) | Q(posting__season=season))


def owner(side: str) -> Coalesce:
    """The key of the player whom an account counts for, the club as 0."""
    path = f"{side}__player"
    return Coalesce(f"{path}__merged_into_id", f"{path}_id", CLUB)


def _net(transfers: QuerySet[Transfer]) -> dict[int, int]:
    net: dict[int, int] = {}
    for side, sign in (("payee", 1), ("payer", -1)):
        sums = transfers.order_by().values_list(owner(side)).annotate(Sum("amount"))
        for key, amount in sums:
            net[key] = net.get(key, 0) + sign * amount
    return net


# --- Two people -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Between:
    """A transfer between two people as the first one sees it, and the sum so far."""

    transfer: Transfer
    amount: int
    total: int


def between(season: Season, one: list[int], other: list[int]) -> list[Between]:
    """What moved in the season from `other` to `one` (above 0) or back, oldest first."""
    both = Q(payer__player__in=one, payee__player__in=other) | Q(
        payer__player__in=other, payee__player__in=one
    )
    rows, total = [], 0
    for transfer in listed(of_season(season).filter(both).order_by("id")):
        amount = transfer.amount if transfer.payee.player_id in one else -transfer.amount
        total += amount
        rows.append(Between(transfer, amount, total))
    return rows


# --- The proof --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """What all winners won and all losers lost in one game, table, night or season."""

    key: int
    label: Mapping[str, object]
    won: int
    lost: int

    @property
    def difference(self) -> int:
        return self.won - self.lost


_LEVELS = {
    "event": ("event_id", {"name": F("event__name")}),
    "sitting": (
        "result__sitting_id",
        {"round": F("result__sitting__round__number"), "table": F("result__sitting__table_no")},
    ),
    "game": ("result__game_no", {"game": F("result__game_no")}),
}


def proofs(transfers: QuerySet[Transfer], level: str) -> list[Proof]:
    """The sums of winners and losers for each part of that level, added up account by account.

    A transfer moves the same amount out and in, so that the two can only differ if the data is
    broken; the page shows that they do not.
    """
    field, labels = _LEVELS[level]
    net: dict[int, dict[int, int]] = {}
    names: dict[int, dict[str, object]] = {}
    for side, sign in (("payee", 1), ("payer", -1)):
        rows = (
            transfers.exclude(**{field: None})
            .order_by()
            .values(**labels, part=F(field), who=F(f"{side}_id"))
            .annotate(sum=Sum("amount"))
        )
        row: Any
        for row in rows:
            names[row["part"]] = {name: row[name] for name in labels}
            accounts = net.setdefault(row["part"], {})
            accounts[row["who"]] = accounts.get(row["who"], 0) + sign * row["sum"]
    return [_proof(key, names[key], net[key]) for key in sorted(net)]


def proof_of_all(transfers: QuerySet[Transfer]) -> Proof:
    """The same for all of the transfers together."""
    net: dict[int, int] = {}
    for side, sign in (("payee_id", 1), ("payer_id", -1)):
        for account, amount in transfers.order_by().values_list(side).annotate(Sum("amount")):
            net[account] = net.get(account, 0) + sign * amount
    return _proof(0, {}, net)


def _proof(key: int, label: dict[str, object], net: dict[int, int]) -> Proof:
    won = sum(amount for amount in net.values() if amount > 0)
    return Proof(key, label, won, -sum(amount for amount in net.values() if amount < 0))
