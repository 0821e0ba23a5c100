"""The club's ledger of games: transfers that sum to zero for each game and are never changed."""

from typing import Any

from accounts.models import User
from league.models import Account, Player, Result, Transfer


def account_of(player: Player) -> Account:
    """Return the player's account in the club's ledger."""
    account, _created = Account.objects.get_or_create(
        player=player, defaults={"club_id": player.club_id}
    )
    return account


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
