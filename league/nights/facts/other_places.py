"""What a player may say of a game's order: that one had another's place, and that one theirs."""

from collections.abc import Iterable, Sequence

from league.models import Placing, Player


def other_places(placings: Sequence[Placing], player: Player | None) -> list[int]:
    """Return the places that the player may have had instead; none where places are shared."""
    ranks = sorted(placing.rank for placing in placings)
    mine = place_of(placings, player)
    if mine is None or len(set(ranks)) < len(ranks):
        return []
    return [rank for rank in ranks if rank != mine]


def order_with(placings: Sequence[Placing], player: Player | None, place: int) -> list[int]:
    """Return the entrants' keys, first place first, with the player at that place.

    Who is recorded there has the player's place instead; empty if the player cannot say so.
    """
    if place not in other_places(placings, player):
        return []
    swapped = {place_of(placings, player): place, place: place_of(placings, player)}
    ranked = sorted(placings, key=lambda one: swapped.get(one.rank, one.rank) or 0)
    return [placing.entrant_id for placing in ranked]


def place_of(placings: Iterable[Placing], player: Player | None) -> int | None:
    """Return the player's place, also under a name that was merged; None without one."""
    own = player and (player.merged_into_id or player.pk)
    for placing in placings:
        known = placing.entrant.player
        if own and own in (known.pk, known.merged_into_id):
            return placing.rank
    return None
