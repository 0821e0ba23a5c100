"""An evening of friends at an online table: sums of people, and who pays whom."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.safestring import SafeString

from engine.rules.ruleset import preset, preset_keys
from league.models import PaymentWay, WayAtTable
from league.money.domain import settle_up, vietqr
from league.money.domain.banks import BANKS
from tables.base import rulesets
from tables.base.currencies import currency_of
from tables.base.faces import Face
from tables.models import Game, Seat, Table
from tables.play.facts import positions, standings
from tables.play.facts.standings import MatchRow
from tables.web.addresses import qr_of

PAUSE = datetime.timedelta(hours=6)
"""Tables of the same friends with shorter pauses are one evening."""
WORTHS = (500, 1000, 2000, 5000, 10_000)
"""What a point may be worth, in đồng; elsewhere these shares of a common stake."""
SHARES = (Fraction(1, 5), Fraction(2, 5), Fraction(1), Fraction(2), Fraction(4))


@dataclass(frozen=True)
class EveningPayment:
    """What one person pays another, with a bank's code for who pays an account that has one."""

    payer: str
    payee: str
    faces: tuple[Face, Face]
    amount: int
    is_mine: bool
    bank: str = ""
    qr: SafeString | None = None


@dataclass(frozen=True)
class EveningPage:
    """The page of an evening; bots keep their row, but what they won or lost nobody pays."""

    table: Table
    day: datetime.date
    rows: list[tuple[MatchRow, Face]]
    games: int
    payments: list[EveningPayment]
    worth: int
    worths: tuple[int, ...]
    unit: str
    with_bots: bool
    people: list[str]
    rules: str
    may_settle: bool
    asks: bool


def worths_of(unit: str) -> tuple[int, ...]:
    """Return what a point may be worth in the unit; 0: it is counted in points."""
    found = currency_of(unit)
    return (0, *(int(found.stake * share) for share in SHARES)) if found else (0, *WORTHS)


def evening_page(table: Table, *, worth: int, reader: Seat | None, unit: str = "đ") -> EveningPage:
    """Return the evening that this table belongs to, where a point is worth so much money.

    Who pays whom is for those who sat there: the seat `reader`. Who pays sees the bank details of
    an account that lets them; `asks` is whether the reader's may say so.
    """
    tables = evening_of(table)
    seats = Seat.objects.filter(table__in=tables).order_by("pk").in_bulk()
    first = positions.first_seats(seats.values(), friends=True)
    over = games_of(tables)
    rows = standings.standings({pk: seat.name for pk, seat in seats.items()}, over, first)
    faces = positions.of(tables[-1]).faces
    bots = {seat.name for seat in seats.values() if seat.is_bot}
    owed = settle_up.settle(between_people(over, seats, first))
    payees = {seats[int(one.payee)].user_id for one in owed} - {None}
    shown = WayAtTable.objects.filter(table=tables[0]).values_list("user", flat=True)
    ways = PaymentWay.objects.filter(user__in=payees).filter(bank__in=BANKS).order_by("-place")
    known = {one.user_id or 0: one for one in ways} if worth and reader and unit == "đ" else {}
    banks = {user: one for user, one in known.items() if user in set(shown)}
    me = first.get(reader.pk) if reader else None
    day = timezone.localdate(tables[0].opened_at)
    everyone = {seat.name for seat in seats.values()}
    payments = []
    for payer, payee, amount in owed:
        names = seats[int(payer)].name, seats[int(payee)].name
        bank = banks.get(seats[int(payee)].user_id or 0) if payer == me else None
        payments.append(
            EveningPayment(
                *names,
                faces=(faces[names[0]], faces[names[1]]),
                amount=amount * (worth or 1),
                is_mine=me in (payer, payee),
                bank=f"{BANKS.get(bank.bank, bank.bank)} …{bank.number[-4:]}" if bank else "",
                qr=_code(bank, amount * worth, vietqr.memo(names[0], day=day, names=everyone))
                if bank
                else None,
            )
        )
    return EveningPage(
        table=tables[-1],
        day=day,
        rows=[(row, faces[row.name]) for row in rows],
        games=len(over),
        payments=payments,
        worth=worth,
        worths=worths_of(unit),
        unit=unit,
        with_bots=any(row.name in bots for row in rows),
        people=[row.name for row in rows if row.name not in bots],
        rules=_preset_of(tables[-1]),
        may_settle=reader is not None,
        asks=reader is not None and reader.user_id in known.keys() - banks.keys(),
    )


def _preset_of(table: Table) -> str:
    """Return the key of the preset that the table plays by, or an empty string."""
    ruleset = rulesets.thaw(table.ruleset)
    return ruleset.key if ruleset in map(preset, preset_keys()) else ""


def evening_of(table: Table) -> list[Table]:
    """Return the tables of the same friends without a long pause between them, oldest first."""
    first = table.first_id or table.pk
    found: list[Table] = []
    for one in positions.rows().filter(Q(pk=first) | Q(first=first)).order_by("pk"):
        last = found[-1].closed_at if found else None
        if last is None or one.opened_at - last > PAUSE:
            if table in found:
                break
            found = []
        found.append(one)
    return found


def games_of(tables: Sequence[Table]) -> list[tuple[list[int], dict[str, Any]]]:
    """Return the holders and the outcome of each finished game."""
    over = Game.objects.filter(table__in=tables, over_at__isnull=False)
    found: list[Any] = list(over.order_by("pk").values_list("holders", "outcome"))
    return found


def between_people(
    over: Iterable[tuple[list[int], dict[str, Any]]],
    seats: Mapping[int, Seat],
    first: Mapping[int, int],
) -> Counter[int | str]:
    """Return what people won from people, by their first seats; it sums to zero."""
    sums: Counter[int | str] = Counter()
    for holders, outcome in over:
        for paid in outcome["payments"]:
            payer, payee = holders[paid["from"]], holders[paid["to"]]
            if not (seats[payer].is_bot or seats[payee].is_bot):
                sums[first[payer]] -= paid["amount"]
                sums[first[payee]] += paid["amount"]
    return sums


def _code(bank: PaymentWay, amount: int, words: str) -> SafeString:
    return qr_of(vietqr.code(bank=bank.bank, number=bank.number, amount=amount, words=words))
