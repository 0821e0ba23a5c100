"""The offers to an account: roles, and players whom it is asked about."""

from typing import NamedTuple

from accounts.models import User
from league.clubs.facts import people
from league.models import Player, RoleOffer


class OfferRow(NamedTuple):
    """An offer of a role, with the name of who offers it and the player asked about."""

    offer: RoleOffer
    by: str
    player: Player | None
    is_role: bool


def offers_to(user: User) -> list[OfferRow]:
    """Return the offers that the account may still accept, latest first; takes two queries."""
    found = list(RoleOffer.objects.to(user))
    names = people.names_of((one.club_id, one.by) for one in found)
    return [
        OfferRow(
            one,
            names[one.club_id, one.by_id],
            (one.player.merged_into or one.player) if one.player else None,
            one.player is None or one.role != "player",
        )
        for one in found
    ]
