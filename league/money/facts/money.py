"""Balances of a game, a table, a night or a season, and the payments that settle them."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    Case,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    When,
)
from django.db.models.functions import Coalesce

from league.base.domain.names import is_meant
from league.base.facts import next_nights
from league.base.sliced import Sliced
from league.models import Account, Club, Event, MoneyTally, Player, Posting, Season, Transfer
from league.money.domain import settle_up
from league.money.facts import money_words
from league.seasons.domain import standings as domain

MoneyMoves = QuerySet[Transfer] | QuerySet[MoneyTally]
"""Single transfers, or the database's sums of a night or a season."""


class AmongThese(Func):
    """`key = ANY(array)`: an OR of two of these uses two indexes.

    Written as joins, the same condition makes PostgreSQL read every transfer on the server.
    """

    template = "(%(expressions)s))"
    arg_joiner = " = ANY("
    output_field = BooleanField()


CLUB = 0
"""The key of the club's own account among player keys."""


@dataclass(frozen=True)
class Balance:
    """An account's balance, above 0 won: in games, by postings, and in all."""

    account: Account
    games: int
    other: int

    @property
    def amount(self) -> int:
        return self.games + self.other


@dataclass(frozen=True)
class OwedPayment:
    payer: Account
    payee: Account
    amount: int
    client_id: uuid.UUID = field(default_factory=uuid.uuid4, compare=False)
    """The `client_id` of the form that posts it as paid."""

    @property
    def is_between_people(self) -> bool:
        """Whether both are people, so that one can pay the other in cash."""
        return bool(self.payer.player_id and self.payee.player_id)

    @property
    def query(self) -> str:
        """The query that prefills the form for posting it as paid."""
        return urlencode({"payer": self.payer, "payee": self.payee, "amount": self.amount})


class Balances(Sliced[Balance]):
    """Balances, best first."""

    def __init__(self, moves: MoneyMoves, net: Mapping[int, tuple[int, int]]) -> None:
        people = Player.objects.filter(pk__in=net.keys() - {CLUB}).values_list("pk", "sort_key")
        names = dict(people.iterator(CHUNK))
        self._moves = moves
        self._net = sorted(
            ((key, *amounts) for key, amounts in net.items()),
            key=lambda line: (-line[1] - line[2], names.get(line[0], ""), line[0]),
        )

    def __len__(self) -> int:
        return len(self._net)

    def read(self, wanted: slice) -> list[Balance]:
        lines = self._net[wanted]
        accounts = accounts_of(self._moves, {key for key, *_amounts in lines})
        return [Balance(accounts[key], games, other) for key, games, other in lines]


class Payments(Sliced[OwedPayment]):
    """Payments that settle, the largest first."""

    def __init__(self, moves: MoneyMoves, payments: Sequence[settle_up.Settlement]) -> None:
        self._moves, self._payments = moves, payments

    @property
    def total(self) -> int:
        return sum(payment.amount for payment in self._payments)

    def __len__(self) -> int:
        return len(self._payments)

    def read(self, wanted: slice) -> list[OwedPayment]:
        lines = self._payments[wanted]
        people = {int(key) for line in lines for key in (line.payer, line.payee)}
        accounts = accounts_of(self._moves, people)
        return [OwedPayment(accounts[int(a)], accounts[int(b)], n) for a, b, n in lines]


@dataclass(frozen=True)
class MoneyPage:
    """Balances and the payments that settle them; a `total` other than 0 means broken data."""

    balances: Balances
    payments: Payments
    total: int

    def of(self, name: str) -> tuple[list[Balance], list[OwedPayment]]:
        """Return the balances and payments of people whose names match."""
        return (
            [each for each in self.balances if is_meant(str(each.account), name)],
            [each for each in self.payments if is_meant(f"{each.payer} {each.payee}", name)],
        )


MOST_TRANSFERS = 100
CHUNK = 20_000


def money_page(
    moves: MoneyMoves, paid: QuerySet[Transfer] | None = None, due: MoneyMoves | None = None
) -> MoneyPage:
    """Return the balances over these transfers or sums, and the fewest payments that settle them.

    `due` are those of the moves to settle, all by default; `paid` the payments among them
    (`payments_in`): part of one moves nobody else's debt. Merged players share one balance.
    """
    net = net_of(moves)
    to_settle = net if due is None else net_of(due)
    owed: dict[domain.Key, int] = {key: games + other for key, (games, other) in to_settle.items()}
    left = settle_up.settle_further(owed, {} if paid is None else _handed(paid))
    total = sum(games + other for games, other in net.values())
    return MoneyPage(Balances(moves, net), Payments(moves, left), total)


