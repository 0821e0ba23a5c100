"""Claiming a phone for a player tonight, and ending the claim."""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, former_ways, locks
from league.models import Claim, Event, PaymentWay, Player, SignUpAnswer
from league.nights.facts import claims as selector
from tables.refusals import Refusal


@transaction.atomic
def claim(*, event: Event, player_id: int, phone: str, asks: bool = False) -> Claim:
    """Claim this phone, given by its hash, for a player in the event; twice changes nothing.

    The night may be closed: its players still look up what they owe. A phone that `asks` gets the
    claim of the phone that has the name: that one, or an organiser, then says whether it may.

    The checks run under the event's lock, so they see an earlier phone's claim. Refusal: `unknown`
    for a player who is not on tonight's list, `taken` when the player has another phone, `other`
    when the phone has another player, `refused` when it asked before in vain.
    """
    event = locks.event_to_change(event.pk, must_be_open=False)
    of_tonight = Q(entries__event=event) | Q(answers__sign_up__event=event)
    player = Player.objects.people().filter(of_tonight, pk=player_id).first()
    if player is None or event.binned_at is not None:
        raise Refusal(_("This player is not on tonight's list. Try again."), code="unknown")
    own = selector.held(event, phone)
    if own is not None and own.player_id == player_id:
        return own
    if own is not None:
        raise Refusal(
            _("This phone is %(name)s's tonight. Tap “Not %(name)s” on that page first."),
            code="other",
            params={"name": own.player.name},
        )
    first = event.claims.filter(player=player_id, ended_at=None).first()
    if first is not None:
        return _ask(first, player, phone if asks else "")
    return _claimed(event, player_id, phone)


def _claimed(event: Event, player_id: int, phone: str) -> Claim:
    made = Claim.objects.create(event=event, player_id=player_id, phone_hash=phone)
    audit.log("phone.claimed", by=None, event=event, player=player_id)
    return made


def _ask(first: Claim, player: Player, phone: str) -> Claim:
    """Have the phone that has the name asked; the latest that asks waits for the answer."""
    name = {"name": player.name}
    if not phone:
        raise Refusal(_("Another phone has the name %(name)s."), code="taken", params=name)
    if first.asked_by == phone and first.refused_at is not None:
        raise Refusal(
            _("The phone that has the name %(name)s said no. Ask an organiser to free it."),
            code="refused",
            params=name,
        )
    first.asked_by, first.refused_at = phone, None
    first.save(update_fields=["asked_by", "refused_at"])
    return first


@transaction.atomic
def decide(*, event: Event, player_id: int, asking: str, is_own: bool, by: User | None) -> None:
    """Give the name to the phone that asks for it, or refuse it; `by` is None for the first phone.

    Refusal: `stale` if that phone no longer asks, or has another name by now.
    """
    event = locks.event_to_change(event.pk, must_be_open=False)
    first = event.claims.filter(player=player_id, ended_at=None).first()
    if first is None or not asking or first.asking != asking:
        raise Refusal(_("Nobody waits for this answer any more."), code="stale", status=409)
    if not is_own:
        first.refused_at = timezone.now()
        first.save(update_fields=["refused_at"])
        return
    if selector.held(event, first.asked_by) is not None:
        raise Refusal(_("Nobody waits for this answer any more."), code="stale", status=409)
    _end(first, by)
    _claimed(event, player_id, first.asked_by)


@transaction.atomic
def end(*, event: Event, player_id: int, by: User | None) -> bool:
    """End a player's claim, on the sign-up list too; `by` is None where the player does it.

    Return whether there was one.
    """
    event = locks.event_to_change(event.pk, must_be_open=False)
    held = event.claims.filter(player=player_id, ended_at=None).first()
    if held is not None:
        _end(held, by)
    return held is not None


def _end(held: Claim, by: User | None) -> None:
    held.ended_at, held.ended_by = timezone.now(), by
    held.save(update_fields=["ended_at", "ended_by"])
    answers = SignUpAnswer.objects.filter(sign_up__event=held.event, player=held.player_id)
    answers.filter(device=held.phone_hash).update(device="")
    former_ways.end(PaymentWay.objects.filter(claim=held))
    club, player = held.event.season.club, held.player_id
    audit.log("phone.freed", club=club, by=by, event=held.event, player=player)


@transaction.atomic
def settle(*, event: Event) -> None:
    """Move phones to the remaining player after two were merged; the caller locks the event.

    An alias's claim ends if that player already has a phone.
    """
    for alias in event.claims.filter(ended_at=None, player__merged_into__isnull=False):
        into = alias.player.merged_into_id
        if event.claims.filter(player=into, ended_at=None).exists():
            end(event=event, player_id=alias.player_id, by=None)
        else:
            event.claims.filter(pk=alias.pk).update(player=into)
