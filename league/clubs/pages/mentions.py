"""Texts that name a person whose name was removed, for the organiser who decides on each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from league.base.domain.grouped import grouped
from league.clubs.acts import forgetting
from league.models import Club, Mention

KINDS = {
    "adjustment.reason": _("Penalty or bonus"),
    "audit.data": _("Log"),
    "dispute.note": _("Report"),
    "dispute.reason": _("Answer to a report"),
    "event.name": _("Name of a night"),
    "event.venue": _("Venue of a night"),
    "player.name": _("Player whose account is gone"),
    "posting.note": _("Money entry"),
    "result.reason": _("Reason for a correction"),
    "roster.name": _("Name of a team or category"),
    "schedule.name": _("Name of a schedule"),
    "schedule.venue": _("Venue of a schedule"),
    "season.name": _("Name of a season"),
    "sitting.call_note": _("Call to a table"),
}


@dataclass(frozen=True)
class NamingText:
    """One text, in however many places it is; `key` is its first mention's."""

    text: str
    mentions: list[Mention]

    @property
    def key(self) -> int:
        return self.mentions[0].pk

    @property
    def kind(self) -> str:
        """What it is; the log only where it is nowhere else."""
        kinds = [one.kind for one in self.mentions]
        return str(KINDS[next((kind for kind in kinds if kind != "audit.data"), kinds[0])])

    @property
    def is_sure(self) -> bool:
        return any(one.is_sure for one in self.mentions)

    @property
    def instead(self) -> str:
        return self.mentions[0].instead

    def pieces(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in parts, and whether each is the name."""
        words = sorted({word for one in self.mentions for word in one.words}, key=len, reverse=True)
        either = "|".join(map(re.escape, words))
        for piece in re.split(rf"((?<![\w@])(?:{either})(?![\w@]))", self.text):
            yield piece, piece in words


def texts_of(club: Club) -> list[NamingText]:
    """Return the club's texts to decide on, equal ones as one."""
    waiting = list(club.mentions.all())
    written = forgetting.written(waiting)
    found = grouped((text, one) for one in waiting for text in written.get(one.pk, []))
    return [NamingText(text, mentions) for text, mentions in found.items()]
