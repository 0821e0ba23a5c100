"""Open debts of a night or a season, and the choice of those that one tap settles."""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from league.models import Account, Club, Event, MoneyTally, Player, Posting, Season
from league.money.domain import settle_up
from league.money.facts import money
from league.money.facts.money import CLUB, OwedPayment


class Which(NamedTuple):
    """The tapped choice: one payment, all of a person, or all. Player keys, 0 for the club."""

    payer: int | None = None
    payee: int | None = None
    person: int | None = None


def of_season(season: Season) -> Sequence[OwedPayment]:
    """Return the fewest payments that settle the season, without nights still played."""
    return money.money_page(money.due_in(season), money.payments_in(season)).payments


def of_night(event: Event, *, each: bool = False) -> Sequence[OwedPayment]:
    """Return the fewest payments that settle a night; none once the whole season is even.

    With `each`, return the night's debts pair by pair instead.
    """
    if money.is_even(money.due_in(event.season, event)):
        return []
    if each:
        return money.each_with_each(event)
    paid = money.payments_in(event.season, event)
    return money.money_page(event.money_tallies.all(), paid).payments


def between(
    season: Season, event: Event | None, payer: Player | None, payee: Player | None
) -> OwedPayment | None:
    """Return the open payment from one to the other, of the night or, without one, the season.

    None is the club.
    """
    found = of_night(event) if event else of_season(season)
    return next(iter(chosen(found, Which(_key(payer), _key(payee)))), None)


def _key(player: Player | None) -> int:
    return CLUB if player is None else player.merged_into_id or player.pk


def owed_by(
    own: Collection[int], payee: int, season: Season, event: Event | None
) -> OwedPayment | None:
    """Return what one of these players owes the payee, by either list of a night or the season."""
    lists = [of_night(event), of_night(event, each=True)] if event else [of_season(season)]
    return next(
        (one for found in lists for key in own for one in chosen(found, Which(key, payee))), None
    )


@dataclass(frozen=True)
class OfPerson:
    """The open payments of one person: their number and their sum."""

    person: Account
    count: int
    amount: int
    client_id: uuid.UUID

    @property
    def key(self) -> int:
        return key_of(self.person)


def by_person(payments: Iterable[OwedPayment]) -> list[OfPerson]:
    """Return the people with several payments, payers first."""
    found: dict[int, list[OwedPayment]] = {}
    people: dict[int, Account] = {}
    for side in ("payer", "payee"):
        for payment in payments:
            account = getattr(payment, side)
            people.setdefault(key_of(account), account)
            found.setdefault(key_of(account), []).append(payment)
    return [
        OfPerson(people[key], len(own), sum(each.amount for each in own), uuid.uuid4())
        for key, own in found.items()
        if len(own) > 1
    ]


def chosen(payments: Sequence[OwedPayment], which: Which) -> list[OwedPayment]:
    return [
        each
        for each in payments
        if which.payer in (None, key_of(each.payer))
        and which.payee in (None, key_of(each.payee))
        and which.person in (None, key_of(each.payer), key_of(each.payee))
    ]


def night_settled_by(season: Season, payments: Iterable[OwedPayment]) -> Event | None:
    """Return the latest night whose open balances cover all these payments, if any.

    Each payment must be covered by a balance of the same sign.
    """
    sums: dict[int, int] = {}
    for payment in payments:
        for account, sign in ((payment.payer, -1), (payment.payee, 1)):
            key = key_of(account)
            sums[key] = sums.get(key, 0) + sign * payment.amount
    open_in: dict[int, dict[int, int]] = {}
    lines = money.due_in(season).exclude(event=None).order_by()
    rows = lines.values_list("event_id", money.owner("account")).annotate(
        net=Sum(F("games") + F("other"))
    )
    for event, key, net in rows:
        if key in sums:
            open_in.setdefault(event, {})[key] = net
    holding = [
        event
        for event, nets in open_in.items()
        if all(
            abs(nets.get(key, 0)) >= abs(due) and nets.get(key, 0) * due >= 0
            for key, due in sums.items()
        )
    ]
    return season.events.filter(pk__in=holding).order_by("-date", "-pk").first()


def of_person(keys: list[int], season: Season) -> int:
    """Return what is due in the season to a player with these keys; below 0, by them."""
    lines = money.due_in(season).filter(account__player__in=keys)
    return int(lines.aggregate(net=Sum(F("games") + F("other")))["net"] or 0)


def seasons_of(mine: Collection[int], club: Club) -> QuerySet[Season]:
    """Return the club's seasons, also closed ones, in which the person with these names has debts.

    Each says `is_sum`: whether these are of several nights.
    """
    own = Q(account__player__in=mine) | Q(account__player__merged_into__in=mine)
    due = MoneyTally.objects.filter(own, season__club=club).exclude(event__in=money.in_play(club))
    sums = due.values("season")
    uneven = sums.annotate(net=Sum(F("games") + F("other"))).exclude(net=0)
    found = Season.objects.filter(pk__in=uneven.values("season"))
    nights = sums.filter(season=OuterRef("pk")).values("event")
    open_nights = nights.annotate(net=Sum(F("games") + F("other"))).exclude(net=0)
    found = found.annotate(is_sum=Exists(open_nights[1:2]))
    return found.select_related("club", "ruleset")


def has_more(event: Event) -> bool:
    """Return whether the night's season has money to settle besides the night's."""
    rest = money.due_in(event.season).exclude(event=event)
    return money.uneven_in(rest).exists()


def owed_at_most(
    season: Season, event: Event | None, payer: Player | None, payee: Player | None
) -> int:
    """Return how much one can pay the other until one of them is even; None is the club."""
    return _open_sum(_net(season, event), _key(payer), _key(payee))


def _net(season: Season, event: Event | None) -> dict[Any, int]:
    moves = event.money_tallies.all() if event else money.due_in(season)
    return {key: games + other for key, (games, other) in money.net_of(moves).items()}


def _open_sum(net: dict[Any, int], giver: int, taker: int) -> int:
    return min(max(-net.get(giver, 0), 0), max(net.get(taker, 0), 0))


class Overpaid(NamedTuple):
    """A payment larger than the debt: the excess, and the debts (payer, payee) that it creates."""

    more: int
    debts: list[tuple[str, str, int]]


def overpaid(
    season: Season,
    event: Event | None,
    *,
    payer: Player | None,
    payee: Player | None,
    amount: int,
) -> Overpaid | None:
    """Return the excess of a payment over the open debt, of the night or the season, if any.

    None is the club.
    """
    net = _net(season, event)
    giver, taker = _key(payer), _key(payee)
    open_sum = _open_sum(net, giver, taker)
    if amount <= open_sum or giver == taker:
        return None
    net[giver] = net.get(giver, 0) + amount
    net[taker] = net.get(taker, 0) - amount
    new = [one for one in settle_up.settle(net) if one.payee == giver or one.payer == taker]
    keys = {key for one in new for key in (one.payer, one.payee)}
    names: dict[Any, str] = dict(Player.objects.filter(pk__in=keys).values_list("pk", "name"))
    names[money.CLUB] = season.club.name
    return Overpaid(amount - open_sum, [(names[a], names[b], sum_) for a, b, sum_ in new])


def paid_over_the_season(season: Season) -> bool:
    """Return whether the season has a payment, not reversed, that belongs to no single night."""
    return season.postings.filter(
        kind=Posting.Kind.SETTLEMENT, event=None, reverses=None, posting=None
    ).exists()


def key_of(account: Account) -> int:
    """Return the player key of an account from `money.accounts_of`; 0 for the club."""
    return account.player_id or CLUB
