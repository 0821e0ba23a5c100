"""Dealing, and the next game's dealer and leader."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from .inherited import Previous
from .lead import inherited_leader
from .ruleset import Ruleset


class Bits(Protocol):
    """A source of random bits, such as random.Random or secrets.SystemRandom."""

    def getrandbits(self, k: int, /) -> int: ...


class NextDeal(NamedTuple):
    """The next game's `dealer` and `leader`; None means that the lowest card leads."""

    dealer: int
    leader: int | None


# The positions of the largest deck from last to second, each with the bits of a random choice
# among it and the positions before it.
_SWAPS = [(at, (at + 1).bit_length()) for at in range(103, 0, -1)]


def below(rng: Bits, limit: int) -> int:
    """Return a uniform number from 0 to limit - 1, the same on every Python version."""
    bits = limit.bit_length()
    number = rng.getrandbits(bits)
    while number >= limit:
        number = rng.getrandbits(bits)
    return number


def shuffled_deck(decks: int, rng: Bits) -> list[int]:
    """Return the cards of one or two decks in random order (Fisher and Yates)."""
    deck = list(range(52)) * decks
    bits = rng.getrandbits
    for at, size in _SWAPS[-len(deck) + 1 :]:
        # `below(rng, at + 1)` inlined: dealing is a tenth of a simulated game.
        other = bits(size)
        while other > at:
            other = bits(size)
        deck[at], deck[other] = deck[other], deck[at]
    return deck


def deal(ruleset: Ruleset, players: int, rng: Bits, *, first: int = 0) -> list[tuple[int, ...]]:
    """Return a sorted hand for each seat; undealt cards are set aside.

    `first` is the seat that is dealt to first: if all cards are dealt, odd cards go to it and the
    seats after it.
    """
    deck = shuffled_deck(ruleset.decks_for(players), rng)
    used = len(deck) if ruleset.deal_all else ruleset.cards_for(players) * players
    hands = [deck[turn:used:players] for turn in range(players)]
    return [tuple(sorted(hands[(seat - first) % players])) for seat in range(players)]


def next_deal(
    ruleset: Ruleset,
    placings: Sequence[Sequence[int]],
    *,
    gone: Collection[int] = (),
    empty: Collection[int] = (),
) -> NextDeal:
    """Return the dealer and leader after a game with these placings (groups of seats, best first).

    The last who still sits there deals; of seats that share that place, the highest one. `gone`
    are seats that have a new player, `empty` those that have none, which may not be all.
    """
    groups = tuple(tuple(group) for group in placings)
    seated = [left for group in groups if (left := [seat for seat in group if seat not in empty])]
    leader = inherited_leader(ruleset, Previous(placings=groups, gone=frozenset(gone)))
    return NextDeal(max(seated[-1]), None if leader in empty else leader)


def first_dealt(ruleset: Ruleset, dealer: int, players: int, winner: int | None = None) -> int:
    """Return the seat that gets the first card: the one after the dealer, or the last winner."""
    if ruleset.first_card_to_winner and winner is not None:
        return winner
    return (dealer + 1) % players
