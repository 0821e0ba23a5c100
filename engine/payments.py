"""Payments as a function of how a game ended, for live games and for real cards alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.ruleset import Ruleset
from engine.state import Payment

Placings = Sequence[Sequence[int]]


def payments_from_placings(ruleset: Ruleset, placings: Placings, stake: int = 1) -> list[Payment]:
    """Return what is paid for the places alone, each seat of a shared last place paying in full.

    `placings` are groups of seats, first place first. Chops, cards left and instant wins come
    on top; a table with real cards enters them as they happen.
    """
    if len(placings) < 2:
        return []
    if ruleset.betting == "loser_pays_winner":
        return _pay_first(placings, stake)
    if ruleset.betting == "loser_pays_all":
        return _pay_all(placings, stake)
    if ruleset.betting == "mien_nam":
        money = dict(ruleset.money)
        third = _pay_second(placings, money["third"] * stake)
        return _pay_first(placings, money["loser"] * stake) + third
    return []


def net(players: int, payments: Iterable[Payment]) -> list[int]:
    """Return each seat's balance; the balances sum to zero."""
    balance = [0] * players
    for payment in payments:
        balance[payment.sender] -= payment.amount
        balance[payment.receiver] += payment.amount
    return balance


def _pay(sender: int, receiver: int, amount: int, reason: str) -> list[Payment]:
    return [Payment(sender, receiver, amount, reason)] if amount else []


def _pay_first(placings: Placings, amount: int) -> list[Payment]:
    winner = placings[0][0]
    return [p for seat in placings[-1] for p in _pay(seat, winner, amount, "loser")]


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
