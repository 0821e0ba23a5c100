"""The club's ledger of games: transfers that sum to zero for each game and are never changed."""

from collections.abc import Sequence
from typing import Any

from accounts.models import User
from league.models import Account, Event, Placing, Player, Result, Transfer
from league.money.facts.owed import owed_for


def account_of(player: Player) -> Account:
    """Return the player's account in the club's ledger."""
    account, _created = Account.objects.get_or_create(
        player=player, defaults={"club_id": player.club_id}
    )
    return account


def post_game(
    *, result: Result, event: Event, placings: Sequence[Placing], by: User | None = None
) -> list[Transfer]:
    """Create the transfers owed for the result.

    `placings` have their entrants' players loaded, with their accounts.
    `by` is the account that posts them, by default the one that entered the game. Each transfer
    goes from one player to another, so the game sums to zero by construction.
    """
    if not event.stake:
        return []
    owed_now = owed_for(result, event, placings)
    players = {placing.entrant.player_id: placing.entrant.player for placing in placings}
    accounts = {
        key: getattr(player, "account", None) or account_of(player)
        for key, player in players.items()
    }
    return Transfer.objects.bulk_create(
        Transfer(
            payer=accounts[owed.payer.pk],
            payee=accounts[owed.payee.pk],
            amount=owed.amount,
            reason=owed.reason,
            detail={"game": result.game_no},
            event=event,
            result=result,
            by=by or result.by,
        )
        for owed in owed_now
    )


def reverse_game(*, result: Result, by: User | None) -> list[Transfer]:
    """Reverse every transfer of a result by its mirror image."""
    return Transfer.objects.bulk_create(
        mirror(transfer, result=result, reverses=transfer, by=by)
        for transfer in result.transfers.filter(transfer=None, reverses=None)
    )


def mirror(transfer: Transfer, **fields: Any) -> Transfer:
    """Return an unsaved transfer that reverses another; `fields` name its result or posting."""
    return Transfer(
        payer_id=transfer.payee_id,
        payee_id=transfer.payer_id,
        amount=transfer.amount,
        reason=transfer.reason,
        detail=transfer.detail,
        event_id=transfer.event_id,
        **fields,
    )
