"""Claiming a phone for a player tonight, and ending the claim."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, erasures, former_ways, locks
from league.base.phone_keys import DEVICE, OLD_DEVICE, held_clubs, key_of, keys_of
from league.models import (
    Channel,
    Claim,
    Club,
    Confirmation,
    Dispute,
    Event,
    FormerWay,
    NewsItem,
    PaymentWay,
    Player,
    Result,
    SignUpAnswer,
)
from league.nights.facts import claims as selector
from tables.base.columns import set_columns
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
    return _claimed(event, player_id, key_of(phone, event.season.club_id))


def _claimed(event: Event, player_id: int, key: str) -> Claim:
    made = Claim.objects.create(event=event, player_id=player_id, phone_hash=key)
    audit.log("phone.claimed", by=None, event=event, player=player_id)
    return made


def _ask(first: Claim, player: Player, phone: str) -> Claim:
    """Have the phone that has the name asked; the latest that asks waits for the answer."""
    name = {"name": player.name}
    if not phone:
        raise Refusal(_("Another phone has the name %(name)s."), code="taken", params=name)
    keys = keys_of(phone, player.club_id)
    if first.asked_by in keys and first.refused_at is not None:
        raise Refusal(
            _("The phone that has the name %(name)s said no. Ask an organiser to free it."),
            code="refused",
            params=name,
        )
    set_columns(first, asked_by=keys[0], refused_at=None)
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
        set_columns(first, refused_at=timezone.now())
        return
    if event.claims.filter(phone_hash=first.asked_by, ended_at=None).exists():
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


@transaction.atomic
def forget(*, event: Event, player_id: int, by: User) -> bool:
    """Forget, as an organiser, the phone that has the player's name: in all nights of the club.

    Return whether there was one.
    """
    held = event.claims.filter(player=player_id, ended_at=None).first()
    if held is None:
        return False
    name = Claim.objects.filter(player=player_id, event__season__club=event.season.club_id)
    _end_all(name.filter(phone_hash=held.phone_hash, ended_at=None), by)
    return True


@transaction.atomic
def forget_everywhere(*, phone: str) -> None:
    """Forget a phone, as its owner, in all clubs: its names, answers, ways to be paid and news.

    Refusal while it holds a club: nobody could open that any more.
    """
    everywhere = Club.everything.exclude(second_by="").values_list("pk", "second_by")
    second = [club for club, by in everywhere if by in keys_of(phone, club)]
    erasures.note("second_phone", *Club.everything.filter(pk__in=second))
    Club.everything.filter(pk__in=second).update(second_by="")
    if held := held_clubs(phone):
        raise Refusal(
            _("Only this phone opens %(club)s. Keep it with an account first."),
            code="holds",
            params={"club": Club.everything.get(pk=held[0]).name},
        )
    clubs = Club.everything.values_list("pk", flat=True)
    keys = [key for club in clubs for key in keys_of(phone, club)]
    mine = selector.of_phone(phone, Claim.objects.all())
    erasures.note("claim", *mine)
    _end_all(mine, None)
    asking = Claim.objects.filter(asked_by__in=keys)
    erasures.note("asking", *asking)
    asking.update(asked_by="", refused_at=None)
    answers = SignUpAnswer.objects.filter(device__in=keys)
    erasures.note("answer", *answers)
    answers.update(device="")
    devices = [key[:DEVICE] for club in clubs for key in keys_of(phone[:OLD_DEVICE], club)]
    for model in (Confirmation, Dispute, Result):
        entered = model._default_manager.filter(device__in=devices)
        erasures.note(model._meta.model_name or "", *entered)
        entered.update(device="")
    erasures.note("formerway", *(ways := FormerWay.objects.filter(phone__in=keys)))
    ways.delete()
    erasures.note("channel", *(channels := Channel.objects.filter(user=None, phone=phone)))
    channels.delete()


@transaction.atomic
def forget_players(*, players: Collection[Player], by: User | None) -> None:
    """Forget the phones of players whose name goes, and the news of those with no other name."""
    held = Claim.objects.filter(player__in=players, ended_at=None)
    keys = {(one.phone_hash, one.player.club_id) for one in held.select_related("player")}
    _end_all(held, by)
    for channel in Channel.objects.filter(user=None) if keys else ():
        had = any(key in keys_of(channel.phone, club) for key, club in keys)
        if had and not selector.of_phone(channel.phone, Claim.objects.all()).exists():
            channel.delete()


def _end_all(claims: QuerySet[Claim], by: User | None) -> None:
    found = list(claims.select_related("event__season__club").order_by("event_id"))
    for claim in found:
        locks.event_to_change(claim.event_id, must_be_open=False)
    for claim in found:
        _end(claim, by)


def _end(held: Claim, by: User | None) -> None:
    former_ways.end(PaymentWay.objects.filter(claim=held))
    answers = SignUpAnswer.objects.filter(sign_up__event=held.event, player=held.player_id)
    answers.filter(device=held.phone_hash).update(device="")
    waiting = NewsItem.objects.filter(event=held.event, state=NewsItem.State.WAITING)
    waiting.filter(data__reader__in=list(held.player.names.values_list("pk", flat=True))).delete()
    set_columns(held, ended_at=timezone.now(), ended_by=by)
    Claim.objects.filter(pk=held.pk).update(phone_hash="", asked_by="")
    club, player = held.event.season.club, held.player_id
    audit.log("phone.freed", club=club, by=by, event=held.event, player=player)


@transaction.atomic
def settle(*, event: Event) -> list[int]:
    """Move phones to the remaining player after two were merged; the caller locks the event.

    Returns the keys of the claims that moved. An alias's claim ends if that player already has a
    phone.
    """
    moved = []
    for alias in event.claims.filter(ended_at=None, player__merged_into__isnull=False):
        into = alias.player.merged_into_id
        if event.claims.filter(player=into, ended_at=None).exists():
            end(event=event, player_id=alias.player_id, by=None)
        else:
            event.claims.filter(pk=alias.pk).update(player=into)
            moved.append(alias.pk)
    return moved
