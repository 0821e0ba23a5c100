"""What the ledger says of a night."""

from collections import Counter

from league.models import Event, Transfer


def moved(event: Event) -> dict[str, int]:
    """What each won or lost in the night, by names; who won nothing is left out."""
    found: Counter[str] = Counter()
    for transfer in Transfer.objects.filter(event=event).select_related(
        "payer__player", "payee__player"
    ):
        found[transfer.payer.player.name] -= transfer.amount
        found[transfer.payee.player.name] += transfer.amount
    return {name: amount for name, amount in found.items() if amount}
