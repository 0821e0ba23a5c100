"""Readings of observations: card counts, unseen cards, known cards."""

from typing import NamedTuple

from ..rules.cardset import CARD, DECK, pack, unpack
from ..rules.observation import Observation


class Reading(NamedTuple):
    """The state of a game outside the observer's hand.

    `opponents` are the other seats still in play, in order of play from the observer on; `counts`
    each seat's number of cards, worked out from the plays where the ruleset hides it; `unseen` the
    cards neither held nor played, low to high; `known` the cards that a seat must still hold
    because it took them from the observer or had to show them.
    """

    opponents: tuple[int, ...]
    counts: tuple[int, ...]
    unseen: tuple[int, ...]
    known: dict[int, tuple[int, ...]]


def read(observation: Observation) -> Reading:
    seat = observation.seat
    assert seat is not None
    players = observation.players
    placed = {other for group in observation.placings for other in group}
    order = [(seat + step) % players for step in range(1, players)]
    held = [observation.ruleset.cards_for(players)] * players
    cards_played: list[int] = []
    for event in observation.history:
        action = event.action
        if action.do in ("play", "lock"):
            held[action.seat] -= len(action.cards)
            cards_played += action.cards
        elif action.do == "trade" and action.other is not None:
            gained = len(action.take) - len(action.cards)
            held[action.seat] += gained
            held[action.other] -= gained
    unseen = DECK * observation.ruleset.decks_for(players) - pack(observation.hand)
    for card in cards_played:
        unseen -= CARD[card]
    counts = tuple(
        max(held[other], 1) if count is None else count
        for other, count in enumerate(observation.counts)
    )
    return Reading(
        opponents=tuple(other for other in order if other not in placed),
        counts=counts,
        unseen=unpack(unseen),
        known=_known(observation, seat, frozenset(cards_played)),
    )


def _known(
    observation: Observation, seat: int, played: frozenset[int]
) -> dict[int, tuple[int, ...]]:
    """Return the cards that other seats are known to hold; with two decks none is certain."""
    if observation.ruleset.decks_for(observation.players) > 1:
        return {}
    holder: dict[int, int] = {}
    if not set(observation.ruleset.exchange) - {"negotiated"}:
        holder = {card: other for other, card in enumerate(observation.lowest_cards or ())}
    for event in observation.history:
        action = event.action
        if action.do == "trade" and action.other is not None:
            holder |= dict.fromkeys(action.cards, action.other)
            holder |= dict.fromkeys(action.take, action.seat)
        elif event.seen_by is not None and event.given:
            for receiver in event.seen_by - {action.seat}:
                holder |= dict.fromkeys(event.given, receiver)
    known: dict[int, tuple[int, ...]] = {}
    for card, other in sorted(holder.items()):
        if other != seat and card not in played and card not in observation.hand:
            known[other] = (*known.get(other, ()), card)
    return known
