"""The running roll call: its time left, and who is missing."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Entrant, Event, SignUpAnswer
from league.nights.facts.clock import Clock


@dataclass(frozen=True)
class RollCall:
    """A roll call with its clock; `names` are the missing players."""

    clock: Clock
    names: list[str]

    @property
    def sentence(self) -> str:
        """What the missing players should do."""
        if self.clock.seconds < 0:
            return _("The call is over. Players who are not here are absent.")
        return _("Last call: tap your name if you're playing. The draw starts when the time is up.")

    @property
    def missing(self) -> str:
        """The missing players' names, in one line."""
        return ", ".join(self.names)


def called(event: Event) -> list[Entrant]:
    """Return the expected entrants whom a roll call waits for.

    Only those with a place on the sign-up list, if anyone has one.
    """
    missing = event.entrants.filter(presence=Entrant.Presence.EXPECTED, player__bot="")
    signed_up = SignUpAnswer.objects.filter(sign_up__event=event, is_in=True)
    if signed_up.exists():
        missing = missing.filter(player__in=signed_up.values("player"))
    return list(missing.select_related("player").order_by("player__sort_key"))


def roll_call(event: Event) -> RollCall | None:
    """Return the running roll call, if there is one."""
    if event.call_ends_at is None or not event.is_open:
        return None
    left = round((event.call_ends_at - timezone.now()).total_seconds())
    clock = Clock(left, running=left >= 0, last_game=False)
    return RollCall(clock, [entrant.player.name for entrant in called(event)])
