"""Who looks at a night: by which account or phone, as which players, and what they may see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from league.base.phone_keys import device_of
from league.base.rights import Right
from league.models import Claim, Player
from league.nights.facts import claims
from league.nights.facts.night import Night


class Viewer:
    """A person at a night; each part is read at its first use.

    `right` is None where the club's pages are closed to the person. A device `at_door` is nobody's
    own: its account names no player. Nothing that is kept for all may be drawn for a viewer.
    """

    def __init__(
        self,
        night: Night,
        right: Right | None,
        user: User | AnonymousUser,
        phone: str = "",
        *,
        at_door: bool = False,
    ) -> None:
        self.night, self.event = night, night.event
        self.right, self.sees_club = right or Right.SEE, right is not None
        self.by = user if user.is_authenticated else None
        self.phone, self.at_door = phone, at_door

    @property
    def organises(self) -> bool:
        return self.right >= Right.ORGANISE

    @cached_property
    def device(self) -> str:
        """What stands beside what the phone enters; empty where an account enters it."""
        return "" if self.by else device_of(self.phone, self.event.season.club_id)

    @cached_property
    def claim(self) -> Claim | None:
        """The name that the phone has tonight."""
        return None if self.event.season.club.closed_at else claims.held(self.event, self.phone)

    @cached_property
    def own(self) -> Sequence[int]:
        """The keys of the person's players: of the phone's name, else of the account."""
        if self.claim:
            return [self.claim.player.merged_into_id or self.claim.player_id]
        if self.by is None or self.at_door or not self.sees_club:
            return []
        players = self.event.season.club.players.filter(user=self.by, merged_into=None)
        return list(players.values_list("pk", flat=True))

    @cached_property
    def player(self) -> Player | None:
        """The player as whom the person is here: of the phone's name, else of the account."""
        if self.claim:
            return self.claim.player.merged_into or self.claim.player
        return next((one.player for one in self.night.of(self.own)), None) if self.own else None

    @property
    def me(self) -> Player:
        """The player, on a page that only a player has."""
        assert self.player is not None
        return self.player

    @cached_property
    def sees_money(self) -> bool:
        """Whether the person sees the night's money: with the club's, or by a name in the night."""
        return self.right >= Right.BELONG or self.claim is not None
