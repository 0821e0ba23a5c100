"""A viewer at one table: where they stand, and what they may do there."""

from dataclasses import dataclass

from django.core.signing import BadSignature, Signer

from accounts.models import User
from league.base.rights import Right
from league.models import Event, Link, Sitting
from league.nights.facts.clock import clock_of
from league.nights.facts.viewer import Viewer

_SIGNER = Signer(salt="league.entered_by")


@dataclass(frozen=True)
class Desk:
    """A table, its page's address, who looks at it, and what they may do there.

    `link` is the table's link if the viewer used it, `moved_to` the current address of that link if
    this table's round is over. A tablet that `lies_here` is nobody's.
    """

    viewer: Viewer
    sitting: Sitting
    here: str
    link: Link | None = None
    moved_to: str = ""
    lies_here: bool = False

    @property
    def event(self) -> Event:
        return self.viewer.event

    @property
    def version(self) -> float:
        """The table's version, half a step later once its time is up, which nobody saves."""
        clock = clock_of(self.sitting.round, self.sitting)
        return self.sitting.version + (0.5 if clock and clock.seconds < 0 else 0)

    @property
    def may_enter(self) -> bool:
        return bool(self.link) or (self.event.is_open and self.viewer.right >= Right.SCORE)

    @property
    def may_speak(self) -> bool:
        if self.link:
            return not self.moved_to
        return self.event.is_open and self.viewer.right >= Right.BELONG

    @property
    def sees_money(self) -> bool:
        """Whether the stakes and sums are shown: who holds a table's secret sits at it."""
        return bool(self.link) or self.viewer.sees_money

    @property
    def hears(self) -> bool:
        """Whether the words that people wrote about a game are shown; to the same as its money."""
        return self.sees_money

    @property
    def entered_by(self) -> str:
        return named(self.viewer.by) if self.viewer.by else ""


def named(enterer: User) -> str:
    """Return the account as a game names it while it waits on a phone."""
    return _SIGNER.sign(str(enterer.pk))


def enterer_of(entered_by: str) -> int | None:
    """Return the key of the account that entered a game; None without one, or if made up."""
    try:
        return int(_SIGNER.unsign(entered_by))
    except BadSignature:
        return None
