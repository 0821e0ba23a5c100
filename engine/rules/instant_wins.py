"""Instant wins: the winning hands, the seats that are asked and the winners."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from engine.rules import betting, trick
from engine.rules.cards import ACE, TWO
from engine.rules.cardset import holds, pack, rank_counts, size, unpack
from engine.rules.southern_money import most_bombs
from engine.rules.state import INSTANT_WIN, State

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
    "six_consecutive_pairs": lambda hand, counts: _run_of(counts, 6, 2),
    "five_consecutive_pairs": lambda hand, counts: _run_of(counts, 5, 2),
    "four_triples": lambda hand, counts: _ranks_held(counts, 3) >= 4,
    "three_triples": lambda hand, counts: _ranks_held(counts, 3) >= 3,
    "one_colour": lambda hand, counts: not hand & _RED or not hand & _BLACK,
    "six_pairs": lambda hand, counts: sum(counts.translate(_PAIRS)) >= 6,
    "four_threes": lambda hand, counts: counts[0] >= 4,
    "two_bombs": lambda hand, counts: most_bombs(counts) >= 2,
}


def wins_with(name: str, hand: int) -> bool:
    """Return whether a packed hand is the instant win of this name."""
    return _TESTS[name](hand, rank_counts(hand))


def _may_win(hand: int, counts: bytes) -> bool:
    """Return quickly whether thirteen cards can pass any test: most hands fail all.

    A dragon leaves at most one rank empty; six pairs, three triples or two bombs at least six.
    """
    empty = counts.count(0)
    if not 1 < empty < 6 or counts[TWO] >= 4 or counts[0] >= 4:
        return True
    return not hand & _RED or not hand & _BLACK or (empty == 5 and _run_of(counts, 5, 2))


def best_hand(state: State, seat: int) -> int | None:
    """Return the index of the seat's best instant win in the ruleset's list, or None.

    Exchanges can bar a seat from one instant win, or from all but the ultimate dragon.
    """
    hand = state.dealt[seat]
    counts = rank_counts(hand)
    if not (state.moved or _may_win(hand, counts)) or size(hand) != 13:
        return None
    names = state.ruleset.instant_wins
    barred = ""
    if state.moved >> seat & 1:
        if not state.ruleset.ultimate_dragon_by_trade or "ultimate_dragon" not in names:
            return None
        won = wins_with("ultimate_dragon", state.hands[seat])
        return names.index("ultimate_dragon") if won else None
    if state.debtors >> seat & 1:
        barred = "four_twos"
    for index, name in enumerate(names):
        if name == "four_threes" and state.previous is not None:
            continue  # Four 3s win only in the first game of a match.
        if _TESTS[name](hand, counts) and name != barred:
            return index
    return None


def begin(state: State) -> bool:
    """Ask the holders, or declare for them; return whether a seat has to answer."""
    holders = []
    if state.ruleset.plays_instant_wins():
        order = [(state.leader + step) % state.players for step in range(state.players)]
        holders = [seat for seat in order if best_hand(state, seat) is not None]
    state.declared = ()
    if state.ruleset.instant_wins_declared == "automatic":
        state.asked = []
        state.declared = tuple(holders)
        return False
    state.asked = holders
    if holders:
        state.phase = INSTANT_WIN
        state.turn = holders[0]
    return bool(holders)


def answer(state: State, declares: bool) -> bool:
    """Record the answer of the seat to act; return whether another seat has to answer."""
    if declares:
        state.declared += (state.turn,)
    state.asked.pop(0)
    if state.asked:
        state.turn = state.asked[0]
    return bool(state.asked)


def winners(state: State) -> list[int]:
    """Return the seats that declared, best first; only the best if the rules allow one winner."""
    order = state.ruleset.instant_win_order
    ranked = sorted(state.declared, key=lambda seat: _claim(state, seat, order))
    only_one = order == "top_pair" or betting.ends_on_instant_win(state)
    return ranked[:1] if only_one else ranked


def _claim(state: State, seat: int, order: str) -> int:
    """Return a declaration's sort key, lowest for the best; ties keep the asking order."""
    if order == "previous_placings":
        return _previous_places(state).get(seat, state.players)
    if order == "top_pair":
        return -_top_pair(state, seat)
    return best_hand(state, seat) or 0


def take_effect(state: State) -> None:
    """Place the winners; end the game if the rules or the number of seats left end it."""
    best = winners(state) if state.declared else []
    state.instant_winners = tuple(best)
    for seat in best:
        state.placings.append((seat,))
        state.out |= 1 << seat
    if best and (betting.ends_on_instant_win(state) or len(state.in_play()) <= 1):
        trick.finish(state)


def _previous_places(state: State) -> dict[int, int]:
    if state.previous is None:
        return {}
    return {
        seat: place
        for place, group in enumerate(state.previous.placings)
        for seat in group
        if seat not in state.previous.gone
    }


def _top_pair(state: State, seat: int) -> int:
    """Return 52 for four 2s, else the top card of the highest pair, else -1."""
    hand = state.dealt[seat]
    if wins_with("four_twos", hand) and not state.debtors >> seat & 1:
        return 52
    cards = unpack(hand)
    return max((b for a, b in itertools.pairwise(cards) if a >> 2 == b >> 2), default=-1)
