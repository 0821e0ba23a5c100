"""What a game costs while it is played: each scheme's payments as they fall due.

Amounts are counted in units of the scheme and multiplied by the stake when they are paid.
"""

from __future__ import annotations

from engine.mien_nam import bomb_value, cong_value, left_over_payments
from engine.payments import payments_from_placings
from engine.shapes import PAIR, is_bomb, is_twos, shape_of
from engine.state import Chop, Payment, State


def chopped(state: State, chop: Chop) -> None:
    """Note what the player who was chopped owes until the trick ends."""
    scheme = state.ruleset.betting
    if scheme == "loser_pays_winner":
        units = _killa_units(state, chop)
    elif scheme == "mien_nam":
        before = state.chain_value if chop.level > 1 else 0
        units = state.chain_value = before + bomb_value(state.ruleset, chop.on)
    else:
        return
    if units and chop.by != chop.of:
        state.debt = Payment(chop.of, chop.by, units * state.stake, "chop")


def _killa_units(state: State, chop: Chop) -> int:
    """killa, "Betting" 2 and 3: 1 on a 2, a pair of 2s or a led bomb; 2 on one that had earned."""
    if is_twos(chop.on) and not is_bomb(chop.on):
        return 1 if shape_of(chop.on) <= PAIR else 0
    return 2 if state.debt is not None and state.debt.receiver == chop.of else 1


def trick_over(state: State) -> None:
    """Pay what stands at the end of a trick: only the last debt of its chain is left."""
    if state.debt is not None:
        state.payments.append(state.debt)
        state.debt = None


def first_out(state: State) -> None:
    """Pay the first to go out for everyone who has not played a card (cóng)."""
    if state.ruleset.betting != "mien_nam":
        return
    winner = state.placings[0][0]
    for seat in state.in_play():
        if not state.played >> seat & 1:
            state.cong |= 1 << seat
            units = cong_value(state.ruleset, state.hands[seat])
            _pay(state, seat, winner, units, "cong")


def game_over(state: State) -> None:
    """Pay for the places and for what the last player holds."""
    ruleset, placings = state.ruleset, state.placings
    if ruleset.betting != "mien_nam":
        state.payments += payments_from_placings(ruleset, placings, state.stake)
        return
    winner = placings[0][0]
    if state.instant_winners and ends_on_instant_win(state):
        for seat in range(state.players):
            if seat != winner:
                _pay(state, seat, winner, dict(ruleset.money)["instant_win"], "instant_win")
        return
    cong = state.cong
    for payment in payments_from_placings(ruleset, placings, state.stake):
        if not (cong >> payment.sender | cong >> payment.receiver) & 1:
            state.payments.append(payment)
    for seat in placings[-1] if len(placings) > 1 else ():
        if not cong >> seat & 1:
            for units, reason in left_over_payments(ruleset, state.hands[seat]):
                _pay(state, seat, winner, units, reason)


def ends_on_instant_win(state: State) -> bool:
    """Tell whether an instant win ends the game; with money at stake killa plays on."""
    then = state.ruleset.instant_win_then
    for_money = state.ruleset.betting not in ("none", "points")
    return then == "end" or (then == "end_without_betting" and not for_money)


def _pay(state: State, sender: int, receiver: int, units: int, reason: str) -> None:
    if units:
        state.payments.append(Payment(sender, receiver, units * state.stake, reason))
