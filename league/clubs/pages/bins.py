"""The clubs in an account's bin."""

import datetime
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from league.models import Club, Membership
from league.models.binned import KEPT_IN_BIN


@dataclass(frozen=True)
class BinnedClub:
    """A club that its owner can restore until `until`."""

    club: Club
    until: datetime.datetime


def binned_clubs(user: User) -> list[BinnedClub]:
    """Return the clubs that this account can restore, latest first."""
    found = Club.everything.filter(
        binned_at__gte=timezone.now() - KEPT_IN_BIN,
        memberships__user=user,
        memberships__role=Membership.Role.OWNER,
    )
    return [
        BinnedClub(one, one.binned_at + KEPT_IN_BIN)
        for one in found.order_by("-binned_at", "-pk")
        if one.binned_at is not None
    ]


def find_binned(user: User, slug: str) -> Club | None:
    return next((one.club for one in binned_clubs(user) if one.club.slug == slug), None)
