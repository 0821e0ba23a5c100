"""How a match stands, and how its last game ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.models import Game
from tables.refusals import PAYMENTS


@dataclass
class Row:
    """Somebody who played at the table: games, first places, opponents beaten, money in stakes."""

    name: str
    games: int = 0
    firsts: int = 0
    beaten: int = 0
    net: int = 0


def standings(
    names: Mapping[int, str], over: Iterable[tuple[Sequence[int], dict[str, Any]]]
) -> list[Row]:
    """Everybody who finished a game here, the best first.

    `names` are those of the seats by key, `over` the holders and the outcome of each game.
    """
    rows: dict[int, Row] = {}
    for holders, outcome in over:
        for seat, beaten in _beaten(outcome["placings"]).items():
            holder = holders[seat]
            row = rows.setdefault(holder, Row(names[holder]))
            row.games += 1
            row.beaten += beaten
            row.firsts += seat in outcome["placings"][0]
            row.net += outcome["net"][seat]
    return sorted(rows.values(), key=lambda row: (-row.net, -row.beaten, -row.firsts, row.name))


def result(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """The places of a finished game, the cards that were left, and who pays whom.

    `names` are those of its players by chair.
    """
    assert game.outcome is not None
    places, rank = [], 1
    for group in game.outcome["placings"]:
        for seat in group:
            left = game.outcome["hands"][seat].split()
            places.append({"rank": rank, "name": names[seat], "left": left})
        rank += len(group)
    payments = [
        {
            "sender": names[payment["from"]],
            "receiver": names[payment["to"]],
            "amount": payment["amount"],
            "reason": PAYMENTS[payment["reason"]],
        }
        for payment in game.outcome["payments"]
    ]
    return {
        "no": game.no,
        "places": places,
        "payments": payments,
        "winner": places[0]["name"],
        "instant": bool(places[0]["left"]),  # Nobody else is first with cards in his hand.
    }


def holder_names(game: Game) -> list[str]:
    """Who sat in each chair when the game was dealt."""
    names = dict(game.table.seats.values_list("pk", "name"))
    return [names[pk] for pk in game.holders]


def _beaten(placings: Sequence[Sequence[int]]) -> dict[int, int]:
    left = sum(len(group) for group in placings)
    found: dict[int, int] = {}
    for group in placings:
        left -= len(group)
        found |= dict.fromkeys(group, left)
    return found
