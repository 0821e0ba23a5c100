"""The hands that were played in nights whose tables all play the same deals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from django.db.models import Q
from django.db.models.functions import Coalesce

from league.base.domain.grouped import net_of
from league.base.domain.keys import Key, Pair
from league.models import Event, Placing, Transfer
from league.seasons.domain import same_deals
from league.seasons.domain.same_deals import Beaten, HeldHand

_ROUND = "result__sitting__round"


def held_in(events: Iterable[Event], *, with_held: bool = False) -> dict[int, list[HeldHand]]:
    """Return the hands played in these nights, by night; none without the same deals."""
    keys = [event.pk for event in events if event.rules_of_format.same_deals]
    if not keys:
        return {}
    counted = Q(result__current=True, result__void=False)
    if with_held:
        counted |= Q(result__held=True, result__void=False)
    found: defaultdict[int, list[HeldHand]] = defaultdict(list)
    rows = Placing.objects.filter(counted, **{f"{_ROUND}__event__in": keys}).order_by("pk")
    columns = (
        f"{_ROUND}__event",
        f"{_ROUND}__number",
        "result__game_no",
        "seat",
        owner("entrant"),
    )
    for event, round_no, number, seat, player, *place in rows.values_list(
        *columns, "rank", "tied", "size", "result__sitting__table_no"
    ):
        hand = same_deals.hand_of(seat, number)
        found[event].append(HeldHand((round_no, number), hand, player, *place))
    return found


def won_in(event: Event) -> Counter[tuple[tuple[Key, int], Key]]:
    """Return the money that each player won with each deal of a night, in minor units."""
    moved = Transfer.objects.filter(event=event, result__isnull=False).values_list(
        "result__sitting__round__number",
        "result__game_no",
        owner("payer"),
        owner("payee"),
        "amount",
    )
    return net_of(
        (((round_no, number), payer), ((round_no, number), payee), amount)
        for round_no, number, payer, payee, amount in moved
    )


def beaten_in(events: Sequence[Event], *, with_held: bool = False) -> dict[Pair, Beaten]:
    """Return what everyone beat, by (player, night), in the nights with the same deals."""
    return {
        (player, event): Beaten(sum(shares, Fraction(0)), len(shares))
        for event, held in held_in(events, with_held=with_held).items()
        for player, shares in same_deals.by_entrant(same_deals.played_hands(held)).items()
    }


def owner(path: str) -> Coalesce:
    """Return the key of the player for whom an entrant or an account counts."""
    return Coalesce(f"{path}__player__merged_into_id", f"{path}__player_id")
