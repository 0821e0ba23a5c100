"""Payments during a game under each betting scheme, recorded as they fall due.

Amounts are counted in units of the scheme and multiplied by the stake when they are paid.
"""

from __future__ import annotations

from .cardset import CARD
from .payments import at_the_end, payments_from_placings, units_for_cong, units_for_left
from .ruleset import Ruleset
from .shapes import PAIR, SINGLE, is_bomb, is_twos, shape_of, top_card
from .southern_money import bomb_value, holds_worth, left_with
from .state import Chop, Payment, State


def chopped(state: State, chop: Chop) -> None:
    """Record the debt for a chop: paid at once if each chop is paid, else when the trick ends."""
    scheme = state.ruleset.betting
    if scheme == "loser_pays_winner":
        units = _killa_units(state, chop)
    elif scheme == "mien_nam":
        units = _southern_units(state, chop)
    else:
        return
    if not units or chop.by == chop.of:
        return
    payment = Payment(chop.of, chop.by, units * state.stake, "chop")
    if scheme == "mien_nam" and state.ruleset.chops_paid == "each":
        state.payments.append(payment)
    else:
        state.debt = payment


def _southern_units(state: State, chop: Chop) -> int:
    """Return the units beaten by the whole chain, or by this chop if each link is paid."""
    ruleset = state.ruleset
    before = state.chain_value if chop.level > 1 and ruleset.chops_paid == "last" else 0
    units = state.chain_value = before + bomb_value(ruleset, chop.on) * ruleset.chop_multiple
    return units


def _killa_units(state: State, chop: Chop) -> int:
    """Return the units of a chop in killa ("Betting" 2 and 3).

    1 on a 2, a pair of 2s or a led bomb; 2 on a bomb that had itself earned a debt.
    """
    if is_twos(chop.on) and not is_bomb(chop.on):
        return 1 if shape_of(chop.on) <= PAIR else 0
    return 2 if state.debt is not None and state.debt.receiver == chop.of else 1


def trick_over(state: State) -> None:
    """Pay the debt at the end of a trick: only the last of its chain is left."""
    if state.debt is not None:
        state.payments.append(state.debt)
        state.debt = None


def first_out(state: State) -> None:
    """Record the payments to the first player out from all who have played no card (cóng)."""
    ruleset = state.ruleset
    winner = state.placings[0][0]
    if ruleset.betting != "mien_nam" or by_three_spades(state):
        return
    others = state.in_play()
    late = [seat for seat in others if not state.played >> seat & 1]
    if not late and not ruleset.winner_doubles:
        return
    if ruleset.winner_doubles:
        last_play = {finish_of(state.top), "sweep" if late == others else None}
        state.doubled = not last_play.isdisjoint(ruleset.winner_doubles)
    owed = []
    for seat in late:
        state.cong |= 1 << seat
        units = units_for_cong(ruleset, left_with(ruleset, state.hands[seat]))
        owed.append(Payment(seat, winner, units * state.stake, "cong"))
    state.payments += at_the_end(ruleset, owed, winner, state.stake, doubled=state.doubled)


def finish_of(play: int) -> str | None:
    """Return the name of a last play that may double its player's payments, or None."""
    if is_bomb(play):
        return "bomb"
    return "three_spades" if shape_of(play) == SINGLE and top_card(play) == 0 else None


def game_over(state: State) -> None:
    """Pay for the places and for the cards left with the losers."""
    ruleset, placings, stake = state.ruleset, state.placings, state.stake
    if ruleset.betting != "mien_nam":
        state.payments += payments_from_placings(ruleset, placings, stake)
        return
    winner = placings[0][0]
    if state.instant_winners and ends_on_instant_win(state):
        amount = dict(ruleset.money)["instant_win"] * stake
        others = [seat for seat in range(state.players) if seat != winner]
        owed = [Payment(seat, winner, amount, "instant_win") for seat in others]
        state.payments += at_the_end(ruleset, owed, winner, stake)
        return
    if by_three_spades(state):
        state.payments += _three_spades(state)
        return
    cong = state.cong
    owed = [
        payment
        for payment in payments_from_placings(ruleset, placings, stake)
        if ruleset.cong_place or not (cong >> payment.sender | cong >> payment.receiver) & 1
    ]
    for seat in placings[-1] if len(placings) > 1 else ():
        hand = state.hands[seat]
        if not cong >> seat & 1 and (ruleset.losers_pay == "cards" or holds_worth(ruleset, hand)):
            left = left_with(ruleset, hand)
            for units, reason in units_for_left(ruleset, left):
                owed.append(Payment(seat, winner, units * stake, reason))
    paid = [payment for payment in state.payments if payment.reason == "cong"]
    state.payments += at_the_end(ruleset, owed, winner, stake, doubled=state.doubled, paid=paid)


def by_three_spades(state: State) -> bool:
    """Return whether a seat that had only 3♠ left ended the game: it won, or was caught."""
    return state.ruleset.three_spades_last and CARD[0] in state.hands


def _three_spades(state: State) -> list[Payment]:
    """Return the payments to the holder of 3♠, or to who caught it."""
    winner, holder = state.placings[0][0], state.hands.index(CARD[0])
    payers = state.placings[1] if winner == holder else (holder,)
    amount = dict(state.ruleset.money)["three_spades"] * state.stake
    owed = [Payment(seat, winner, amount, "three_spades") for seat in payers]
    return at_the_end(state.ruleset, owed, winner, state.stake)


def lost_on_twos(state: State, loser: int) -> None:
    """Pay each other player for the 2s that a player went out on."""
    if state.ruleset.betting != "mien_nam":
        state.payments += payments_from_placings(state.ruleset, state.placings, state.stake)
        return
    amount = dict(state.ruleset.money)["last_two"] * shape_of(state.top) * state.stake
    others = (seat for seat in range(state.players) if seat != loser)
    owed = [Payment(loser, seat, amount, "last_two") for seat in others]
    state.payments += at_the_end(state.ruleset, owed, loser, state.stake)


def ends_on_instant_win(state: State) -> bool:
    """Return whether an instant win ends the game; with money at stake killa plays on."""
    for_money = state.ruleset.betting not in ("none", "points")
    return instant_win_ends(state.ruleset, for_money=for_money)


def instant_win_ends(ruleset: Ruleset, *, for_money: bool) -> bool:
    then = ruleset.instant_win_then
    first_out = ruleset.game_ends == "first_out"
    return first_out or then == "end" or (then == "end_without_betting" and not for_money)
