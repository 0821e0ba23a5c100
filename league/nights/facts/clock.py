"""A round's clock, and the tables that call an organiser."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.base.page_parts import Remark
from league.models import Event, Round, Sitting

MOST_OVER = 60
"""A round so many minutes over is no longer timed."""


@dataclass(frozen=True)
class Clock:
    """A round's clock: seconds left, negative once it is up, and a table's extra minutes."""

    seconds: int
    running: bool
    last_game: bool
    extra: int = 0

    @property
    def notice(self) -> Remark | None:
        """The warning that everyone should see now, if any."""
        if self.last_game:
            return Remark(_("Last game: finish this one, don't start another."), "warning")
        return None

    @property
    def table_notice(self) -> Remark | None:
        """The notice for a table that still plays: the last game, or for an hour the time is up."""
        if self.running and self.seconds < 0 and not self.is_long_over and not self.last_game:
            return Remark(_("Time is up: play your game to its end."), "info")
        return self.notice

    @property
    def until(self) -> int:
        """The Unix time at which the time will be up; 0 where none will."""
        return (
            int(timezone.now().timestamp()) + self.seconds + 1
            if self.running and self.seconds >= 0
            else 0
        )

    @property
    def is_long_over(self) -> bool:
        """Whether the time was up so long ago that it is no longer counted."""
        return -(self.seconds // 60) > MOST_OVER

    @property
    def text(self) -> str:
        """Minutes and seconds left, 12:05, or minutes over; "" once an hour over."""
        if self.seconds >= 0:
            return f"{self.seconds // 60}:{self.seconds % 60:02}"
        over = self.words_over.replace("N", str(-(self.seconds // 60)))
        return "" if self.is_long_over else over

    @property
    def end(self) -> str:
        """When the time is up, or was, in words, also where it is no longer timed."""
        if not self.running:
            return _("paused") if self.seconds >= 0 else ""
        end = timezone.localtime(timezone.now() + timedelta(seconds=self.seconds))
        text = _("round ends at %(time)s") if self.seconds > 0 else _("time was up at %(time)s")
        return text % {"time": end.strftime("%H:%M")}

    @property
    def words_over(self) -> str:
        """The words for N minutes over."""
        return pgettext("N is a number of minutes on a round's clock", "N min over")


def clock_of(
    round_: Round | None, sitting: Sitting | None = None, now: datetime | None = None
) -> Clock | None:
    """Return a round's clock with a table's extra time; None before it is started."""
    if round_ is None or round_.clock_started_at is None:
        return None
    extra = sitting.extra_minutes if sitting else 0
    ends = round_.clock_started_at + timedelta(minutes=(round_.clock_minutes or 0) + extra)
    left = ends - (round_.clock_paused_at or now or timezone.now())
    return Clock(
        seconds=round(left.total_seconds()),
        running=round_.clock_paused_at is None,
        last_game=round_.last_game_at is not None,
        extra=extra,
    )


def calls(event: Event) -> list[Sitting]:
    """Return the tables of an open night that call an organiser, the first caller first."""
    if not event.is_open:
        return []
    calling = Sitting.objects.filter(round__event=event, called_at__isnull=False)
    return list(calling.select_related("round").order_by("called_at"))
