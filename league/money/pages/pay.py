"""How one player pays another outside the app: an account number, a QR code, or words."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.models import Event, Player
from league.money.domain import vietqr
from league.money.domain.banks import BANKS
from league.money.facts import payment_ways
from tables.web.addresses import qr_of

_DONG_IN = {
    **dict.fromkeys(("đ", "đồng", "dong", "vnd", "vnđ", "₫"), 1),
    **dict.fromkeys(("k", "nghìn", "ngàn", "nghìn đồng", "ngàn đồng", "nghìn đ", "ngàn đ"), 1000),
}


@dataclass(frozen=True)
class HowToPay:
    """The facts needed to pay a person, also as a QR code and as text; `said` is who wrote them.

    Without a bank in Vietnam, `words` is empty and `qr` is None.
    """

    payee: Player
    amount: int
    bank: str
    number: str
    holder: str
    words: str
    elsewhere: str
    qr: SafeString | None
    says_amount: bool
    text: str
    said: str


def how_to_pay(
    payee: Player, *, amount: int = 0, payer: str = "", event: Event | None = None
) -> HowToPay | None:
    """Return how to pay a player, for who owes them; None if nobody says it."""
    details = payment_ways.of_payee(payee, event)
    if details is None:
        return None
    words = _memo(payer, event) if details.bank else ""
    dong = amount * _DONG_IN.get(payee.club.unit.strip().casefold(), 0)
    qr = None
    if details.bank:
        code = vietqr.code(bank=details.bank, number=details.number, amount=dong, words=words)
        qr = qr_of(code)
    bank = BANKS.get(details.bank, details.bank)
    sum_of = f"{number_format(amount, 0, force_grouping=True)} {payee.club.unit}" if amount else ""
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
        says_amount=bool(dong),
        text="\n".join(line for line in lines if line),
        said=payment_ways.said_by(details, payee.club_id),
    )


def _memo(payer: str, event: Event | None) -> str:
    if event is None:
        return vietqr.memo(payer)
    names = event.entrants.values_list("player__name", flat=True)
    return vietqr.memo(payer, day=event.date, names=names)
