"""How one player pays another outside the app: an account number, a QR code, or words."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, Q
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.models import BankDetails, Event, Player
from league.money.domain import vietqr
from league.money.domain.banks import BANKS
from league.money.facts.money import OwedPayment
from tables.web.addresses import qr_of

_DONG_IN = {
    **dict.fromkeys(("đ", "đồng", "dong", "vnd", "vnđ", "₫"), 1),
    **dict.fromkeys(("k", "nghìn", "ngàn", "nghìn đồng", "ngàn đồng", "nghìn đ", "ngàn đ"), 1000),
}


@dataclass(frozen=True)
class HowToPay:
    """The facts needed to pay a person, also as a QR code and as text.

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


def how_to_pay(
    payee: Player, *, amount: int = 0, payer: str = "", event: Event | None = None
) -> HowToPay | None:
    """Return how to pay a player, None without bank details or while an account is asked."""
    if payee.offers.filter(user__isnull=False).exists():
        return None  # What stood there before the account was linked is nobody's to show.
    of_user = Q(user=payee.user_id, user__isnull=False)
    found = BankDetails.objects.filter(of_user | Q(player=payee) | Q(player__merged_into=payee))
    details = found.order_by(F("user").asc(nulls_last=True), "pk").first()
    if details is None:
        return None
    day = f"{event.date:%d %m}" if event else ""
    words = vietqr.plain(f"Tien len {day} {payer}") if details.bank else ""
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
    )


def who_said(payments: Iterable[OwedPayment]) -> set[int]:
    """Return the keys of the payees who have bank details."""
    keys = {key for payment in payments if (key := payment.payee.player_id)}
    said = Q(user__bank_details__isnull=False) | Q(bank_details__isnull=False)
    found = Player.objects.filter(
        said | Q(aliases__bank_details__isnull=False), pk__in=keys
    ).distinct()
    found = found.exclude(offers__user__isnull=False)
    return set(found.values_list("pk", flat=True))