def payments_in(season: Season, event: Event | None = None) -> QuerySet[Transfer]:
    """Return the payments of a night, or of a season outside its nights and in those not even."""
    found = Transfer.objects.filter(posting__season=season, reason=Posting.Kind.SETTLEMENT)
    if event is not None:
        return found.filter(event=event)
    uneven = uneven_in(due_in(season))
    return found.filter(Q(event=None) | Q(event__in=uneven.values("event")))


def _handed(paid: QuerySet[Transfer]) -> dict[tuple[domain.Key, domain.Key], int]:
    """Return what people handed each other by (from, to), without what was reversed."""
    found: dict[tuple[domain.Key, domain.Key], int] = {}
    lines: Any = paid.order_by()
    sums = lines.values_list(owner("payee"), owner("payer")).annotate(sum=Sum("amount"))
    for giver, taker, amount in sums:
        back = min(amount, found.get((taker, giver), 0))
        if giver != taker:
            found[giver, taker] = amount - back
            found[taker, giver] = found.get((taker, giver), 0) - back
    return {pair: amount for pair, amount in found.items() if amount}


def each_with_each(event: Event) -> Payments:
    """Return the debts of a night pair by pair; empty once everyone is even."""
    net: dict[tuple[int, int], int] = {}
    lines: Any = event.transfers.order_by()
    sums = lines.values_list(owner("payer"), owner("payee")).annotate(sum=Sum("amount"))
    for payer, payee, amount in sums:
        pair, sign = ((payer, payee), 1) if payer < payee else ((payee, payer), -1)
        net[pair] = net.get(pair, 0) + sign * amount
    if is_even(event.money_tallies.all()):
        net = {}
    owed = [
        settle_up.Settlement(*(pair if amount > 0 else pair[::-1]), abs(amount))
        for pair, amount in net.items()
        if amount and pair[0] != pair[1]
    ]
    owed.sort(key=lambda payment: (-payment.amount, payment.payer, payment.payee))
    return Payments(event.money_tallies.all(), owed)


class Lines(Sliced[Transfer]):
    """Transfers with their reasons in words, the latest first."""

    def __init__(self, transfers: QuerySet[Transfer]) -> None:
        self._transfers = transfers.order_by("-id")

    def __len__(self) -> int:
        return self._transfers.count()

    def read(self, wanted: slice) -> list[Transfer]:
        return listed(self._transfers[wanted])


def latest(transfers: QuerySet[Transfer]) -> list[Transfer]:
    """Return the latest 100 of the transfers, the latest first."""
    return listed(transfers.order_by("-id")[:MOST_TRANSFERS])


def listed(transfers: QuerySet[Transfer]) -> list[Transfer]:
    """Return the transfers with their related rows; `words` holds each one's reason."""
    found: list[Transfer] = list(
        transfers.annotate(plays_as=_plays_as("posting__")).select_related(
            "payer__player__merged_into",
            "payer__club",
            "payee__player__merged_into",
            "payee__club",
            "result__sitting__round",
            "posting__by",
            "event",
        )
    )
    money_words.explain(found)
    return found


def accounts_of(moves: MoneyMoves, keys: set[int]) -> dict[int, Account]:
    """Return accounts by player key; `CLUB` is the club's."""
    found = Account.objects.filter(player__in=keys - {CLUB}).select_related("player", "club")
    accounts = {int(a.player_id): a for a in found if a.player_id}
    if CLUB in keys:
        club = moves.order_by().values(f"{_sides(moves)[0][0]}__club")[:1]
        accounts[CLUB] = Account.objects.select_related("club").get(player=None, club=club)
    return accounts


def postings_of(season: Season) -> QuerySet[Posting]:
    """Return the season's postings, the latest first; `undone` is when one was reversed."""
    return (
        season.postings.filter(reverses=None)
        .order_by("-id")
        .annotate(undone=F("posting__at"), amount=Sum("transfers__amount"), plays_as=_plays_as())
        .select_related("event", "by")
        .prefetch_related("doubts__player", *PEOPLE_OF_POSTINGS)
    )


