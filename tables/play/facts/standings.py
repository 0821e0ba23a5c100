"""The standings of a match, and the result of its last game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.base.placings import beaten, ranks
from tables.models import Game
from tables.refusals import paid_for


@dataclass
class MatchRow:
    """A player's row of the standings: games, first places, opponents beaten, money in stakes.

    `first_seat` is the key of the first seat that the player held.
    """

    name: str
    first_seat: int
    games: int = 0
    firsts: int = 0
    beaten: int = 0
    net: int = 0


def standings(
    names: Mapping[int, str],
    over: Iterable[tuple[Sequence[int], dict[str, Any]]],
    first_seats: Mapping[int, int],
) -> list[MatchRow]:
    """Return the rows of everyone who finished a game, best first.

    `names` are seat names by key, `over` the holders and the outcome of each game. `first_seats`
    are each person's first seats, so that a player who left and came back has one row.
    """
    rows: dict[int, MatchRow] = {}
    for holders, outcome in over:
        for seat, below in beaten(outcome["placings"]).items():
            holder = holders[seat]
            first = first_seats[holder]
            row = rows.setdefault(first, MatchRow(names[holder], first))
            row.games += 1
            row.beaten += below
            row.firsts += seat in outcome["placings"][0]
            row.net += outcome["net"][seat]
    return sorted(rows.values(), key=lambda row: (-row.net, -row.beaten, -row.firsts, row.name))


@dataclass(frozen=True)
class FinalPlace:
    """A seat's place in a finished game: cards left, money, and its amount for each reason."""

    rank: int
    seat: int
    holder: int
    name: str
    left: list[str]
    net: int
    sums: list[tuple[str, int]]


@dataclass(frozen=True)
class FinishedGame:
    """A finished game's places, best first; `pays` if money changed hands."""

    no: int
    places: list[FinalPlace]
    pays: bool

    @property
    def winner(self) -> str:
        return self.places[0].name

    @property
    def instant(self) -> bool:
        """Whether it was an instant win: only its winner is first with cards in hand."""
        return bool(self.places[0].left)


def result(game: Game, names: Sequence[str]) -> FinishedGame:
    """Return a finished game's result; `names` are its players' names by seat."""
    assert game.outcome is not None
    payments = game.outcome["payments"]
    places = [
        FinalPlace(
            rank=rank,
            seat=seat,
            holder=game.holders[seat],
            name=names[seat],
            left=game.outcome["hands"][seat].split(),
            net=game.outcome["net"][seat],
            sums=_sums(payments, seat),
        )
        for seat, rank in ranks(game.outcome["placings"]).items()
    ]
    return FinishedGame(game.no, places, bool(payments))


def _sums(payments: Sequence[dict[str, Any]], seat: int) -> list[tuple[str, int]]:
    """Return a seat's net amount for each reason.

    Reasons that cancel out are included.
    """
    sums: dict[str, int] = {}
    for payment in payments:
        for side, sign in (("to", 1), ("from", -1)):
            if payment[side] == seat:
                reason = payment["reason"]
                sums[reason] = sums.get(reason, 0) + sign * payment["amount"]
    return [(paid_for(reason, amount), amount) for reason, amount in sums.items()]


def holder_names(game: Game) -> list[str]:
    """Return the players' names by seat when the game was dealt."""
    names = dict(game.table.seats.values_list("pk", "name"))
    return [names[pk] for pk in game.holders]
