"""The seatings of one deal's games, so that neither cards nor seats favour a bot."""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

from ..rules.deal import below
from ..rules.errors import EngineError
from ..rules.ruleset import Ruleset

DESIGNS = ("rotations", "versus", "tables", "single")
MOST_BOTS = 8
_TABLE = 4


class DesignError(EngineError, ValueError):
    """The bots cannot play the ruleset in the design."""


def check_design(ruleset: Ruleset, bots: int, design: str) -> None:
    """Raise DesignError, with advice, if this many bots cannot play in the design."""
    least, most = ruleset.min_players, ruleset.max_players
    if design not in DESIGNS:
        raise DesignError(f"design: choose one of {', '.join(DESIGNS)}")
    if design == "versus" and bots != 2:
        raise DesignError(f"versus is between 2 bots: name so many, not {bots}")
    if design == "tables" and not _TABLE < bots <= MOST_BOTS:
        raise DesignError(f"tables is for 5 to {MOST_BOTS} bots: name so many, not {bots}")
    if not least <= table_size(bots, design) <= most:
        raise DesignError(
            f"{ruleset.key} is for {least} to {most} players: name so many bots, not {bots}"
        )


def table_size(bots: int, design: str) -> int:
    return _TABLE if design in ("versus", "tables") else bots


def games_of_deal(bots: int, design: str) -> int:
    return {
        "rotations": bots,
        "versus": 2,
        "tables": comb(bots, _TABLE) * _TABLE,
        "single": 1,
    }[design]


def chairs_of_deal(bots: int, design: str) -> int:
    """Return how many seats each bot takes in the games of one deal, all games together."""
    return games_of_deal(bots, design) * table_size(bots, design) // bots


def entry_names(bots: Sequence[str]) -> list[str]:
    """Return a name for each entry: the second ``greedy`` is "greedy 2"."""
    copies = [bots[: index + 1].count(bot) for index, bot in enumerate(bots)]
    return [bot if n == 1 else f"{bot} {n}" for bot, n in zip(bots, copies, strict=True)]


def shuffles(bots: int, design: str) -> tuple[int, int]:
    """Return the number of random orders for a deal's seatings, and the number of bots in each."""
    return {"versus": (0, 0), "tables": (comb(bots, _TABLE), _TABLE)}.get(design, (1, bots))


def seatings(bots: int, design: str, rng: Random) -> list[list[int]]:
    """Return for each game of a deal the index of the bot in each seat.

    ``rotations``: all rotations of one random order, so that each bot plays every hand once.
    ``versus``: two bots alternate around a table of four, then exchange seats. ``tables``: every
    four of the bots, in all rotations of a random order. ``single``: one random order.
    """
    count, size = shuffles(bots, design)
    return seated(bots, design, [_shuffled(size, rng) for _ in range(count)])


def seated(bots: int, design: str, orders: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the seatings that follow from these random orders (`shuffles`)."""
    if design == "versus":
        return [[0, 1, 0, 1], [1, 0, 1, 0]]
    if design == "tables":
        fours = zip(combinations(range(bots), _TABLE), orders, strict=True)
        return [seats for four, order in fours for seats in _rotations([four[at] for at in order])]
    found = _rotations(list(orders[0]))
    return found[:1] if design == "single" else found


def _rotations(order: list[int]) -> list[list[int]]:
    return [order[turn:] + order[:turn] for turn in range(len(order))]


def _shuffled(count: int, rng: Random) -> list[int]:
    order = list(range(count))
    for at in range(count - 1, 0, -1):
        other = below(rng, at + 1)
        order[at], order[other] = order[other], order[at]
    return order
