"""Payments computed from a game's result, for live games and for real cards."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .ruleset import Ruleset
from .state import Payment

Placings = Sequence[Sequence[int]]


class Left(NamedTuple):
    """The cards left with a seat: `cards` is their number.

    `twos` and `bombs` are the values of the 2s and bombs among them in units, `apart` is the
    number of cards in those 2s and bombs.
    """

    cards: int = 0
    twos: int = 0
    bombs: int = 0
    apart: int = 0


def payments_from_placings(ruleset: Ruleset, placings: Placings, stake: int = 1) -> list[Payment]:
    """Return the payments for the places; each seat in a shared place pays or is paid in full.

    `placings` are groups of seats, first place first. Chops, cards left and instant wins are not
    included; a table with real cards enters them as they happen.
    """
    if len(placings) < 2:
        return []
    if ruleset.betting == "loser_pays_winner":
        return _pay_first(placings, placings[-1], stake)
    if ruleset.betting == "loser_pays_all":
        return _pay_all(placings, stake)
    if ruleset.betting == "mien_nam":
        return _places(ruleset, placings, stake)
    return []


def units_for_left(ruleset: Ruleset, left: Left) -> list[tuple[int, str]]:
    """Return pairs (units, reason) for the cards left with a loser of the money game."""
    found = []
    if ruleset.losers_pay == "cards":
        apart = 0 if ruleset.left_counted or not ruleset.left_paid else left.apart
        found.append(((left.cards - apart) * dict(ruleset.money)["card"], "cards_left"))
    if ruleset.left_paid:
        found += [(left.twos, "twos_left"), (left.bombs, "bombs_left")]
    return found


def units_for_cong(ruleset: Ruleset, left: Left) -> int:
    """Return the units that a cóng player pays: the fixed sum, the 2s and the bombs."""
    held = left.twos + left.bombs if ruleset.left_paid else 0
    return dict(ruleset.money)["cong"] + held * ruleset.cong_multiple


def at_the_end(
    ruleset: Ruleset,
    payments: Iterable[Payment],
    winner: int,
    stake: int,
    *,
    doubled: bool = False,
    paid: Iterable[Payment] = (),
) -> list[Payment]:
    """Return the payments other than chops after doubling and the ruleset's limit.

    `doubled` doubles the payments to the winner. A sender pays at most `most_paid` stakes, what it
    has `paid` for the game before included.
    """
    if not doubled and not ruleset.most_paid:
        return [payment for payment in payments if payment.amount]
    sent: dict[int, int] = {}
    for payment in paid:
        sent[payment.sender] = sent.get(payment.sender, 0) + payment.amount
    found = []
    for payment in payments:
        amount = payment.amount * (2 if doubled and payment.receiver == winner else 1)
        if ruleset.most_paid:
            before = sent.get(payment.sender, 0)
            amount = min(amount, ruleset.most_paid * stake - before)
            sent[payment.sender] = before + amount
        if amount:
            found.append(payment._replace(amount=amount))
    return found


def net(players: int, payments: Iterable[Payment]) -> list[int]:
    """Return each seat's balance; the balances sum to zero."""
    balance = [0] * players
    for payment in payments:
        balance[payment.sender] -= payment.amount
        balance[payment.receiver] += payment.amount
    return balance


def _pay(sender: int, receiver: int, amount: int, reason: str) -> list[Payment]:
    return [Payment(sender, receiver, amount, reason)] if amount else []


def _places(ruleset: Ruleset, placings: Placings, stake: int) -> list[Payment]:
    """Return the money game's payments for places; none if losers pay by cards."""
    money = dict(ruleset.money)
    if ruleset.losers_pay == "cards":
        return []
    players = sum(map(len, placings))
    loser = (money.get(f"loser_{players}") or money["loser"]) * stake
    if ruleset.losers_pay == "first":
        losers = [seat for group in placings[1:] for seat in group]
        return _pay_first(placings, losers, loser)
    third = _pay_second(placings, money["third"] * stake)
    return _pay_first(placings, placings[-1], loser) + third


def _pay_first(placings: Placings, losers: Sequence[int], amount: int) -> list[Payment]:
    return [
        p for seat in losers for winner in placings[0] for p in _pay(seat, winner, amount, "loser")
    ]


def _pay_all(placings: Placings, amount: int) -> list[Payment]:
    others = sorted(seat for group in placings[:-1] for seat in group)
    return [
        p for last in placings[-1] for seat in others for p in _pay(last, seat, amount, "loser")
    ]


def _pay_second(placings: Placings, amount: int) -> list[Payment]:
    """Return the third player's payment to the second, at tables of four only."""
    if len(placings) != 4 or any(len(group) > 1 for group in placings):
        return []
    return _pay(placings[2][0], placings[1][0], amount, "third")