def last_payments(own: Collection[int], most: int) -> list[Transfer]:
    """Return the latest payments by and to these players that were not reversed, latest first."""
    found = Transfer.objects.filter(
        Q(payer__player__in=own) | Q(payee__player__in=own),
        posting__kind=Posting.Kind.SETTLEMENT,
        posting__reverses=None,
        posting__posting=None,
    ).select_related(
        "payer__player__merged_into",
        "payer__club",
        "payee__player__merged_into",
        "payee__club",
        "posting__season",
    )
    return list(found.order_by("-pk")[:most])


def _plays_as(path: str = "") -> Subquery:
    """Return the SQL name under which the account that made an entry plays in the club."""
    by, club = OuterRef(f"{path}by"), OuterRef(f"{path}season__club")
    return Subquery(Player.objects.filter(user=by, club=club, merged_into=None).values("name")[:1])


PEOPLE_OF_POSTINGS = (
    "transfers__payer__player__merged_into",
    "transfers__payee__player__merged_into",
)
"""What `named_in` and the words of postings need."""


def named_in(posting: Posting) -> dict[int, Player]:
    """Return the players whom an entry names, after merges, by their keys."""
    named = (side.player for moved in posting.transfers.all() for side in moved.hands)
    people = (player.merged_into or player for player in named if player is not None)
    return {player.pk: player for player in people}


def names_one_of(posting: Posting, own: Collection[int]) -> bool:
    """Return whether an entry by another person names one of the visitor's players."""
    people = named_in(posting).values()
    return any(one.pk in own and posting.by_id not in (one.user_id, None) for one in people)


def of_season(season: Season) -> QuerySet[Transfer]:
    """Return every transfer of the season, those of its nights and of its postings."""
    nights, postings = season.events.order_by(), season.postings.order_by()
    return Transfer.objects.filter(
        Q(AmongThese(F("event_id"), ArraySubquery(nights.values("pk"))))
        | Q(AmongThese(F("posting_id"), ArraySubquery(postings.values("pk"))))
    )


def sums_of_season(season: Season) -> QuerySet[MoneyTally]:
    """Return the season's sums by account and night."""
    return MoneyTally.objects.filter(season=season)


def due_in(season: Season, event: Event | None = None) -> QuerySet[MoneyTally]:
    """Return the season's sums to settle: all but those of `in_play`, except of this `event`."""
    own = Q(pk=event.pk) if event else Q()
    return sums_of_season(season).exclude(event__in=in_play(season.club).exclude(own))


def in_play(club: Club) -> QuerySet[Event]:
    """Return the club's nights that are `is_in_play`."""
    running = {"status": Event.Status.OPEN, "binned_at": None}
    return Event.objects.filter(next_nights.of_day(club.today), season__club=club, **running)


def owner(side: str) -> Coalesce:
    """Return the SQL expression for the player key of one side, after merges; 0 is the club."""
    path = f"{side}__player"
    return Coalesce(f"{path}__merged_into_id", f"{path}_id", CLUB)


def _sides(moves: MoneyMoves) -> list[tuple[str, int]]:
    """Return the account columns of a row, and the sign of its amounts for each."""
    return [("account", 1)] if moves.model is MoneyTally else [("payee", 1), ("payer", -1)]


def _amounts(moves: MoneyMoves) -> tuple[Case | F, Case | F]:
    """Return the SQL amounts that a row moved in games, and by postings."""
    if moves.model is MoneyTally:
        return F("games"), F("other")
    game = Q(posting=None) | Q(posting__kind="game")
    return (
        Case(When(game, then="amount"), default=0),
        Case(When(~game, then="amount"), default=0),
    )


def is_even(moves: MoneyMoves) -> bool:
    """Return whether every balance is zero."""
    return not any(games + other for games, other in net_of(moves).values())


def uneven_in(sums: QuerySet[MoneyTally]) -> QuerySet[Any, Any]:
    """Return the nights and people whose sums are not zero; merged players share one."""
    people = sums.order_by().values("event", who=owner("account"))
    return people.annotate(net=Sum(F("games") + F("other"))).exclude(net=0)


def net_of(moves: MoneyMoves) -> dict[int, tuple[int, int]]:
    """Return the balances from games and from postings by player key."""
    net: dict[int, tuple[int, int]] = {}
    of_games, of_others = _amounts(moves)
    lines: Any = moves.order_by()
    for side, sign in _sides(moves):
        sums = lines.values_list(owner(side)).annotate(a=Sum(of_games), b=Sum(of_others))
        for key, games, other in sums.iterator(CHUNK):
            before = net.get(key, (0, 0))
            net[key] = (before[0] + sign * games, before[1] + sign * other)
    return net


