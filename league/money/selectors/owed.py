"""What a game moves between its players, by the event's betting scheme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.rules.specials import payments_of_game
from league.base.domain import stored_specials
from league.models import Entrant, Event, Placing, Player, Result
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
    entrant: Entrant


def owed_for(result: Result, event: Event, placings: Sequence[Placing | PlacingFact]) -> list[Owed]:
    """Return what the event's betting scheme says for this result; nothing when there is no stake.

    The payments are the engine's: those that it made in a live game, else of the places and of the
    specials entered. `placings` are those of the result, with their entrants' players.
    """
    if not event.stake or not placings:
        return []
    if result.source == Result.Source.LIVE:
        people = {placing.entrant_id: placing.entrant.player for placing in placings}
        return [
            Owed(people[paid["from"]], people[paid["to"]], paid["amount"], paid["reason"])
            for paid in result.live.payments
        ]
    players = {placing.seat: placing.entrant.player for placing in placings}
    order = {seat: index for index, seat in enumerate(sorted(players))}
    seats = {index: seat for seat, index in order.items()}
    ruleset, groups = rulesets.thaw(event.ruleset), _groups(placings, order)
    seat_of = {placing.entrant_id: order[placing.seat] for placing in placings}
    specials = stored_specials.at_seats(stored_specials.from_json(result.specials), seat_of)
    owed = payments_of_game(ruleset, groups, specials, event.stake)
    return [
        Owed(players[seats[p.sender]], players[seats[p.receiver]], p.amount, p.reason) for p in owed
    ]


def _groups(placings: Sequence[Placing | PlacingFact], order: dict[int, int]) -> list[list[int]]:
    """Return the placings as groups of seats, first place first, seats counted without gaps."""
    ranks = sorted({placing.rank for placing in placings})
    return [
        sorted(order[placing.seat] for placing in placings if placing.rank == rank)
        for rank in ranks
    ]
