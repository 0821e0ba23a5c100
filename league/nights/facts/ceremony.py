"""The ceremony of a night: what is kept back until then, and the places as they are told.

A game that is kept back is a `held` result, which no tally and no reader of current results has.
So nothing has to hide it; what organisers alone see asks for it by name, here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from league.models import Event, Result, Round
from league.nights.facts.final_places import Placed, event_places
from league.nights.facts.stages import is_final


@dataclass(frozen=True)
class RevealedPlace:
    """A place that the ceremony tells at once: of one player, or of those who share it."""

    place: int
    people: list[Placed]
    is_told: bool


def holds_back(event: Event, round_: Round) -> bool:
    """Whether games of this round are kept back until the ceremony."""
    begins = event.keeps_back
    if not begins:
        return False
    return is_final(round_) if event.rules_of_format.has_stages else round_.number >= begins


def is_waiting(event: Event) -> bool:
    """Whether a game of the night is kept back now."""
    if not event.keeps_back:
        return False
    return Result.objects.filter(sitting__round__event=event, held=True).exists()


def all_places(event: Event) -> list[Placed]:
    """Return the places with everything that is kept back: for organisers alone."""
    return event_places(event, with_held=True)


def steps(event: Event, places: Sequence[Placed] | None = None) -> list[RevealedPlace]:
    """Return the places in the order in which they are told, the last first.

    Bots beside the people and who has not played have none.
    """
    known = all_places(event) if places is None else places
    placed = [one for one in known if one.row.rank and one.row.games and not one.is_apart]
    levels = [(rank, list(own)) for rank, own in groupby(placed, key=lambda one: one.row.rank)]
    return [
        RevealedPlace(rank or 0, people, number < event.told)
        for number, (rank, people) in enumerate(reversed(levels))
    ]


def told_so_far(event: Event) -> list[RevealedPlace]:
    """Return the places that were told already, the latest first; none before the ceremony."""
    if not event.told or event.told_at:
        return []
    return [step for step in steps(event) if step.is_told][::-1]


def notice(event: Event) -> str:
    """Return what everyone is told while games are kept back; empty where none are."""
    if not is_waiting(event):
        return ""
    if event.rules_of_format.has_stages:
        return _("The results of the final are kept back until the ceremony.")
    told = _("Results of round %(number)s and later are kept back until the ceremony.")
    return told % {"number": event.keeps_back}
