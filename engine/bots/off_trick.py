"""Actions outside tricks, shared by most bots: exchanges, instant wins, locks."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.actions import SeatAction
from ..rules.cardset import pack, rank_counts
from ..rules.observation import Observation
from ..rules.rule_tables import table
from .decompose import decomposer
from .weights import shipped_weights

# Longer lists of cards to return are not weighed one by one.
_MOST_WEIGHED = 400


def without_choice(observation: Observation, legal: Sequence[SeatAction]) -> SeatAction | None:
    """Return the action where there is nothing to weigh: the only one, or one `off_trick`."""
    if len(legal) == 1:
        return legal[0]
    if not any(action.do == "play" for action in legal):
        return off_trick(observation, legal)
    return None


def off_trick(observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
    """Return the action to take where no card can be played.

    It declares an instant win, asks for the highest rank, and gives away the cards that leave the
    cheapest hand.
    """
    first = legal[0]
    if first.do == "ask":
        return max(legal, key=lambda action: action.rank or 0)
    if first.do in ("return", "give"):
        return _dearest_left(observation, legal)
    return next((action for action in legal if action.do in ("declare", "pass")), first)


def _dearest_left(observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
    if len(legal) > _MOST_WEIGHED:
        return min(legal, key=lambda action: action.cards)
    best = decomposer(table(observation.ruleset).generator, shipped_weights()).best
    hand = pack(observation.hand)

    def burden(action: SeatAction) -> tuple[int, tuple[int, ...]]:
        return best(rank_counts(hand - pack(action.cards)))[0], action.cards

    return min(legal, key=burden)


def locked(chosen: SeatAction, legal: Sequence[SeatAction]) -> SeatAction:
    """Return the chosen play as a lock where that is legal: fewer plays can answer a lock."""
    lock = chosen._replace(do="lock")
    return lock if chosen.do == "play" and lock in legal else chosen
