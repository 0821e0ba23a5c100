"""The hands of instant wins, and which of two hands of one name is the better one."""

from collections.abc import Callable

from .cards import ACE, TWO
from .cardset import CARD, holds, pack, rank_counts, unpack
from .ruleset import Ruleset
from .southern_money import most_bombs

_ULTIMATE = pack((0, 4 * ACE + 3))
_RED = 3 * pack(card for card in range(52) if card & 3 > 1)
_BLACK = 3 * pack(card for card in range(52) if card & 3 < 2)


_AT_LEAST = {n: bytes(count >= n for count in range(256)) for n in (1, 2, 3)}
_PAIRS = bytes(count // 2 for count in range(256))


def _run_of(counts: bytes, ranks: int, count: int) -> bool:
    """Return whether `ranks` consecutive ranks below the 2s are held `count` times or more."""
    return b"\1" * ranks in counts[:TWO].translate(_AT_LEAST[count])


def _ranks_held(counts: bytes, count: int) -> int:
    return counts.translate(_AT_LEAST[count]).count(1)


def _one_suit(hand: int) -> bool:
    return any(holds(hand, pack(range(suit, 48, 4))) for suit in range(4))


# Each test takes a packed hand and its number of cards of each rank.
_TESTS: dict[str, Callable[[int, bytes], bool]] = {
    "four_twos": lambda hand, counts: counts[TWO] >= 4,
    "one_suit": lambda hand, counts: _run_of(counts, 12, 1) and _one_suit(hand),
    "ultimate_dragon": lambda hand, counts: _run_of(counts, 12, 1) and holds(hand, _ULTIMATE),
    "dragon": lambda hand, counts: 0 not in counts,
    "dragon_to_ace": lambda hand, counts: 0 not in counts[:TWO],
    "three_consecutive_triples": lambda hand, counts: _run_of(counts, 3, 3),
    "four_triples": lambda hand, counts: _ranks_held(counts, 3) >= 4,
    "three_triples": lambda hand, counts: _ranks_held(counts, 3) >= 3,
    "one_colour": lambda hand, counts: not hand & _RED or not hand & _BLACK,
    "four_threes": lambda hand, counts: counts[0] >= 4,
}
# Each test takes the number of cards of each rank that are in pairs which count.
_OF_PAIRS: dict[str, Callable[[bytes], bool]] = {
    "six_consecutive_pairs": lambda counts: _run_of(counts, 6, 2),
    "five_consecutive_pairs": lambda counts: _run_of(counts, 5, 2),
    "three_pairs_with_three_spades": lambda counts: min(counts[:3]) >= 2,
    "six_pairs": lambda counts: sum(counts.translate(_PAIRS)) >= 6,
}


def wins_with(name: str, hand: int, ruleset: Ruleset) -> bool:
    """Return whether a packed hand is the instant win of this name."""
    if name in _TESTS:
        return _TESTS[name](hand, rank_counts(hand))
    if name == "two_bombs":
        return most_bombs(ruleset, hand) >= 2
    if name == "three_pairs_with_three_spades":
        if not holds(hand, CARD[0]):
            return False
        if not _pairs_are_free(ruleset, name):
            hand &= ~(_RED & 0xFF)  # The pair with 3♠ is black.
    return any(_OF_PAIRS[name](counts) for counts in _pairs_that_count(name, hand, ruleset))


def _pairs_are_free(ruleset: Ruleset, name: str) -> bool:
    """Return whether pairs of any colours count for an instant win."""
    if ruleset.instant_pairs != "playable":
        return ruleset.instant_pairs == "any"
    runs = name != "six_pairs" and ruleset.pair_runs_match == "colour"
    return ruleset.pairs_match == "any" and not runs


def _pairs_that_count(name: str, hand: int, ruleset: Ruleset) -> list[bytes]:
    """Return the number of cards of each rank in pairs that count; by colour if one must do."""
    counts = rank_counts(hand)
    if _pairs_are_free(ruleset, name):
        return [counts]
    black, red = (rank_counts(hand & colour) for colour in (_BLACK, _RED))
    runs = name != "six_pairs" and ruleset.pair_runs_match == "colour"
    if runs or ruleset.instant_pairs == "one_colour":
        return [black, red]
    pairs = [2 * (b // 2 + r // 2) for b, r in zip(black, red, strict=True)]
    return [bytes([*pairs[:TWO], counts[TWO]])]


def strength(name: str, hand: int, ruleset: Ruleset) -> tuple[int, ...]:
    """Return a sort key of hands with the same instant win, highest for the best.

    Pairs are compared from the highest on, straights of one suit by their suit, other hands card by
    card; of two hands of one colour the red one is better.
    """
    if name == "one_suit":
        return tuple(suit for suit in range(4) if holds(hand, pack(range(suit, 48, 4))))
    if name not in _OF_PAIRS:
        return (bool(hand & _RED) and not hand & _BLACK, *reversed(unpack(hand)))
    free = _pairs_are_free(ruleset, name)
    in_run = name != "six_pairs" and ruleset.pair_runs_match == "colour"
    free_twos = not in_run and ruleset.instant_pairs != "one_colour"
    tops = []
    for rank in range(13):
        cards = [card for card in unpack(hand) if card >> 2 == rank]
        colours = [cards]
        if not (free or (free_twos and rank == TWO)):
            colours = [[card for card in cards if card >> 1 & 1 == red] for red in (0, 1)]
        tops += [card for part in colours for card in part[::-2][: len(part) // 2]]
    return tuple(sorted(tops, reverse=True))


def may_win(hand: int, counts: bytes) -> bool:
    """Return quickly whether thirteen cards can pass any test: most hands fail all.

    A dragon leaves at most one rank empty; six pairs, three triples or two bombs at least six.
    """
    empty = counts.count(0)
    if not 1 < empty < 6 or counts[TWO] >= 4 or counts[0] >= 4 or min(counts[:3]) >= 2:
        return True
    return not hand & _RED or not hand & _BLACK or (empty == 5 and _run_of(counts, 5, 2))
