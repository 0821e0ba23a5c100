"""How a person is paid: who said it, and whom it is shown to."""

import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from accounts.models import User
from league.clubs.facts.people import name_of
from league.models import Claim, Event, FormerWay, PaymentWay, Player, Posting, Transfer
from league.models.payment_way import KEPT
from league.money.domain.banks import BANKS
from league.money.domain.services import SERVICES


def of_payee(payee: Player, event: Event | None = None, currency: str = "") -> PaymentWay | None:
    """Return the way that who owes the player is shown, None for none.

    An account's own comes first, if it is shown in this club: of several the first that pays in
    the currency. Of a player without one: what an organiser wrote or confirmed, else what the phone
    left that has the name in the event, or got it last.
    """
    if payee.user_id is not None:
        if payee.shows_ways is False:
            return None
        ways = PaymentWay.objects.filter(user=payee.user_id).order_by("place")
        return min(ways, key=lambda way: not _pays_in(way, currency), default=None)
    found = PaymentWay.objects.filter(player__in=payee.names).order_by("place")
    written = found.filter(by__isnull=False).first()
    left = found.filter(claim__ended_at=None, claim__isnull=False).order_by("-claim", "place")
    if event is not None:
        here = Claim.objects.filter(event=event, player__in=payee.names, ended_at=None)
        left = left.filter(claim__phone_hash__in=here.values("phone_hash"))
    return written or left.select_related("claim").first()


def called(way: PaymentWay) -> str:
    """Return a way in a line: the bank or service and the number, or its words."""
    service = SERVICES.get(way.bank)
    name = service.name if service else BANKS.get(way.bank, way.bank)
    return f"{name} {way.number}" if way.bank else way.words


def _pays_in(way: PaymentWay, currency: str) -> bool:
    if (service := SERVICES.get(way.bank)) is not None:
        return currency in service.currencies
    return not way.bank or currency == "VND"


def unconfirmed(player: Player) -> QuerySet[PaymentWay]:
    """Return what phones left for the player, the latest first."""
    found = PaymentWay.objects.filter(player__in=player.names, by=None)
    return found.select_related("claim__event").order_by("-pk")


def of_phone(player: Player, phone: str) -> PaymentWay | None:
    """Return what this phone, given by its hash, left for the player, tonight or before."""
    return unconfirmed(player).filter(claim__phone_hash=phone, claim__ended_at=None).first()


def former(by: User | None, phone: str = "", **of: object) -> FormerWay | None:
    """Return the last way of an account or a player that this writer may have back."""
    writer = Q(user=by, user__isnull=False) | Q(by=by, user=None) if by else Q(phone=phone, by=None)
    return FormerWay.objects.filter(writer, ended_at__gt=timezone.now() - KEPT, **of).first()


def was_paid_since(player: Player, at: datetime.datetime) -> bool:
    """Return whether a payment to the player was noted since then, and not taken back."""
    # The ledger books a payment against the debt, from its receiver to its payer.
    paid = Transfer.objects.filter(
        payer__player__in=player.names,
        posting__kind=Posting.Kind.SETTLEMENT,
        posting__reverses=None,
        posting__posting=None,
        at__gt=at,
    )
    return paid.exists()


def said_by(way: PaymentWay, club: int) -> str:
    """Return who wrote a way and when, "" for the account's own."""
    if way.user_id is not None:
        return ""
    when = _when(way.at) if way.at else ""
    if way.by_id is None:
        return _("Left by a phone at %(time)s, not confirmed.") % {"time": when}
    text = _("Written by %(name)s, %(time)s.") if when else _("Written by %(name)s.")
    return text % {"name": name_of(club, way.by), "time": when}


def _when(at: datetime.datetime) -> str:
    here = timezone.localtime(at)
    time = time_format(here, "H:i")
    if here.date() == timezone.localdate():
        return time
    return f"{time}, {date_format(here, 'SHORT_DATE_FORMAT')}"
