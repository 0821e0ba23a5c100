"""A visitor at one table: where they stand, who they are, and what they may do there."""

from dataclasses import dataclass

from accounts.models import User
from league.base.rights import Right
from league.models import Event, Link, Sitting


@dataclass(frozen=True)
class Desk:
    """A table, its page's address, and what the visitor may do there.

    `by` is the account, `device` the phone where nobody signed in, `phone` the phone's hash, `link`
    the table's link if the visitor used it. `moved_to` is the current address of that link if this
    table's round is over.
    """

    event: Event
    sitting: Sitting
    here: str
    right: Right
    by: User | None
    device: str
    phone: str
    sees_money: bool
    may_enter: bool
    may_speak: bool
    link: Link | None = None
    moved_to: str = ""

    @property
    def organises(self) -> bool:
        return self.right >= Right.ORGANISE
