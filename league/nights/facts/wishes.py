"""Whom the draw keeps apart and seats together, by the words of their players."""

from collections.abc import Collection
from dataclasses import dataclass

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
    apart: dict[str, list[int]] = {}
    together: dict[str, list[int]] = {}
    rows = event.entrants.filter(pk__in=here).order_by("pk")
    for key, *words in rows.values_list("pk", "player__group", "player__together"):
        for word, groups in zip(words, (apart, together), strict=True):
            if word:
                groups.setdefault(word.casefold(), []).append(key)
    return NightWishes(
        *([group for group in groups.values() if len(group) > 1] for groups in (apart, together))
    )
