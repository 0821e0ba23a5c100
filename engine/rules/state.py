"""The state of a game: the referee's view, with every hand."""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from .actions import SeatAction
from .inherited import Previous, Step
from .rule_tables import RuleTables
from .ruleset import Ruleset

EXCHANGE, INSTANT_WIN, PLAY, OVER = "exchange", "instant_win", "play", "over"


class Chop(NamedTuple):
    """A bomb played on 2s or on another bomb; plays are integers (engine.rules.shapes).

    `level` counts within the trick's chain: 1 on 2s or on a bomb that was led.
    """

    by: int
    of: int
    play: int
    on: int
    level: int


class Payment(NamedTuple):
    """A payment from one seat to another; `amount` is units times the stake."""

    sender: int
    receiver: int
    amount: int
    reason: str


class LogEntry(NamedTuple):
    """One entry of the log; `seen_by` are the seats that may read it, None for everyone.

    `given` are cards that changed hands; `refused` marks an ask for a rank that the other seat did
    not hold; `moved` marks an automatic move, which is no action of the record.
    """

    action: SeatAction
    seen_by: frozenset[int] | None = None
    given: tuple[int, ...] = ()
    refused: bool = False
    moved: bool = False


class State:
    """The state of one game; callers change it only by `engine.rules.game.apply`.

    Sets of seats are integers with one bit for each seat.
    """

    phase: str = PLAY
    turn: int = -1  # the seat to act, -1 when the game is over

    out: int = 0  # seats that have a place
    instant_winners: tuple[int, ...] = ()

    refused: int = 0  # ranks refused in the current request, as bits
    moved: int = 0  # seats that gave or received a card and so lost their instant win
    debtors: int = 0
    declared: tuple[int, ...] = ()

    leader: int = -1  # the seat that leads, or led, the first trick
    must_include: int = -1  # the card that the first play must contain
    first: bool = True  # nobody has played yet
    opening: int = -1  # number of seats asked to open the game; -1: no seat is asked

    top: int = 0  # the play to beat, 0 on an empty table
    top_by: int = -1
    locked: int = 0  # seats that have passed in this trick
    passed: int = 0  # seats that have passed since the top play
    flush_lock: bool = False
    played: int = 0  # seats that have played a card in this game

    level: int = 0  # of the top play in its chain of chops, 0 if it is no chop
    chain_value: int = 0  # value beaten in the chain, in units
    debt: Payment | None = None  # the chain's last debt, due when the trick ends
    cong: int = 0  # seats that had played no card when the first player went out
    doubled: bool = False  # the payments to the first player out are doubled

    def __init__(
        self,
        ruleset: Ruleset,
        table: RuleTables,
        dealt: tuple[int, ...],
        previous: Previous | None,
        given_leader: int | None,
        stake: int,
    ) -> None:
        self.ruleset = ruleset
        self.table = table
        self.players = len(dealt)
        self.dealt = dealt
        self.previous = previous
        self.given_leader = given_leader
        self.stake = stake
        self.trading = "negotiated" in ruleset.exchange
        self.hands = list(dealt)
        self.log: list[LogEntry] = []
        self.placings: list[tuple[int, ...]] = []
        self.steps: list[Step] = []
        self.asked: list[int] = []
        self.chops: list[Chop] = []
        self.payments: list[Payment] = []

    def copy(self) -> State:
        """Return an independent copy."""
        twin = copy(self)
        twin.hands = self.hands[:]
        twin.log = self.log[:]
        twin.placings = self.placings[:]
        twin.steps = self.steps[:]
        twin.asked = self.asked[:]
        twin.chops = self.chops[:]
        twin.payments = self.payments[:]
        return twin

    def in_play(self) -> list[int]:
        """Return the seats that have no place yet."""
        return [seat for seat in range(self.players) if not self.out >> seat & 1]

    def next_in_play(self, seat: int) -> int:
        """Return the next seat after `seat` that has no place yet."""
        for step in range(1, self.players + 1):
            after = (seat + step) % self.players
            if not self.out >> after & 1:
                return after
        raise AssertionError("nobody is left")
