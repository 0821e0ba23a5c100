"""Clubs without an account: one phone holds each for 30 days, then it is kept or deleted."""

import datetime
import secrets
from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model, ProtectedError, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import locks, sweeps
from league.clubs.acts import members
from league.models import Club, Event, Membership, RoleOffer, Season

MOST = 100
"""Most clubs that one sweep deletes."""
OWNER = Membership.Role.OWNER


def stand_in_of(phone: str) -> User:
    """Return the account that acts for this phone in its held clubs; nobody can sign in to it."""
    held = Membership.objects.filter(club__held_by=phone).select_related("user").first()
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
    offer = members.offer_role(club=club, email=email, role=OWNER, by=by)
    assert offer is not None  # The stand-in's own address is unknown.
    return offer


@transaction.atomic
def keep(*, club: Club, user: User, by: User) -> None:
    """Give the held club to this account; Refusal as `members.accept_offer`."""
    members.accept_offer(offer=offer_to_keep(club=club, email=user.email, by=by), user=user)


def keep_offered(*, user: User, phone: str) -> list[Club]:
    """Give the account the clubs that its phone holds and offered it; return them."""
    clubs = []
    for offer in RoleOffer.objects.to(user).filter(role=OWNER, club__held_by=phone or None):
        with suppress(ValidationError):
            clubs.append(members.accept_offer(offer=offer, user=user).club)
    return clubs


def sweep(now: datetime.datetime) -> int:
    """Permanently delete the clubs that no account kept in time; return how many."""
    over = Club.everything.filter(held_until__lte=now).order_by("held_until")
    return sweeps.each(list(over.values_list("pk", flat=True)[:MOST]), lambda pk: _delete(pk, now))


@transaction.atomic
def _delete(pk: int, now: datetime.datetime) -> int:
    """Delete the club with all that was made in it, unless it has been kept."""
    for season in Season.everything.filter(club=pk).order_by("pk"):
        locks.season(season.pk)
    for event in Event.everything.filter(season__club=pk).order_by("pk"):
        locks.event(event.pk)
    with suppress(Club.DoesNotExist):
        if (until := locks.club(pk).held_until) is None or until > now:
            return 0
        stand_ins = list(User.objects.filter(memberships__club=pk, is_active=False))
        _delete_with_dependents(Club.everything.filter(pk=pk))
        for user in stand_ins:
            with suppress(ProtectedError), transaction.atomic():  # Its phone kept another club.
                user.delete()
        return 1
    return 0


def _delete_with_dependents(rows: QuerySet[Any]) -> None:
    """Delete the rows after all that would keep them: results, money, seats."""
    while True:
        try:
            rows.delete()
            return
        except ProtectedError as error:
            kinds: dict[type[Model], list[int]] = {}
            for row in error.protected_objects:
                kinds.setdefault(type(row), []).append(row.pk)
        for kind, keys in kinds.items():
            _delete_with_dependents(kind._base_manager.filter(pk__in=keys))
