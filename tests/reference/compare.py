"""The engine against the reference: the same question to both, over many random positions."""

import json
from collections import Counter
from dataclasses import dataclass
from random import Random

from tests.reference.generator import Game, Position, random_game
from tests.reference.names import to_engine
from tests.reference.variants import house_rules


@dataclass
class Tally:
    """How much was compared for one ruleset, and the first game that failed, to be repeated."""

    positions: int = 0
    chops: int = 0  # positions in which a chop is legal
    failure: str = ""


def engine_answers(record: dict) -> tuple[object, object]:
    """What the engine says of a record: what is legal, and what has happened."""
    from engine import records as engine

    record = to_engine(record)
    return engine.legal(record), comparable(engine.replay(record))


def comparable(replay: dict) -> dict:
    """A replay whose payments are summed by payer, payee and reason: their order is free."""
    sums: Counter = Counter()
    for payment in replay["payments"]:
        sums[payment["from"], payment["to"], payment["reason"]] += payment["amount"]
    return {**replay, "payments": dict(sums)}


def difference(record: dict, legal: dict, replay: dict) -> str | None:
    """What the engine says otherwise than expected of this record, in words, or None."""
    try:
        got_legal, got_replay = engine_answers(record)
    except Exception as error:
        return f"engine raised {type(error).__name__}: {error}"
    if got_legal != legal:
        return "legal: " + legal_difference(got_legal, legal)
    expected = comparable(replay)
    wrong = [key for key in expected if got_replay.get(key) != expected[key]]
    return "; ".join(
        f"{key}: expected {expected[key]}, engine says {got_replay.get(key)}" for key in wrong
    )


def legal_difference(got: dict, expected: dict) -> str:
    """The difference of two lists of legal answers, without what they have in common."""
    if {**got, "legal": 0} != {**expected, "legal": 0}:
        return f"expected {expected}, engine says {got}"
    lacks = sorted(set(expected["legal"]) - set(got["legal"]))
    extra = sorted(set(got["legal"]) - set(expected["legal"]))
    seat = expected["seat"]
    return f"for seat {seat} the engine lacks {lacks}, has too many {extra}" + (
        "" if lacks or extra else ", or sorts them otherwise, or lists one twice"
    )


def some_positions(rng: Random, game: Game, how_many: int) -> list[Position]:
    """The end of the game, all positions with a legal chop, and some of the others."""
    *others, end = game.positions
    with_chop = [position for position in others if position.chop]
    others = [position for position in others if not position.chop]
    return [end, *with_chop, *rng.sample(others, min(how_many, len(others)))]


def compare(key: str, positions: int, seed: int = 1, house: bool = False, chops: int = 0) -> Tally:
    """Compare random games of a ruleset until so many positions, and so many with a chop, are done.

    `house` adds random house rules to every game.
    """
    tally, rng = Tally(), Random(f"{key} {house} {seed}")
    while not tally.failure and (tally.positions < positions or tally.chops < chops):
        game = random_game(rng, key, house_rules(rng, key) if house else {})
        for position in some_positions(rng, game, 6):
            tally.positions += 1
            tally.chops += position.chop
            record = game.cut(position)
            if wrong := difference(record, position.legal, position.replay):
                tally.failure = f"{json.dumps(to_engine(record))}\n{wrong}"
                break
    return tally
