"""Saying whose phone this is tonight, and taking that back."""

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
    """Make this phone, known by its hash, that player's in the event; twice changes nothing.

    The night may be closed: its players still look for what they owe.

    Who waits for the event's lock finds what the phone before it has done. Refusal: `unknown` for
    nobody of tonight, `taken` when the name has another phone, `other` when the phone has another
    name.
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
    """Free a name of its phone, on the sign-up list too; `by` is None for the person.

    Returns whether it had one.
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
    """Let the phones follow after two names were merged; the event's row is locked.

    A phone of the alias becomes the player's, unless the player has one already.
    """
    for alias in event.claims.filter(ended_at=None, player__merged_into__isnull=False):
        into = alias.player.merged_into_id
        if event.claims.filter(player=into, ended_at=None).exists():
            end(event=event, player_id=alias.player_id, by=None)
        else:
            event.claims.filter(pk=alias.pk).update(player=into)
