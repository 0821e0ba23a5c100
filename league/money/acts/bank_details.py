"""Bank details: how an account, or a player without one, wants to be paid."""

import re
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit
from league.models import BankDetails, Player
from league.money.domain.banks import BANKS
from tables.refusals import Refusal

_NUMBER = re.compile(r"[0-9A-Za-z]{4,19}")


class Fields(TypedDict):
    """What is said about how to pay a person."""

    bank: str
    number: str
    holder: str
    words: str


@transaction.atomic
def leave(*, user: User, **said: Unpack[Fields]) -> BankDetails | None:
    """Replace the account's bank details; with no bank and no words, delete them."""
    return _write(said, user=user)


@transaction.atomic
def leave_for(*, player: Player, by: User | None, **said: Unpack[Fields]) -> BankDetails | None:
    """Replace the bank details of a player, as an organiser or, without `by`, on their own phone.

    A phone does not change what an organiser wrote. Nobody writes it while an account is asked
    whether it plays as this player.
    """
    if player.offers.filter(user__isnull=False).exists():
        raise Refusal(
            _("An account is asked whether it plays as %(name)s. Wait for its answer.")
            % {"name": player.name},
            code="asked",
        )
    known = BankDetails.objects.select_for_update().filter(player=player).first()
    if by is None and known is not None and known.by_id is not None:
        raise Refusal(_("An organiser wrote this. Ask them to change it."), code="written")
    details = _write(said, player=player)
    if details is not None:
        details.by = by
        details.save(update_fields=["by"])
    audit.log("player.bank", club=player.club, by=by, player=player.pk)
    return details


def _write(said: Fields, **whose: Any) -> BankDetails | None:
    bank, number = said["bank"], re.sub(r"[\s.-]", "", said["number"])
    holder, words = " ".join(said["holder"].split()), said["words"].strip()
    if bank and bank not in BANKS:
        raise Refusal(_("Choose a bank from the list."), field="bank")
    if bank and not _NUMBER.fullmatch(number):
        raise Refusal(_("An account number has 4 to 19 digits or letters."), field="number")
    if not bank and (number or holder):
        raise Refusal(_("Choose the bank, or write it all in the last field."), field="bank")
    if not bank and not words:
        BankDetails.objects.filter(**whose).delete()
        return None
    fields = {"bank": bank, "number": number, "holder": holder, "words": words}
    details, _created = BankDetails.objects.update_or_create(**whose, defaults=fields)
    return details
