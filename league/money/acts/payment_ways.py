"""Ways to be paid: an account's own, and those of players without an account."""

import re
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, former_ways, locks
from league.models import Claim, PaymentWay, Player, RoleOffer
from league.money.domain.banks import BANKS
from league.money.domain.services import SERVICES, Service, is_iban
from league.money.facts import payment_ways as facts
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.refusals import Refusal

MOST = 3
"""The most ways of an account."""
_NUMBER = re.compile(r"[0-9A-Za-z]{4,19}")


class Fields(TypedDict):
    """What is said about how to pay a person."""

    bank: str
    number: str
    holder: str
    words: str


@transaction.atomic
def leave(*, user: User, place: int = 1, **said: Unpack[Fields]) -> PaymentWay | None:
    """Replace the account's way to be paid at this place; with no bank and no words, end it."""
    fields = _checked(said)
    User.objects.select_for_update().get(pk=user.pk)
    if not 1 <= place <= MOST:
        raise Refusal(_("You can name %(n)s ways at most.") % {"n": MOST}, code="many")
    former_ways.end(PaymentWay.objects.filter(user=user, place=place))
    made = {"user": user, "place": place, "at": timezone.now()}
    return PaymentWay.objects.create(**made, **fields) if fields else None


@transaction.atomic
def leave_for(*, player: Player, by: User, **said: Unpack[Fields]) -> PaymentWay | None:
    """Replace, as an organiser, the way to pay a player; what phones left ends."""
    fields = _checked(said)
    _refuse_accounts(_locked(player))
    former_ways.end_of(player)
    audit.log("player.bank", club=player.club, by=by, player=player.pk)
    made = {"player": player, "by": by, "at": timezone.now()}
    return PaymentWay.objects.create(**made, **fields) if fields else None


@transaction.atomic
def leave_on_phone(*, claim: Claim, **said: Unpack[Fields]) -> PaymentWay | None:
    """Replace what the claim's phone left; who owes reads that nobody confirmed it.

    A phone does not change what an organiser wrote or confirmed, nor its own word once the player
    was paid.
    """
    fields = _checked(said)
    player = _locked(claim.player.merged_into or claim.player)
    _refuse_accounts(player)
    own = facts.of_phone(player, claim.phone_hash)
    if PaymentWay.objects.filter(player__in=player.names, by__isnull=False).exists():
        raise Refusal(_("An organiser wrote this. Ask them to change it."), code="written")
    if own is not None and own.at is not None and facts.was_paid_since(player, own.at):
        raise Refusal(_("You have already been paid. Ask an organiser to change it."), code="paid")
    if own is not None:
        former_ways.end(PaymentWay.objects.filter(pk=own.pk))
    audit.log("player.bank", club=player.club, by=None, player=player.pk)
    made = {"player": player, "claim": claim, "at": timezone.now()}
    return PaymentWay.objects.create(**made, **fields) if fields else None


@transaction.atomic
def confirm(*, player: Player, way: int, by: User) -> None:
    """Confirm, as an organiser, what a phone left; all else that was said of the player ends."""
    _refuse_accounts(_locked(player))
    said = PaymentWay.objects.filter(player__in=player.names)
    found = or_raise(
        said.filter(by=None, pk=way).first(),
        Refusal(_("Someone has just changed this. Reload the page."), code="stale", status=409),
    )
    former_ways.end(said.exclude(pk=way))
    set_columns(found, by=by, claim=None, at=timezone.now())
    audit.log("player.bank_confirmed", club=player.club, by=by, player=player.pk)


@transaction.atomic
def show(*, player: Player, shown: bool) -> None:
    """Say, as the player's account, whether who owes the player is shown how it is paid."""
    Player.objects.filter(pk=player.pk).update(shows_ways=shown)


def _locked(player: Player) -> Player:
    locks.club(player.club_id)
    return Player.objects.select_related("club").get(pk=player.pk)


def _refuse_accounts(player: Player) -> None:
    if player.user_id is not None:
        raise Refusal(
            _("%(name)s has an account and says it there.") % {"name": player.name}, code="account"
        )
    if RoleOffer.objects.filter(player__in=player.names, user__isnull=False).exists():
        raise Refusal(
            _("An account is asked whether it plays as %(name)s. Wait for its answer.")
            % {"name": player.name},
            code="asked",
        )


def _checked(said: Fields) -> dict[str, Any]:
    """Return the clean fields; none of them to end a way."""
    bank, number = said["bank"], "".join(said["number"].split())
    service = SERVICES.get(bank)
    number = number.lstrip("@$") if service else re.sub("[.-]", "", number)
    holder, words = " ".join(said["holder"].split()), said["words"].strip()
    if service is not None:
        number = number.upper() if bank == "sepa" else number
        _check_service(service, number, holder)
        return {"bank": bank, "number": number, "holder": holder, "words": words}
    if bank and bank not in BANKS:
        raise Refusal(_("Choose a bank from the list."), field="bank")
    if bank and not _NUMBER.fullmatch(number):
        raise Refusal(_("An account number has 4 to 19 digits or letters."), field="number")
    if not bank and (number or holder):
        raise Refusal(_("Choose the bank, or write it all in the last field."), field="bank")
    if not bank and not words:
        return {}
    return {"bank": bank, "number": number, "holder": holder, "words": words}


def _check_service(service: Service, number: str, holder: str) -> None:
    """Refuse a name that the service cannot know, and an IBAN that is mistyped or nobody's."""
    if service.link is None:
        if not service.pattern.fullmatch(number) or not is_iban(number):
            raise Refusal(_("This IBAN is not right. Compare it letter by letter."), field="number")
        if not holder:
            raise Refusal(_("A SEPA transfer needs the account holder's name."), field="holder")
    elif not service.pattern.fullmatch(number):
        text = _("%(service)s knows nobody by that name. Write only your name there, no address.")
        raise Refusal(text % {"service": service.name}, field="number")
