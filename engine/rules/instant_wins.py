"""Instant wins: the winning hands, the seats that are asked and the winners."""

import itertools

from . import betting, trick
from .cardset import rank_counts, size, unpack
from .instant_hands import may_win, strength, wins_with
from .ruleset import FIRST_GAME_WINS
from .state import INSTANT_WIN, State


def best_hand(state: State, seat: int) -> int | None:
    """Return the index of the seat's best instant win in the ruleset's list, or None.

    Exchanges can bar a seat from one instant win, or from all but the ultimate dragon.
    """
    hand = state.dealt[seat]
    counts = rank_counts(hand)
    if not (state.moved or may_win(hand, counts)) or size(hand) != 13:
        return None
    names = state.ruleset.instant_wins
    barred = ""
    if state.moved >> seat & 1:
        if not state.ruleset.ultimate_dragon_by_trade or "ultimate_dragon" not in names:
            return None
        won = wins_with("ultimate_dragon", state.hands[seat], state.ruleset)
        return names.index("ultimate_dragon") if won else None
    if state.debtors >> seat & 1:
        barred = "four_twos"
    for index, name in enumerate(names):
        if name in FIRST_GAME_WINS and state.previous is not None:
            continue
        if name != barred and wins_with(name, hand, state.ruleset):
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


def _claim(state: State, seat: int, order: str) -> tuple[int, ...]:
    """Return a declaration's sort key, lowest for the best; ties keep the asking order."""
    if order == "previous_placings":
        return (_previous_places(state).get(seat, state.players),)
    if order == "top_pair":
        return (-_top_pair(state, seat),)
    best = best_hand(state, seat) or 0
    if state.ruleset.instant_win_ties == "turn":
        return (best,)
    name = state.ruleset.instant_wins[best]
    return (best, *(-part for part in strength(name, state.dealt[seat], state.ruleset)))


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
    if wins_with("four_twos", hand, state.ruleset) and not state.debtors >> seat & 1:
        return 52
    cards = unpack(hand)
    return max((b for a, b in itertools.pairwise(cards) if a >> 2 == b >> 2), default=-1)
