"""What a game moves between its players, by the event's betting scheme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from engine.rules.specials import Special, payments_of_game
from engine.rules.state import Payment
from league.base.domain import stored_specials
from league.models import Event, Placing, Player, Result
from tables.fifo_cache import FifoCache
from tables.services import rulesets


class Owed(NamedTuple):
    """What a game moves between two players, in minor units, and why."""

    payer: Player
    payee: Player
    amount: int
    reason: str


class PlacingFact(NamedTuple):
    """A placing without the rest of its row."""

    entrant_id: int
    seat: int
    rank: int


class OwedFact(NamedTuple):
    """The same as `Owed` between the keys of two entrants."""

    payer: int
    payee: int
    amount: int
    reason: str


StoredSpecials = Sequence[Mapping[str, Any]]


def owed_for(result: Result, event: Event, placings: Sequence[Placing]) -> list[Owed]:
    """Return what the event's betting scheme says for this result; nothing when there is no stake.

    The payments are the engine's: those that it made in a live game, else of the places and of the
    specials entered. `placings` are those of the result, with their entrants' players.
    """
    if not event.stake or not placings:
        return []
    if result.source == Result.Source.LIVE:
        owed = owed_live(result.live.payments)
    else:
        owed = owed_entered(event, placings, result.specials)
    people = {placing.entrant_id: placing.entrant.player for placing in placings}
    return [Owed(people[o.payer], people[o.payee], o.amount, o.reason) for o in owed]


def owed_live(payments: Sequence[Mapping[str, Any]]) -> list[OwedFact]:
    """Return what the engine paid in a live game, as it is kept."""
    return [OwedFact(paid["from"], paid["to"], paid["amount"], paid["reason"]) for paid in payments]


def owed_entered(
    event: Event, placings: Sequence[Placing | PlacingFact], specials: StoredSpecials
) -> list[OwedFact]:
    """Return what the engine says for the places and specials that were entered."""
    there = sorted(placings, key=attrgetter("seat"))
    order = {placing.entrant_id: index for index, placing in enumerate(there)}
    at_seats = stored_specials.at_seats(stored_specials.from_json(specials), order)
    paid = _payments(event, tuple([placing.rank for placing in there]), at_seats)
    return [
        OwedFact(there[p.sender].entrant_id, there[p.receiver].entrant_id, p.amount, p.reason)
        for p in paid
    ]


_of_places: FifoCache[tuple[str, int, tuple[int, ...]], list[Payment]] = FifoCache(1000)
"""What is paid for places alone: four people have few orders and play many games."""


def _payments(
    event: Event, ranks: tuple[int, ...], specials: Sequence[Special]
) -> Sequence[Payment]:
    key = event.ruleset_id, event.stake, ranks
    paid = None if specials else _of_places.get(key)
    if paid is None:
        ruleset = rulesets.thaw(event.ruleset)
        paid = payments_of_game(ruleset, _groups(ranks), specials, event.stake)
        if not specials:
            _of_places.put(key, paid)
    return paid


def _groups(ranks: Sequence[int]) -> list[list[int]]:
    """Return the seats, counted without gaps, in groups of those who share a place, best first."""
    groups: dict[int, list[int]] = {}
    for index, rank in enumerate(ranks):
        groups.setdefault(rank, []).append(index)
    return [groups[rank] for rank in sorted(groups)]
