"""The deals of a round whose tables all play the same cards."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Event, LivePlan, NightDeals, Round
from league.nights.facts import same_deals
from tables.chairs.acts import shared_deals
from tables.models import SharedDeals
from tables.refusals import Refusal

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


@transaction.atomic
def prepare(*, event: Event, by: User) -> None:
    """Let an organiser see all deals of a night, to sort packs of real cards by them.

    Who has seen them cannot play: see `refuse_preparers`. Refusal: `plays` for one on the
    night's list, `online` where tables in the browser deal the cards.
    """
    event = locks.event_to_change(event.pk)
    if same_deals.plays(event, by.pk):
        raise Refusal(
            _("You are on tonight's list. The cards are sorted by an organiser who does not play."),
            code="plays",
            status=403,
        )
    if LivePlan.objects.filter(event=event, played=LivePlan.Played.LIVE).exists():
        raise Refusal(_("The tables are online: the cards are dealt there."), code="online")
    for number in range(1, event.rounds_planned + 1):
        deals_of(event=event, round_no=number)
    if by.pk not in same_deals.preparers(event):
        audit.log("deals.seen", by=by, event=event)


def refuse_preparers(event: Event, entrants: Collection[int]) -> None:
    """Refuse to seat players who have seen the night's cards."""
    if not event.rules_of_format.same_deals:
        return
    seen = event.entrants.filter(pk__in=entrants, player__user__in=same_deals.preparers(event))
    if names := list(seen.values_list("player__name", flat=True)):
        raise Refusal(
            _("%(names)s saw tonight's cards and can't play. Check them out first."),
            code="saw_cards",
            params={"names": ", ".join(names)},
            status=409,
        )
