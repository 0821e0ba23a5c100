"""Clubs without an account: one phone holds each for 30 days, then it is kept or deleted."""

import datetime
import secrets
from contextlib import suppress

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks, sweeps
from league.base.phone_keys import held_clubs
from league.clubs.acts import ending, members
from league.models import Claim, Club, Event, Membership, RoleOffer
from tables.base.columns import set_columns
from tables.refusals import Refusal

MOST = 100
"""Most clubs that one sweep deletes."""


def stand_in_of(phone: str) -> User:
    """Return the account that acts for this phone in its held clubs; nobody can sign in to it."""
    held = Membership.objects.filter(club__in=held_clubs(phone)).select_related("user").first()
    if held is not None:
        return held.user
    email = f"phone-{secrets.token_hex(12)}@account.invalid"
    user = User(email=email, name=_("Organiser"), is_active=False)
    user.set_unusable_password()
    user.save()
    return user


@transaction.atomic
def offer_to_keep(*, club: Club, email: str, by: User) -> RoleOffer:
    """Offer the held club to the owner of `email`; an earlier offer ends."""
    locks.club(club.pk).role_offers.all().delete()
    offer = members.offer_role(club=club, email=email, role=members.OWNER, by=by)
    assert isinstance(offer, RoleOffer)  # The stand-in's own address is unknown.
    return offer


def phones_of(club: Club) -> QuerySet[Claim]:
    """Return the names that other phones have at the club's open nights."""
    held = Claim.objects.filter(event__season__club=club, event__status=Event.Status.OPEN)
    own = held.filter(ended_at=None).exclude(phone_hash=club.held_by)
    return own.select_related("player").order_by("player__sort_key", "pk")


@transaction.atomic
def name_second(*, club: Club, claim: int | None, by: User) -> None:
    """Let a phone with a name at an open night run the held club too; None lets only its own."""
    club = locks.club(club.pk)
    found = phones_of(club).filter(pk=claim).first() if claim is not None else None
    if club.held_until is None or (claim is not None and found is None):
        raise Refusal(_("This phone no longer has a name. Choose another one."), status=409)
    set_columns(club, second_by=found.phone_hash if found is not None else "")
    if found is not None:
        audit.log("club.second_phone", club=club, by=by, player=found.player_id)
    else:
        audit.log("club.one_phone", club=club, by=by)


@transaction.atomic
def keep(*, club: Club, user: User, by: User) -> None:
    """Give the held club to this account; Refusal as `members.accept_offer`."""
    members.accept_offer(offer=offer_to_keep(club=club, email=user.email, by=by), user=user)


def keep_offered(*, user: User, phone: str) -> list[Club]:
    """Give the account the clubs that its phone holds and offered it; return them."""
    clubs = []
    for offer in RoleOffer.objects.to(user).filter(role=members.OWNER, club__in=held_clubs(phone)):
        with suppress(ValidationError):
            clubs.append(members.accept_offer(offer=offer, user=user).club)
    return clubs


def sweep(now: datetime.datetime) -> int:
    """Permanently delete the clubs that no account kept in time, or whose owner wants it so."""
    due = Q(held_until__lte=now) | Q(ends_at__lte=now)
    over = Club.everything.filter(due).order_by("held_until", "ends_at")
    found = list(over.values_list("pk", flat=True)[:MOST])
    return sweeps.each(found, lambda pk: ending.delete(pk, now))
