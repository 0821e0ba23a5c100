"""The payments that a game's result owes, by the event's betting scheme."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from engine.rules.specials import Special, payments_of_game
from engine.rules.state import Payment
from league.base.domain import stored_specials
from league.base.domain.grouped import grouped
from league.models import Event, Placing, Player, Result
from league.money.domain import settle_up
from tables.base.fifo_cache import FifoCache


class Owed(NamedTuple):
    """A payment owed between two players for a game, in minor units, with its reason."""

    payer: Player
    payee: Player
    amount: int
    reason: str


class PlacingFact(NamedTuple):
    """The fields of a placing that payments depend on."""

    entrant_id: int
    seat: int
    rank: int


class OwedFact(NamedTuple):
    """`Owed` with entrant keys in place of players."""

    payer: int
    payee: int
    amount: int
    reason: str


StoredSpecials = Sequence[Mapping[str, Any]]
NOTEBOOK = "notebook"
"""The reason of a payment that a club's notebook has, which no stake derives."""


def owed_for(
    result: Result, event: Event, placings: Sequence[Placing], stake: int | None = None
) -> list[Owed]:
    """Return the payments that this result owes, for its own stake or `stake`; none without one.

    The engine made them in an online game; for an entered game it derives them from the places
    and specials. `placings` are the result's, with their entrants' players loaded.
    """
    stake = event.stake_of(result) if stake is None else stake
    if not stake or not placings:
        return []
    if result.source == Result.Source.LIVE:
        owed = owed_live(result.live.payments)
    else:
        owed = owed_entered(event, stake, placings, result.specials)
    people = {placing.entrant_id: placing.entrant.player for placing in placings}
    return [Owed(people[o.payer], people[o.payee], o.amount, o.reason) for o in owed]


def owed_live(payments: Sequence[Mapping[str, Any]]) -> list[OwedFact]:
    """Return the stored payments of an online game."""
    return [OwedFact(paid["from"], paid["to"], paid["amount"], paid["reason"]) for paid in payments]


def owed_noted(balances: Mapping[int, int]) -> list[OwedFact]:
    """Return the fewest payments of what entrants won (above 0) or lost in a game.

    ValueError unless the balances sum to zero.
    """
    return [
        OwedFact(int(paid.payer), int(paid.payee), paid.amount, NOTEBOOK)
        for paid in settle_up.settle(dict(balances.items()))
    ]


def owed_entered(
    event: Event,
    stake: int,
    placings: Sequence[Placing | PlacingFact],
    specials: StoredSpecials,
) -> list[OwedFact]:
    """Return the engine's payments for the entered places and specials."""
    there = sorted(placings, key=attrgetter("seat"))
    order = {placing.entrant_id: index for index, placing in enumerate(there)}
    at_seats = stored_specials.at_seats(stored_specials.from_json(specials), order)
    paid = _payments(event, stake, tuple([placing.rank for placing in there]), at_seats)
    return [
        OwedFact(there[p.sender].entrant_id, there[p.receiver].entrant_id, p.amount, p.reason)
        for p in paid
    ]


_of_places: FifoCache[tuple[str, int, tuple[int, ...]], list[Payment]] = FifoCache(1000)
"""Payments of games without specials: four people have few orders and play many games."""


def _payments(
    event: Event, stake: int, ranks: tuple[int, ...], specials: Sequence[Special]
) -> Sequence[Payment]:
    key = event.ruleset_id, stake, ranks
    paid = None if specials else _of_places.get(key)
    if paid is None:
        groups = grouped((rank, seat) for seat, rank in enumerate(ranks))
        paid = payments_of_game(
            event.rules, [own for _, own in sorted(groups.items())], specials, stake
        )
        if not specials:
            _of_places.put(key, paid)
    return paid
