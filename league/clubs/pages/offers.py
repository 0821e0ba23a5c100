"""The offers to an account: roles, and players whom it is asked about."""

from typing import NamedTuple

from accounts.models import User
from league.clubs.facts import people
from league.models import PaymentWay, Player, RoleOffer


class OfferRow(NamedTuple):
    """An offer of a role, with the name of who offers it and the player asked about.

    `is_paid` is whether the account has said how it is paid, so that it can be asked to show it.
    """

    offer: RoleOffer
    by: str
    player: Player | None
    is_role: bool
    is_paid: bool


def offers_to(user: User) -> list[OfferRow]:
    """Return the offers that the account may still accept, latest first; takes three queries."""
    found = list(RoleOffer.objects.to(user))
    is_paid = bool(found) and PaymentWay.objects.filter(user=user).exists()
    names = people.names_of((one.club_id, one.by) for one in found)
    return [
        OfferRow(
            one,
            names[one.club_id, one.by_id],
            (one.player.merged_into or one.player) if one.player else None,
            one.player is None or one.role != "player",
            is_paid,
        )
        for one in found
    ]
