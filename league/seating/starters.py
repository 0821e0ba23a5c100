"""Schedules without a repeat meeting that are stored as data (see docs/seating.md)."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from league.seating.sizes import SeatedRound

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
