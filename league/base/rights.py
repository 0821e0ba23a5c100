"""Rights in a club. Pages, API and services check them only through this module.

tests/data/rights.md has the same as a table, and a test checks every URL against it.
"""

from enum import IntEnum

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from league.base.phone_keys import keys_of
from league.models import Claim, Club, Event, Membership
from league.models.shown_names import NameShown


class Right(IntEnum):
    """A right in a club; each includes those before it."""

    SEE = 0  # standings, draws, results of a public club, without money
    BELONG = 1  # the same for a private club, and money
    SCORE = 2  # enter and correct results, decide disputes
    ORGANISE = 3  # players, seasons, events, draws
    OWN = 4  # the club itself and its members' roles


_OF_ROLE = {
    Membership.Role.PLAYER: Right.BELONG,
    Membership.Role.SCORER: Right.SCORE,
    Membership.Role.ORGANISER: Right.ORGANISE,
    Membership.Role.OWNER: Right.OWN,
}


def of_role(role: str) -> Right:
    return _OF_ROLE[Membership.Role(role)]


def highest(user: User | AnonymousUser | None, club: Club) -> Right | None:
    """Return the highest right of `user` (None: anonymous) in `club`.

    Return None if the user may not even see the club.
    """
    if user is not None and user.is_authenticated:
        if user.is_superuser:
            return Right.OWN
        role = club.memberships.filter(user=user).values_list("role", flat=True).first()
        if role is not None:
            held = of_role(role)
            return held if held == Right.OWN or not club.closed_at else None
    return Right.SEE if club.is_public and not club.closed_at else None


def has_name(club: Club, phone: str) -> bool:
    """Return whether a player of the club has claimed this phone, given by its hash."""
    if not phone:
        return False
    return Claim.objects.filter(
        event__season__club=club, phone_hash__in=keys_of(phone, club.pk), ended_at=None
    ).exists()


def hides_names(club: Club) -> bool:
    """Return whether strangers see names otherwise than as they are, so not at online tables."""
    return bool(club.shows_names) or club.players.filter(shown=NameShown.HIDDEN).exists()


def may_see_night_money(event: Event, phone: str) -> bool:
    """Return whether a player of the event has claimed this phone, given by its hash."""
    if not phone:
        return False
    keys = keys_of(phone, event.season.club_id)
    return Claim.objects.filter(event=event, phone_hash__in=keys, ended_at=None).exists()
