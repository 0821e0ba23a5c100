"""Detection of one person in two seats of a members-only table.

Nobody is refused: people share phones, and a club's hall is one network. Organisers see it.
"""

from django.db import transaction

from tables.base import tokens
from tables.chairs.acts import seats
from tables.models import Seat, SharedPlace, Table


@transaction.atomic
def note(*, table: Table, seat_id: int, device: str, network: str) -> None:
    """Store where a seat is played from, and which seats at the table share that place.

    `device` is the secret of the browser. Only members-only tables are recorded.
    """
    if not table.is_for_members:
        return
    seats.lock(table.pk)
    here = {SharedPlace.By.DEVICE: tokens.hash_of(device), SharedPlace.By.NETWORK: network}
    sitting = Seat.objects.filter(table=table, left_at=None)
    sitting.filter(pk=seat_id).update(**here)
    found = [
        SharedPlace(one_id=min(seat_id, other), other_id=max(seat_id, other), by=by)
        for by, place in here.items()
        for other in sitting.exclude(pk=seat_id).filter(**{by: place}).values_list("pk", flat=True)
    ]
    SharedPlace.objects.bulk_create(found, ignore_conflicts=True)
