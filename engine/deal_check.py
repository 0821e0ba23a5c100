"""Whether a game can start with these hands and this inheritance."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import format_cards
from engine.errors import StartError
from engine.ruleset import Ruleset
from engine.state import Previous


def check_deal(ruleset: Ruleset, hands: Sequence[Sequence[int]]) -> None:
    """Raise StartError where these hands are no deal of the ruleset."""
    players = len(hands)
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise StartError(
            f"hands: {ruleset.key} is for {ruleset.min_players} to {ruleset.max_players} players, "
            f"not {players}"
        )
    decks = ruleset.decks_for(players)
    each = ruleset.cards_for(players)
    spare = 52 * decks % players if ruleset.deal_all else 0
    for seat, hand in enumerate(hands):
        if len(hand) != each and not (spare and len(hand) == each + 1):
            raise StartError(
                f"hands: seat {seat} has {len(hand)} cards, {ruleset.key} deals {each} each "
                f"to {players} players"
            )
    if spare and sum(len(hand) for hand in hands) != 52 * decks:
        raise StartError(f"hands: all {52 * decks} cards must be dealt")
    _check_copies([card for hand in hands for card in hand], decks)


def _check_copies(cards: list[int], decks: int) -> None:
    if len(set(cards)) == len(cards):
        return
    for card in sorted(set(cards)):
        if cards.count(card) > decks:
            raise StartError(
                f"hands: {format_cards((card,))} is there {cards.count(card)} times, "
                f"with {decks} deck{'s' if decks > 1 else ''}"
            )


def check_inherited(players: int, previous: Previous | None, leader: int | None) -> None:
    """Raise StartError where the leader or the previous game names seats that do not exist."""
    if leader is not None and not 0 <= leader < players:
        raise StartError(f"leader: there are only seats 0 to {players - 1}")
    if previous is not None:
        _check_previous(previous, players)


def _check_previous(previous: Previous, players: int) -> None:
    seats = [seat for group in previous.placings for seat in group]
    if sorted(seats) != list(range(players)) or not all(previous.placings):
        raise StartError(
            f"previous: placings must name each seat from 0 to {players - 1} once, in groups"
        )
    for chop in previous.chops:
        if not (0 <= chop.by < players and 0 <= chop.of < players):
            raise StartError(f"previous: chops: there are only seats 0 to {players - 1}")
    if any(not 0 <= seat < players for seat in previous.gone):
        raise StartError(f"previous: gone: there are only seats 0 to {players - 1}")
    if previous.twos_left and len(previous.twos_left) != players:
        raise StartError(f"previous: hands must be {players} texts, one for each seat")
