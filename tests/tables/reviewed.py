"""A finished game's review for tests, without the judge's searches."""

from typing import Any

from engine import records
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import action_to_json
from tables.base.placings import beaten
from tables.models import Game
from tables.play.facts import archive

HANDS = [
    "3S 4C 5S 6D 7S 8S 9H TS JC QS KS AS 2C",
    "3C 4S 5C 6C 7D 8C 9C TC JS QC KD AC 2S",
    "3D 4D 5D 6S 7C 8D 9S TH JD QD KC AD 2D",
    "3H 4H 5H 6H 7H 8H 9D TD JH QH KH AH 2H",
]


def judged(game: Game) -> dict[str, Any]:
    """A review in which everybody's decision cost half a place where there was another."""
    record = archive.record(game)
    state, decisions = read.start_of(record), []
    for step, played in enumerate(read.actions_of(record)):
        legal = engine_game.legal_actions(state)
        if len(legal) > 1:
            best = next(one for one in legal if one != played)
            decisions.append(
                {
                    "step": step,
                    "seat": played.seat,
                    "legal": len(legal),
                    "played": action_to_json(played),
                    "best": action_to_json(best),
                    "top": [[action_to_json(best), 2.0], [action_to_json(played), 1.5]],
                    "q": 2.0,
                    "q_played": 1.5,
                    "loss": 0.5,
                    "s": 0.05,
                    "money": None,
                    "word": "mistake",
                }
            )
        records.step(state, played, step + 1)
    assert game.outcome is not None
    ends, middle = beaten(game.outcome["placings"]), (len(record["hands"]) - 1) / 2
    values = [[middle] * len(ends)] * len(record["actions"])
    values.append([float(ends[no]) for no in sorted(ends)])
    terms = [[0.3, 0.0, 0.0, ends[no] - middle - 0.3] for no in sorted(ends)]
    return {"judge": "test", "values": values, "decisions": decisions, "terms": terms,
            "model_error": 0.25}  # fmt: skip
