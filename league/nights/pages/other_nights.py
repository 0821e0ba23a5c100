"""The other nights in which a phone has a name: those of this evening, and what is still owed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from league.models import Claim, Event
from league.money.facts import open_debts

OWED = timedelta(days=60)
"""How long a closed night's open payments are told to its phones on other pages."""


@dataclass(frozen=True)
class OtherNight:
    """A night with what its payments leave to the phone's player, negative if they owe it."""

    event: Event
    money: int


def other_nights(names: Iterable[Claim], event: Event | None = None) -> list[OtherNight]:
    """Return a phone's nights but this one: of this evening, or with an open payment.

    `names` are its names in the nights of the time `OWED`.
    """
    found = [OtherNight(claim.event, _open_money(claim)) for claim in names if claim.event != event]
    return [one for one in found if one.money or _is_tonights(one.event)]


def _is_tonights(event: Event) -> bool:
    return event.is_open and -1 <= event.days_ahead <= 0


def _open_money(claim: Claim) -> int:
    event, player = claim.event, (claim.player.merged_into or claim.player).pk
    if event.is_open or not event.has_money:
        return 0
    payments = open_debts.of_night(event)
    owed = sum(one.amount for one in payments if open_debts.key_of(one.payee) == player)
    return owed - sum(one.amount for one in payments if open_debts.key_of(one.payer) == player)
