"""The deals of a round whose tables all play the same cards."""

from __future__ import annotations

from django.db import transaction

from league.base.acts import locks
from league.models import Event, NightDeals, Round
from league.nights.facts import same_deals
from tables.chairs.acts import shared_deals
from tables.models import SharedDeals

ALL = 32767


@transaction.atomic
def deals_of(*, event: Event, round_no: int, unplayed: bool = False) -> SharedDeals:
    """Return a round's deals, made when first asked for: to print them, or at its release.

    `unplayed` replaces those of a round that was withdrawn after its first cards.
    """
    found = NightDeals.objects.select_related("shared").filter(event=event, round_no=round_no)
    known = found.first()
    if known is None or (unplayed and known.shared.dealt_at):
        locks.event_to_change(event.pk)
        if unplayed:
            found.filter(shared__dealt_at__isnull=False).delete()
        if (known := found.first()) is None:
            shared = shared_deals.make()
            known = NightDeals.objects.create(event=event, round_no=round_no, shared=shared)
    return known.shared


def tell(*, round_: Round) -> int:
    """Let everyone read the deals of a locked night's round that have ended at every table.

    Return how many they are.
    """
    ended = same_deals.told(round_)
    own = SharedDeals.objects.filter(night__event=round_.event_id, night__round_no=round_.number)
    own.filter(told__lt=ended).update(told=ended)
    return ended


def tell_all(*, event: Event) -> None:
    """Let everyone read all deals of a night that is closed."""
    SharedDeals.objects.filter(night__event=event).update(told=ALL)
