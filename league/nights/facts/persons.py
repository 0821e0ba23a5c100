"""Entrants as persons: who plays on as whom after two names of one person were merged."""

from collections.abc import Mapping

from league.models import Entrant, Event
from league.seasons.facts.standings import OWNER


def persons(event: Event) -> dict[int, int]:
    """Return the entrant as whom each merged name of the event plays on, by key; no others."""
    owners = dict(event.entrants.filter(player__merged_into__isnull=False).values_list("pk", OWNER))
    found = event.entrants.filter(player__in=owners.values()) if owners else event.entrants.none()
    by_player = dict(found.values_list("player_id", "pk"))
    return {key: by_player[owner] for key, owner in owners.items() if owner in by_player}


def as_persons(tables: list[list[int]], names: Mapping[int, int]) -> list[list[int]]:
    """Return tables of entrants with those who play on as another one under that key."""
    return [[names.get(key, key) for key in table] for table in tables]


def pair_of(one: Entrant, other: Entrant) -> frozenset[int]:
    """Return the keys of two entrants' players, under whatever names they sat."""
    return frozenset(each.player.merged_into_id or each.player_id for each in (one, other))
