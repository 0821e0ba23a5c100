"""What waits for an organiser, on the page of one night: there, and at the other nights."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base.page_parts import Button
from league.base.pages.address import address
from league.models import Event
from league.nights.facts import events
from league.nights.facts.clock import calls
from league.nights.facts.events import WaitingNight
from league.nights.pages.needs import needs


@dataclass(frozen=True)
class Asks:
    """Which tables wait `here` in words, and the other nights that wait; `tables` counts all.

    `known` differs as soon as the page should be drawn again.
    """

    here: str
    elsewhere: list[Button]
    tables: int
    known: str


def asks(user: User, event: Event, *, others: bool) -> Asks:
    """Return what waits for this organiser; with `others` alone what waits at other nights."""
    unseen = [] if others else needs(calls(event), events.asked(event)[0], partial(address, event))
    here = [need for need in unseen if need.offer]
    waiting = events.calling(user, but=event)
    seen = [len(here), *(need.table for need in here)]
    for at in waiting:
        seen += [at.event.pk, *at.tables, at.draft or 0]
    return Asks(
        here=_of_tables({need.table for need in here}) if here else "",
        elsewhere=[
            Button(_waits(night, event), f"{address(night.event, 'event')}#attention")
            for night in waiting
        ],
        tables=len(here) + sum(len(night.tables) for night in waiting),
        known="-".join(map(str, seen)),
    )


def _of_tables(numbers: Iterable[int]) -> str:
    found = sorted(numbers)
    text = ngettext(
        "Table %(tables)s needs an organiser.", "Tables %(tables)s need an organiser.", len(found)
    )
    return text % {"tables": ", ".join(map(str, found))}


def _waits(night: WaitingNight, here: Event) -> str:
    """Return what waits at another night than the one `here`, with its name; another club's too."""
    if not night.tables:
        text = _("Round %(number)s is drawn, not released yet.") % {"number": night.draft}
    else:
        text = _of_tables(night.tables)
    is_own = night.event.season.club_id == here.season.club_id
    return f"{night.event.name if is_own else night.event.name_and_club}: {text}"
