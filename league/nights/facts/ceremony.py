"""A night's ceremony: the results held until it, and the places it reveals.

Held results are not current, so tallies and readers of current results never see them. Functions
for organisers ask for them explicitly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from league.models import Event, Result, Round
from league.nights.facts.final_places import Placed, event_places
from league.nights.facts.stages import is_final


@dataclass(frozen=True)
class RevealedPlace:
    """A place that one step of the ceremony reveals: one player, or all who tie for it."""

    place: int
    people: list[Placed]
    is_revealed: bool


def holds_back(event: Event, round_: Round) -> bool:
    """Return whether this round's results are held until the ceremony."""
    begins = event.keeps_back
    if not begins:
        return False
    return is_final(round_) if event.rules_of_format.has_stages else round_.number >= begins


def is_waiting(event: Event) -> bool:
    """Return whether the night still holds results."""
    if not event.keeps_back:
        return False
    return Result.objects.filter(sitting__round__event=event, held=True).exists()


def all_places(event: Event) -> list[Placed]:
    """Return the places with held results included; for organisers only."""
    return event_places(event, with_held=True)


def steps(event: Event, places: Sequence[Placed] | None = None) -> list[RevealedPlace]:
    """Return the places in the order of their reveal, the last place first.

    Unranked bots and players without a game have none.
    """
    known = all_places(event) if places is None else places
    placed = [one for one in known if one.row.rank and one.row.games and not one.is_apart]
    levels = [(rank, list(own)) for rank, own in groupby(placed, key=lambda one: one.row.rank)]
    return [
        RevealedPlace(rank or 0, people, number < event.told)
        for number, (rank, people) in enumerate(reversed(levels))
    ]


def revealed_so_far(event: Event) -> list[RevealedPlace]:
    """Return the revealed places, the latest first; none before or after the ceremony."""
    if not event.told or event.told_at:
        return []
    return [step for step in steps(event) if step.is_revealed][::-1]
