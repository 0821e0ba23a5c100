"""The club's money: transfers that only ever come in balanced games, and are never changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from accounts.models import User
from engine.specials import payments_of_game
from league.domain import entry
from league.models import Account, Event, Placing, Player, Result, Transfer
from tables.services import rulesets


def account_of(player: Player) -> Account:
    """The player's account in the club's ledger."""
    account, _created = Account.objects.get_or_create(
        player=player, defaults={"club_id": player.club_id}
    )
    return account


class Owed(NamedTuple):
    """What a game moves between two players, in minor units, and why."""

    payer: Player
    payee: Player
    amount: int
    reason: str


def owed_for(result: Result, event: Event, placings: Sequence[Placing]) -> list[Owed]:
    """What the event's betting scheme says for this result; nothing when there is no stake.

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
    specials = entry.at_seats(entry.from_json(result.specials), seat_of)
    owed = payments_of_game(ruleset, groups, specials, event.stake)
    return [
        Owed(players[seats[p.sender]], players[seats[p.receiver]], p.amount, p.reason) for p in owed
    ]


def post_game(*, result: Result, event: Event) -> list[Transfer]:
    """Moves what is owed for the result.

    A transfer from one player to another leaves the sum of the game at zero by construction.
    """
    if not event.stake:
        return []
    placings = list(result.placings.select_related("entrant__player"))
    return Transfer.objects.bulk_create(
        Transfer(
            payer=account_of(owed.payer),
            payee=account_of(owed.payee),
            amount=owed.amount,
            reason=owed.reason,
            detail={"game": result.game_no},
            event=event,
            result=result,
            by=result.by,
        )
        for owed in owed_for(result, event, placings)
    )


def reverse_game(*, result: Result, by: User | None) -> list[Transfer]:
    """Takes back every transfer of a result by its mirror image."""
    return Transfer.objects.bulk_create(
        mirror(transfer, result=result, reverses=transfer, by=by)
        for transfer in result.transfers.filter(transfer=None, reverses=None)
    )


def mirror(transfer: Transfer, **fields: Any) -> Transfer:
    """Return, unsaved, the transfer that takes another back; `fields` say where it belongs."""
    return Transfer(
        payer_id=transfer.payee_id,
        payee_id=transfer.payer_id,
        amount=transfer.amount,
        reason=transfer.reason,
        detail=transfer.detail,
        event_id=transfer.event_id,
        **fields,
    )


def _groups(placings: Sequence[Placing], order: dict[int, int]) -> list[list[int]]:
    """The placings as groups of seats, first place first, seats counted without gaps."""
    ranks = sorted({placing.rank for placing in placings})
    return [
        sorted(order[placing.seat] for placing in placings if placing.rank == rank)
        for rank in ranks
    ]
