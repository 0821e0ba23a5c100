"""Who may do what in a club. Pages, API and services ask here and nowhere else.

docs/security.md has the same as a table, and a test tries every URL against it.
"""

from __future__ import annotations

from enum import IntEnum

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from league.models import Club, Membership


class Right(IntEnum):
    """What a page asks for, each containing those before it."""

    SEE = 0  # standings, draws, results of a public club
    BELONG = 1  # the same of a club that is not public
    SCORE = 2  # enter and correct results
    ORGANISE = 3  # players, seasons, events, draws
    OWN = 4  # the club itself and its members' roles


_OF_ROLE = {
    Membership.Role.PLAYER: Right.BELONG,
    Membership.Role.SCORER: Right.SCORE,
    Membership.Role.ORGANISER: Right.ORGANISE,
    Membership.Role.OWNER: Right.OWN,
}


def of_role(role: str) -> Right:
    """Return what a role gives; a higher role gives more."""
    return _OF_ROLE[Membership.Role(role)]


def highest(user: User | AnonymousUser | None, club: Club) -> Right | None:
    """Return the highest right that `user` (None: a stranger) has in `club`.

    None: may not even see it.
    """
    if user is not None and user.is_authenticated:
        if user.is_superuser:
            return Right.OWN
        role = club.memberships.filter(user=user).values_list("role", flat=True).first()
        if role is not None:
            held = of_role(role)
            return held if held == Right.OWN or not club.closed_at else None
    return Right.SEE if club.is_public and not club.closed_at else None
