"""Bank details: how an account wants to be paid."""

from __future__ import annotations

import re

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import BankDetails
from league.money.domain.banks import BANKS
from tables.refusals import Refusal

_NUMBER = re.compile(r"[0-9A-Za-z]{4,19}")


@transaction.atomic
def leave(*, user: User, bank: str, number: str, holder: str, words: str) -> BankDetails | None:
    """Replace the account's bank details; with no bank and no words, delete them."""
    number = re.sub(r"[\s.-]", "", number)
    holder, words = " ".join(holder.split()), words.strip()
    if bank and bank not in BANKS:
        raise Refusal(_("Choose a bank from the list."), field="bank")
    if bank and not _NUMBER.fullmatch(number):
        raise Refusal(_("An account number has 4 to 19 digits or letters."), field="number")
    if not bank and (number or holder):
        raise Refusal(_("Choose the bank, or write it all in the last field."), field="bank")
    if not bank and not words:
        BankDetails.objects.filter(user=user).delete()
        return None
    fields = {"bank": bank, "number": number, "holder": holder, "words": words}
    details, _created = BankDetails.objects.update_or_create(user=user, defaults=fields)
    return details
