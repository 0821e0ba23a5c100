"""Claiming a phone for a player tonight, and ending the claim."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Claim, Event, Player, SignUpAnswer
from league.nights.facts import claims as selector
from tables.refusals import Refusal


@transaction.atomic
def claim(*, event: Event, player_id: int, phone: str) -> Claim:
    """Claim this phone, given by its hash, for a player in the event; twice changes nothing.

    The night may be closed: its players still look up what they owe.

    The checks run under the event's lock, so they see an earlier phone's claim. Refusal: `unknown`
    for a player who is not on tonight's list, `taken` when the player has another phone, `other`
    when the phone has another player.
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
    if event.claims.filter(player=player_id, ended_at=None).exists():
        raise Refusal(
            _("Another phone has the name %(name)s. If that's wrong, ask an organiser to free it."),
            code="taken",
            params={"name": player.name},
        )
    made = Claim.objects.create(event=event, player=player, phone_hash=phone)
    audit.log("phone.claimed", club=event.season.club, by=None, event=event, player=player_id)
    return made


@transaction.atomic
def end(*, event: Event, player_id: int, by: User | None) -> bool:
    """End a player's claim, on the sign-up list too; `by` is None where the player does it.

    Return whether there was one.
    """
    event = locks.event_to_change(event.pk, must_be_open=False)
    held = event.claims.filter(player=player_id, ended_at=None).first()
    if held is None:
        return False
    event.claims.filter(pk=held.pk).update(ended_at=timezone.now(), ended_by=by)
    answers = SignUpAnswer.objects.filter(sign_up__event=event, player=player_id)
    answers.filter(device=held.phone_hash).update(device="")
    audit.log("phone.freed", club=event.season.club, by=by, event=event, player=player_id)
    return True


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
