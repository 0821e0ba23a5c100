"""The longest known schedules with full tables and no repeat meeting."""

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from league.seating.designs import lines, resolvable_design, transversal
from league.seating.sizes import FULL, SeatedRound

Construction = tuple[str, list[SeatedRound]]


def constructions(players: int, rounds: int, size: int = FULL) -> Iterator[Construction]:
    """Yield (method, all its rounds) for each known construction of at least `rounds` rounds.

    The transversal design comes first: nobody meets inside its four large classes, which suits
    club-mates and ghosts (the empty chairs of odd numbers).
    """
    for method, schedule in _all(players, rounds, size):
        if len(schedule) >= rounds:
            yield method, schedule


def longest(players: int, size: int = FULL) -> Construction:
    """Return the (method, rounds) of the longest known construction for this many players."""
    bound = (players - 1) // (size - 1)
    return max(_all(players, bound, size), key=lambda found: len(found[1]))


def _all(players: int, rounds: int, size: int) -> Iterator[Construction]:
    if size != FULL:
        yield "transversal design", lines(size, players // size)
        if size % 2 == 0 and players % size == 0:  # Two together repeat less than all mixed.
            couples = lines(size // 2, players // size)
            yield (
                "lines of couples",
                [
                    [[2 * one + at for one in table for at in (0, 1)] for table in tables]
                    for tables in couples
                ],
            )
        return
    if players % FULL or players < FULL:
        return
    yield "transversal design", _stacked(players, rounds)
    yield "resolvable design", resolvable_design(players)
    yield "stored starter", starter_rounds(players)
    yield "stored record", recorded_rounds(players)


@lru_cache(maxsize=64)
def _stacked(players: int, rounds: int) -> list[SeatedRound]:
    """Return a transversal design, followed by rounds inside its four classes as needed."""
    group = players // FULL
    schedule = transversal(group, rounds)
    if len(schedule) >= rounds or group % FULL:
        return schedule
    inside = longest(group)[1]
    return schedule + [
        [[copy * group + player for player in table] for copy in range(FULL) for table in tables]
        for tables in inside[: rounds - len(schedule)]
    ]


DATA = Path(__file__).with_name("data")


def starter_rounds(players: int) -> list[SeatedRound]:
    """Return the translates of the stored starter round, [] without one.

    Players are copies of the integers modulo m, followed by fixed points. Adding 1 to all players
    except the fixed points gives the next round, m rounds in all.
    """
    starter = _load("starters.json").get(str(players))
    if starter is None:
        return []
    return [
        develop(starter["base"], starter["modulus"], shift) for shift in range(starter["modulus"])
    ]


def develop(base: SeatedRound, modulus: int, shift: int) -> SeatedRound:
    """Return the starter round with every player shifted by `shift` within their copy."""
    moving = sum(map(len, base)) // modulus * modulus

    def move(player: int) -> int:
        copy, place = divmod(player, modulus)
        return copy * modulus + (place + shift) % modulus if player < moving else player

    return [[move(player) for player in table] for table in base]


def recorded_rounds(players: int) -> list[SeatedRound]:
    """Return the stored record of ten rounds for 32 players, [] for any other number.

    The file names its source and its licence.
    """
    rounds: list[SeatedRound] = _load("record-32x10.json")["rounds"]
    return rounds if players == 32 else []


@cache
def _load(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))
