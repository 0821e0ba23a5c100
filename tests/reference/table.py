"""The table: what everyone holds, who is out, what was paid, and the way questions are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.reference import cards as c
from tests.reference.combos import Combo, combos_in
from tests.reference.rulesets import shapes


class Question(NamedTuple):
    seat: int
    phase: str
    legal: list[str]


class Chop(NamedTuple):
    by: int
    of: int
    play: Combo
    on: Combo
    level: int


class Payment(NamedTuple):
    payer: int
    payee: int
    amount: int
    reason: str


class Illegal(Exception):
    """The record's next action is none of the legal ones."""


class Table:
    """The state of one game.

    `answer` gets every question and returns one of its legal answers; `next_trade` returns the
    next agreed trade, or None.
    """

    def __init__(
        self,
        rules: dict,
        hands: list[tuple[int, ...]],
        answer: Callable[[Table, Question], str],
        next_trade: Callable[[Table], dict | None] = lambda table: None,
        previous: dict | None = None,
        leader: int | None = None,
        stake: int = 1,
    ) -> None:
        self.rules = rules
        self.shapes = shapes(rules)
        self.dealt = [tuple(sorted(hand)) for hand in hands]
        self.hands = [list(hand) for hand in self.dealt]
        self.answer, self.next_trade = answer, next_trade
        self.previous, self.given_leader, self.stake = previous, leader, stake
        self.out: set[int] = set()
        self.placings: list[list[int]] = []
        self.has_played: set[int] = set()
        self.swapped: set[int] = set()
        self.debtors: set[int] = set()
        self.cong: set[int] = set()
        self.last_play: Combo | None = None
        self.last_three_spades: int | None = None
        self.last_twos = 0
        self.doubled = False
        self.paid_at_end: dict[int, int] = {}
        self.chops: list[Chop] = []
        self.chain: list[Chop] = []
        self.payments: list[Payment] = []
        self.question: Question | None = None
        self.chop_is_legal = False

    @property
    def seats(self) -> range:
        return range(len(self.hands))

    @property
    def left(self) -> list[int]:
        """The seats that are still in the game."""
        return [seat for seat in self.seats if seat not in self.out]

    @property
    def over(self) -> bool:
        return sum(len(group) for group in self.placings) == len(self.hands)

    @property
    def gone(self) -> list[int]:
        return (self.previous or {}).get("gone") or []

    def around(self, seat: int) -> list[int]:
        """All seats in order of play, from this one."""
        return [(seat + step) % len(self.hands) for step in self.seats]

    def next_in(self, seat: int) -> int:
        """The first seat from this one on, itself included, that is still in the game."""
        return next(other for other in self.around(seat) if other not in self.out)

    def combos(self, seat: int) -> tuple[Combo, ...]:
        return combos_in(tuple(self.hands[seat]), self.shapes)

    def ask(self, seat: int, phase: str, legal) -> str:
        """The answer of the seat, one of the legal ones."""
        self.question = Question(seat, phase, sorted(legal))
        answer = self.answer(self, self.question)
        if answer not in self.question.legal:
            raise Illegal(f"seat {seat} may not {answer}")
        self.question = None
        return answer

    def move(self, giver: int, taker: int, cards) -> None:
        """Give cards from hand to hand."""
        self.hands[giver] = c.without(self.hands[giver], cards)
        self.hands[taker] = sorted([*self.hands[taker], *cards])

    def place(self, *seats: int) -> None:
        """Give these seats the next placing, shared if they are several."""
        self.placings.append(sorted(seats))
        self.out.update(seats)

    def pay_at_end(self, payer: int, payee: int, amount: int, reason: str) -> None:
        """Pay for the game: doubled to the first, and never more than the limit."""
        if self.doubled and payee == self.placings[0][0]:
            amount *= 2
        if self.rules["most_paid"]:
            amount = min(amount, self.rules["most_paid"] - self.paid_at_end.get(payer, 0))
        self.paid_at_end[payer] = self.paid_at_end.get(payer, 0) + amount
        self.pay(payer, payee, amount, reason)

    def pay(self, payer: int, payee: int, amount: int, reason: str) -> None:
        if amount:
            self.payments.append(Payment(payer, payee, amount * self.stake, reason))