# --- Two people -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Between:
    """A transfer between two people, signed for the first of them, and the running total."""

    transfer: Transfer
    amount: int
    total: int


def between(season: Season, one: list[int], other: list[int]) -> list[Between]:
    """Return the season's transfers from `other` to `one` (above 0) or back, oldest first."""
    both = Q(payer__player__in=one, payee__player__in=other) | Q(
        payer__player__in=other, payee__player__in=one
    )
    rows, total = [], 0
    for transfer in listed(of_season(season).filter(both).order_by("id")):
        amount = transfer.amount if transfer.payee.player_id in one else -transfer.amount
        total += amount
        rows.append(Between(transfer, amount, total))
    return rows


# --- The zero-sum check -----------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """The zero-sum check of a game, table, night or season: sums of all winners and all losers."""

    key: int
    label: Mapping[str, object]
    won: int
    lost: int

    @property
    def name(self) -> str:
        return money_words.place_name(self.label)

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


def proofs(moves: MoneyMoves, level: str) -> list[Proof]:
    """Return the zero-sum check of each part at that level.

    A transfer debits and credits the same amount, so the two sums differ only if the data is
    broken. `MoneyTally` rows are checked by night only.
    """
    field, labels = _LEVELS[level]
    if moves.model is MoneyTally:
        return _proofs_of_nights(moves)
    net: dict[int, dict[int, int]] = {}
    names: dict[int, dict[str, object]] = {}
    lines: Any = moves.exclude(**{field: None}).order_by()
    for side, sign in _sides(moves):
        rows = lines.values(**labels, part=F(field), who=F(f"{side}_id"))
        for row in rows.annotate(sum=Sum("amount")):
            names[row["part"]] = {name: row[name] for name in labels}
            accounts = net.setdefault(row["part"], {})
            accounts[row["who"]] = accounts.get(row["who"], 0) + sign * row["sum"]
    return [_proof(key, names[key], net[key].values()) for key in sorted(net)]


def _proofs_of_nights(sums: MoneyMoves) -> list[Proof]:
    """Return the checks of nights from sums, which have one row per account and night."""
    lines: Any = sums.exclude(event=None).annotate(net=F("games") + F("other"))
    found = lines.values_list("event_id", "event__name").annotate(
        won=Coalesce(Sum("net", filter=Q(net__gt=0)), 0),
        lost=Coalesce(-Sum("net", filter=Q(net__lt=0)), 0),
    )
    return [
        Proof(key, {"name": name}, int(won), int(lost))
        for key, name, won, lost in found.order_by("event_id")
    ]


@dataclass(frozen=True)
class NightSum:
    """What changed hands in a night's games, and how much of it is still open."""

    event: Event
    won: int
    left: int


def nights_of(season: Season) -> list[NightSum]:
    """Return the sums of the season's nights that moved money, the latest first.

    Merged players share one balance.
    """
    lines: Any = sums_of_season(season).exclude(event=None).order_by()
    people = lines.values_list("event", owner("account"))
    sums: dict[int, tuple[int, int]] = {}
    for event, _who, games, other in people.annotate(Sum("games"), Sum("other")).iterator(CHUNK):
        won, left = sums.get(event, (0, 0))
        sums[event] = (won + max(games, 0), left + max(games + other, 0))
    events = list(Event.objects.filter(pk__in=sums).order_by("-date", "-pk"))
    for event in events:
        event.season = season
    return [NightSum(event, *sums[event.pk]) for event in events]


def proof_of_all(moves: MoneyMoves) -> Proof:
    """Return the zero-sum check of all the transfers or sums together."""
    net: dict[int, int] = {}
    lines: Any = moves.order_by()
    amount = F("games") + F("other") if moves.model is MoneyTally else F("amount")
    for side, sign in _sides(moves):
        for account, moved in lines.values_list(f"{side}_id").annotate(sum=Sum(amount)):
            net[account] = net.get(account, 0) + sign * moved
    return _proof(0, {}, net.values())


def sum_of(parts: Sequence[Proof]) -> Proof:
    """Return the zero-sum check that stands below those of its parts, their sums added up."""
    return Proof(0, {}, sum(part.won for part in parts), sum(part.lost for part in parts))


def _proof(key: int, label: dict[str, object], net: Iterable[int]) -> Proof:
    amounts = list(net)
    won = sum(amount for amount in amounts if amount > 0)
    return Proof(key, label, won, won - sum(amounts))
