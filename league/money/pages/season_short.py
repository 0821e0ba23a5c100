"""A season's money at a glance: the visitor's own, the largest debts, the latest nights."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.page_parts import MenuRow
from league.base.pages.address import of_season
from league.models import Posting, Season
from league.money.facts import money_words
from league.money.facts.money import NightSum, OwedPayment
from league.money.facts.reports import PaymentReport, unsaid

FEW = 3
"""The most nights shown before one asks for all, and debts where there are over twice as many."""


def few(payments: list[OwedPayment]) -> list[OwedPayment]:
    """Return the payments to show at once."""
    return payments if len(payments) <= 2 * FEW else payments[:FEW]


@dataclass(frozen=True)
class SeasonInShort:
    """What the visitor pays and receives, the sums of both, and the latest nights.

    `left` is the sum of the `count` open payments of all.
    """

    pays: list[OwedPayment]
    gets: list[OwedPayment]
    to_pay: int
    to_get: int
    count: int
    left: int
    nights: Sequence[NightSum]
    played: int


def short_of(
    payments: Sequence[OwedPayment],
    own: Collection[int],
    nights: Sequence[NightSum],
    said: Sequence[PaymentReport] = (),
) -> SeasonInShort:
    """Return the season for the visitor's players `own`; what waits for a yes is `said` apart."""
    left = unsaid(payments, said)
    pays = [each for each in left if each.payer.player_id in own]
    gets = [each for each in left if each.payee.player_id in own]
    return SeasonInShort(
        pays=pays,
        gets=gets,
        to_pay=sum(each.amount for each in pays),
        to_get=sum(each.amount for each in gets),
        count=len(payments),
        left=sum(each.amount for each in payments),
        nights=nights[:FEW],
        played=len(nights),
    )


def menu_of(season: Season, *, may_organise: bool) -> list[MenuRow]:
    """Return what a season's money has besides: its lists, and what organisers enter."""
    whole = of_season(season, "season_money") + "?show=all"
    tables = reverse("league:club_tables", args=[season.club.slug])
    rows = [
        MenuRow("people", _("Player by player"), f"{whole}#balances", _("games, payments, due")),
        MenuRow("scale", _("Zero-sum check"), f"{whole}#proof", _("night by night")),
        MenuRow("list", _("Payments and other entries"), f"{whole}#postings"),
        MenuRow("cards", _("Money tables outside nights"), tables),
    ]
    return [*rows, *entries_of(season)] if may_organise else rows


def entries_of(season: Season, query: str = "") -> list[MenuRow]:
    """Return what an organiser may enter; the `query` names the night of the entry."""
    is_open = season.status == Season.Status.OPEN
    return [
        MenuRow("plus", str(title), of_season(season, "posting_create", kind) + query)
        for kind, (title, _about) in money_words.POSTINGS.items()
        if is_open or kind == Posting.Kind.SETTLEMENT
    ]
