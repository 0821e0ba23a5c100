"""What a player has reached in a night, counted once a version for all phones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import get_language

from league.base.drawn_html import cache
from league.nights.facts.final_places import Placed
from league.nights.facts.night import Night
from league.nights.pages.stage_page import stage_page
from league.seasons.facts.standings import canonical

SECONDS = 60
"""Seconds to cache a version of a night, as its parts that everyone sees."""


class OwnRank(NamedTuple):
    """A player's place after the first game, `of` so many; `among` names the group or table."""

    points: Fraction
    rank: int | None
    shared: bool
    money: int
    of: int
    among: str


def ranks_of(night: Night) -> dict[int, OwnRank]:
    """Return what each player who played has reached, by the player's key."""
    event = night.event
    key = f"ranks:{event.pk}:{event.version}:{get_language()}"
    if (known := cache.get(key)) is None:
        known = [[player, str(own.points), *own[1:]] for player, own in _ranks(night)]
        cache.set(key, known, SECONDS)
    return {player: OwnRank(Fraction(points), *rest) for player, points, *rest in known}


def _ranks(night: Night) -> Iterator[tuple[int, OwnRank]]:
    """Yield each player's place among those with whom the player is ranked.

    Until the final counts, that is the group or table that decides who advances.
    """
    event, places = night.event, night.places
    yield from _in_order(places, "")
    if event.rules_of_format.has_stages and not any(place.stage for place in places):
        found = stage_page(event, night.released, night.played)
        for part in found.parts if found else []:
            order = [Placed(canonical(line.entrant.player), line.row) for line in part.lines]
            yield from _in_order(order, part.name)


def _in_order(places: list[Placed], among: str) -> Iterator[tuple[int, OwnRank]]:
    ranked = [place for place in places if place.row.games]
    for place in ranked:
        row, among_whom = place.row, place.stage_name if place.stage else among
        yield (
            place.player.pk,
            OwnRank(row.points, row.rank, row.shared, row.money, len(ranked), among_whom),
        )
