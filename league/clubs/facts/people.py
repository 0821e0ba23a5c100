"""The names under which accounts stand in a club: never their addresses."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from accounts.models import User
from league.models import Player, shown_names

Pair = tuple[int, User | None]


def names_of(pairs: Iterable[Pair]) -> dict[tuple[int, int], str]:
    """Return the names of accounts in clubs, by the keys of club and account; takes one query.

    An account stands there as its player, else under its own name, else as a member.
    """
    found = {(club, user.pk): str(user) for club, user in pairs if user is not None}
    clubs, users = {club for club, _user in found}, {user for _club, user in found}
    if shown_names.form() is not None:  # Strangers see accounts as players only.
        found = dict.fromkeys(found, _("a member"))
    players = Player.objects.filter(user__in=users, club__in=clubs, merged_into=None)
    named = {(one.club_id, one.user_id): one.name for one in players if one.user_id}
    return found | {key: name for key, name in named.items() if key in found}


def name_of(club: int, user: User | None) -> str:
    """Return the name under which an account stands in a club."""
    return "".join(names_of([(club, user)]).values()) or _("a member")
