"""How one player pays another outside the app: an account number, a QR code, or words."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.base import texts
from league.models import Event, Player
from league.money.domain import vietqr
from league.money.domain.banks import BANKS
from league.money.domain.services import SERVICES, transfer_code
from league.money.facts import payment_ways
from tables.base import currencies
from tables.web.addresses import qr_of

_DONG_IN = {
    **dict.fromkeys(("đ", "đồng", "dong", "vnd", "vnđ", "₫"), 1),
    **dict.fromkeys(("k", "nghìn", "ngàn", "nghìn đồng", "ngàn đồng", "nghìn đ", "ngàn đ"), 1000),
}


@dataclass(frozen=True)
class HowToPay:
    """The facts needed to pay a person, also as text; `said` is who wrote them.

    A bank has a QR code (`qr`), a service abroad its fixed address (`link`); `words` is the memo,
    and `elsewhere` what the person says in other words.
    """

    payee: Player
    amount: int
    bank: str
    number: str
    holder: str
    words: str
    elsewhere: str
    qr: SafeString | None
    link: str
    is_in_vietnam: bool
    says_amount: bool
    text: str
    said: str

    @property
    def title(self) -> str:
        """The bank or the service, as it stands beside the amount."""
        return f"VietQR · {self.bank}" if self.is_in_vietnam else self.bank


def how_to_pay(
    payee: Player, *, amount: int = 0, unit: str = "", payer: str = "", event: Event | None = None
) -> HowToPay | None:
    """Return how to pay a player, for who owes them; None if nobody says it."""
    unit = unit or payee.club.unit
    thousands = _DONG_IN.get(unit.strip().casefold(), 0)
    currency = "VND" if thousands else currencies.code(unit)
    details = payment_ways.of_payee(payee, event, currency)
    if details is None:
        return None
    words = _memo(payer, event) if details.bank else ""
    service, qr, link, says_amount = SERVICES.get(details.bank), None, "", False
    if service is not None and currency in service.currencies:
        much, number = Decimal(currencies.in_whole(amount, unit)), details.number
        if service.link is not None:
            link = service.link(number, much, currency)
        else:
            code = transfer_code(iban=number, name=details.holder, amount=much, words=words)
            qr, says_amount = qr_of(code), True
    elif details.bank and service is None:
        dong = amount * thousands
        code = vietqr.code(bank=details.bank, number=details.number, amount=dong, words=words)
        qr, says_amount = qr_of(code), bool(dong)
    bank = service.name if service else BANKS.get(details.bank, details.bank)
    sum_of = texts.amount(amount, unit) if amount else ""
    named = _("Pay %(name)s") % {"name": payee.name}
    lines = [named, sum_of, bank, details.number, details.holder, details.words, words]
    return HowToPay(
        payee=payee,
        amount=amount,
        bank=bank,
        number=details.number,
        holder=details.holder,
        words=words,
        elsewhere=details.words,
        qr=qr,
        link=link,
        is_in_vietnam=service is None,
        says_amount=says_amount,
        text="\n".join(line for line in lines if line),
        said=payment_ways.said_by(details, payee.club_id),
    )


def _memo(payer: str, event: Event | None) -> str:
    if event is None:
        return vietqr.memo(payer)
    names = event.entrants.values_list("player__name", flat=True)
    return vietqr.memo(payer, day=event.date, names=names)
