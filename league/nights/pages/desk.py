"""A visitor at one table: where they stand, who they are, and what they may do there."""

from dataclasses import dataclass

from django.core.signing import BadSignature, Signer

from accounts.models import User
from league.base.rights import Right
from league.models import Event, Link, Sitting

_SIGNER = Signer(salt="league.entered_by")


@dataclass(frozen=True)
class Desk:
    """A table, its page's address, and what the visitor may do there.

    `by` is the account, `device` the phone where nobody signed in, `phone` the phone's hash, `link`
    the table's link if the visitor used it. `moved_to` is the current address of that link if this
    table's round is over. A tablet that `lies_here` is nobody's.
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
    lies_here: bool = False

    @property
    def organises(self) -> bool:
        return self.right >= Right.ORGANISE

    @property
    def entered_by(self) -> str:
        return named(self.by) if self.by else ""


def named(enterer: User) -> str:
    """Return the account as a game names it while it waits on a phone."""
    return _SIGNER.sign(str(enterer.pk))


def enterer_of(entered_by: str) -> int | None:
    """Return the key of the account that entered a game; None without one, or if made up."""
    try:
        return int(_SIGNER.unsign(entered_by))
    except BadSignature:
        return None
