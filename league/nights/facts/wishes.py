"""Whom the draw keeps apart and seats together, by the words of their players."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from league.base.domain.grouped import grouped
from league.models import Event
from league.seating import wishes


@dataclass(frozen=True)
class NightWishes:
    """Groups of entrants to keep apart and to seat at one table, each of two or more."""

    apart: list[list[int]]
    together: list[list[int]]

    def prices(self) -> dict[tuple[int, int], int]:
        return wishes.prices(self.apart, self.together)


def wishes_of(event: Event, here: Collection[int]) -> NightWishes:
    """Return the wishes among these entrants; the same word makes a group."""
    people = event.entrants.filter(pk__in=here).order_by("pk")
    rows = list(people.values_list("pk", "player__group", "player__together"))
    return NightWishes(
        _alike((apart, key) for key, apart, _together in rows),
        _alike((together, key) for key, _apart, together in rows),
    )


def _alike(words: Iterable[tuple[str, int]]) -> list[list[int]]:
    """Return the entrants who have the same word, unless it is empty or nobody else's."""
    groups = grouped((word.casefold(), key) for word, key in words if word)
    return [group for group in groups.values() if len(group) > 1]
