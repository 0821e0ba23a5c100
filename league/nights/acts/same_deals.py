"""The deals of a round whose tables all play the same cards."""

from __future__ import annotations

from django.db import transaction

from league.base.acts import locks
from league.models import Event, NightDeals
from tables.chairs.acts import shared_deals
from tables.models import SharedDeals


@transaction.atomic
def deals_of(*, event: Event, round_no: int) -> SharedDeals:
    """Return a round's deals, made when first asked for: to print them, or at its release."""
    found = NightDeals.objects.select_related("shared").filter(event=event, round_no=round_no)
    if (known := found.first()) is not None:
        return known.shared
    locks.event_to_change(event.pk)
    if (known := found.first()) is None:
        shared = shared_deals.make()
        known = NightDeals.objects.create(event=event, round_no=round_no, shared=shared)
    return known.shared
