"""A night's money at a glance: what the visitor pays, and who pays whom as ribbons."""

import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.utils.translation import gettext as _

from league.base.page_parts import MenuRow
from league.base.pages.address import address, of_season
from league.models import Account, Event, Posting
from league.money.facts import money
from league.money.facts.money import OwedPayment
from league.money.facts.open_debts import key_of
from league.money.facts.reports import PaymentReport, unsaid
from league.money.pages.pay import HowToPay, how_to_pay
from league.money.pages.season_short import entries_of

MOST = 100
"""The most payments that the picture shows."""
WIDTH, SIDE, ALL, GAP = 302.0, 96.0, 360.0, 8.0
"""Of the picture: its width, that of its panel on a phone, so that letters are as large as others;
that of the names on each side, the height of all money, a gap."""
FACE, NAME = 13.0, 28.0
"""How far from the ribbons a face and a name stand."""
LEAST, LINE, LETTERS = 34.0, 16.0, 9
"""The least height of a person, that of a line of a name, and the letters of one."""


@dataclass(frozen=True)
class End:
    """A person beside the ribbons: what is still to get, above 0, or to pay, and where it stands.

    `y` is the middle, `lines` are those of the name with their heights.
    """

    account: Account
    amount: int
    face_x: float
    x: float
    y: float
    lines: tuple[tuple[float, str], ...]
    amount_y: float
    is_own: bool


@dataclass(frozen=True)
class Ribbon:
    """A payment from left to right; `path` is SVG."""

    path: str
    is_own: bool
    is_paid: bool


@dataclass(frozen=True)
class Flow:
    """The picture: who pays, who receives, those with the most first; own ribbons are last."""

    payers: list[End]
    payees: list[End]
    ribbons: list[Ribbon]
    height: float
    width: float = WIDTH


@dataclass(frozen=True)
class NightMoney:
    """What a night's page of money adds to the lists.

    `own` are the visitor's open payments and `gets` those to the visitor, `net` is what they come
    to; `how` says how to make the first own one once the games are over; `paid` are those made for
    this night, by pair. `count` is the number of open payments, `left` their sum, `total` that of
    all. `done` says that nothing is left for the visitor to pay or to get, where something was.
    """

    own: list[OwedPayment]
    gets: list[OwedPayment]
    how: HowToPay | None
    paid: list[OwedPayment]
    flow: Flow | None
    count: int
    total: int
    left: int
    done: str

    @property
    def concerns_visitor(self) -> bool:
        return bool(self.own or self.gets)

    @property
    def net(self) -> int:
        return sum(each.amount for each in self.gets) - sum(each.amount for each in self.own)

    @property
    def size(self) -> int:
        """What they come to, whichever way it goes."""
        return abs(self.net)


def sheet_of(event: Event) -> str:
    """Return where a night's page shows all of its money, to print or share."""
    return f"{address(event, 'event_money')}?show=all#balances"


def menu_of(event: Event, *, sees_season: bool, may_organise: bool) -> list[MenuRow]:
    """Return what a night's money has besides: its sheet, other lists, entries, the season's.

    Who sees this one night has none.
    """
    if not sees_season:
        return []
    here = address(event, "event_money")
    rows = [
        MenuRow("print", _("Sheet to share"), sheet_of(event), _("who won, paid and owes what")),
        MenuRow("users", _("Pair by pair"), f"{here}?way=each", _("not the fewest payments")),
        MenuRow("scale", _("By table and game, with totals"), f"{here}?show=all#proof"),
        MenuRow("money", _("Season money"), of_season(event.season, "season_money")),
    ]
    return [*rows, *entries_of(event.season, f"?event={event.pk}")] if may_organise else rows


def night_money(
    event: Event,
    payments: Iterable[OwedPayment],
    own: Collection[int],
    said: Sequence[PaymentReport] = (),
) -> NightMoney:
    """Return the facts for the visitor's players `own`; what waits for a yes is `said` apart."""
    found, paid = list(payments), _paid(event)
    mine = [each for each in unsaid(found, said) if each.payer.player_id in own]
    how = None
    if mine and mine[0].payee.player and not event.is_in_play:
        payer, payee, amount = mine[0].payer, mine[0].payee.player, mine[0].amount
        unit = event.season.unit
        how = how_to_pay(payee, amount=amount, unit=unit, payer=str(payer), event=event)
    every = [*found, *paid]
    return NightMoney(
        own=mine,
        gets=[each for each in unsaid(found, said) if each.payee.player_id in own],
        how=how,
        paid=paid,
        flow=flow_of(found, own, paid) if 0 < len(every) <= MOST else None,
        count=len(found),
        total=sum(each.amount for each in every),
        left=sum(each.amount for each in found),
        done="" if any(is_of(each, own) for each in found) else _done(paid, own),
    )


def is_of(payment: OwedPayment, own: Collection[int]) -> bool:
    """Return whether one of these players pays or gets it."""
    return payment.payer.player_id in own or payment.payee.player_id in own


def _done(paid: Iterable[OwedPayment], own: Collection[int]) -> str:
    """Return what these payments have settled for the visitor, in words, or ""."""
    ends = [each.payer.player_id in own for each in paid if is_of(each, own)]
    if not ends:
        return ""
    return (
        _("You have paid everything of this night.")
        if any(ends)
        else _("You have received everything of this night.")
    )


def _paid(event: Event) -> list[OwedPayment]:
    """Return what was paid for the night and not taken back, by pair, the largest first.

    The ledger books a payment against the debt, from its receiver to its payer.
    """
    lines = event.transfers.filter(
        posting__kind=Posting.Kind.SETTLEMENT, posting__reverses=None, posting__posting=None
    )
    sums = lines.order_by().values_list(money.owner("payee"), money.owner("payer"))
    rows = sorted(sums.annotate(sum=Sum("amount")), key=lambda row: (-row[2], row[0], row[1]))
    keys = {key for payer, payee, _sum in rows for key in (payer, payee)}
    accounts = money.accounts_of(lines, keys) if keys else {}
    return [OwedPayment(accounts[a], accounts[b], amount) for a, b, amount in rows]


def flow_of(
    payments: Sequence[OwedPayment], own: Collection[int], paid: Sequence[OwedPayment] = ()
) -> Flow:
    """Return the picture of these payments, and of those that are `paid` already."""
    every = [*((each, False) for each in payments), *((each, True) for each in paid)]
    accounts: dict[int, Account] = {}
    out: Counter[int] = Counter()
    into: Counter[int] = Counter()
    left: Counter[tuple[int, int]] = Counter()
    for each, is_paid in every:
        for sign, account, sums in ((-1, each.payer, out), (1, each.payee, into)):
            accounts[key_of(account)] = account
            sums[key_of(account)] += each.amount
            left[sign, key_of(account)] += sign * each.amount * (not is_paid)
    scale = ALL / out.total()
    height = max(_height_of(accounts, sums, scale) for sums in (out, into))
    payers, starts = _side(accounts, out, left, own, scale, height, -1)
    payees, ends = _side(accounts, into, left, own, scale, height, 1)
    first, then = list(starts), list(ends)
    ribbons = []
    every.sort(key=lambda p: (first.index(key_of(p[0].payer)), then.index(key_of(p[0].payee))))
    for each, is_paid in every:
        payer, payee, thick = key_of(each.payer), key_of(each.payee), each.amount * scale
        is_own = is_of(each, own)
        path = _path(starts[payer], ends[payee], thick)
        ribbons.append(Ribbon(path, is_own, is_paid))
        starts[payer] += thick
        ends[payee] += thick
    ribbons.sort(key=lambda ribbon: ribbon.is_own)
    return Flow(payers, payees, ribbons, round(height + GAP, 1))


def _name(account: Account) -> list[str]:
    return textwrap.wrap(str(account), LETTERS) or [""]


def _tall(account: Account, amount: int, scale: float) -> float:
    """Return the height of a person, in which ribbons and name have room."""
    return max(LEAST + LINE * (len(_name(account)) - 1), amount * scale)


def _height_of(accounts: dict[int, Account], sums: dict[int, int], scale: float) -> float:
    tall = sum(_tall(accounts[key], amount, scale) for key, amount in sums.items())
    return tall + GAP * (len(sums) - 1)


def _side(
    accounts: dict[int, Account],
    sums: dict[int, int],
    left: dict[tuple[int, int], int],
    own: Collection[int],
    scale: float,
    height: float,
    sign: int,
) -> tuple[list[End], dict[int, float]]:
    """Return the people of one side, the largest sum first, and where their ribbons begin.

    `sign` is -1 for those who pay, and `left` what is open of `sums`, with that sign.
    """
    edge = WIDTH / 2 + sign * (WIDTH / 2 - SIDE)
    top = GAP / 2 + (height - _height_of(accounts, sums, scale)) / 2
    people: list[End] = []
    tops: dict[int, float] = {}
    for key in sorted(sums, key=lambda key: (-sums[key], key)):
        account, amount = accounts[key], sums[key]
        tall, name = _tall(account, amount, scale), _name(account)
        middle = top + tall / 2
        first = middle - 1 - LINE * (len(name) - 1) / 2
        lines = tuple((round(first + LINE * at, 1), line) for at, line in enumerate(name))
        below = round(first + LINE * len(name), 1)
        is_own = account.player_id in own
        places = edge + sign * FACE, edge + sign * NAME, round(middle, 1)
        people.append(End(account, left[sign, key], *places, lines, below, is_own))
        tops[key] = middle - amount * scale / 2
        top += tall + GAP
    return people, tops


def _path(start: float, end: float, thick: float) -> str:
    left, right, middle = SIDE, WIDTH - SIDE, WIDTH / 2
    return (
        f"M{left:g} {start:.1f}C{middle:g} {start:.1f} {middle:g} {end:.1f} {right:g} {end:.1f}"
        f"V{end + thick:.1f}C{middle:g} {end + thick:.1f} {middle:g} {start + thick:.1f}"
        f" {left:g} {start + thick:.1f}Z"
    )
