"""A finished game's review and its puzzle for tests, without the judge's searches."""

from typing import Any

import pytest

from engine import records
from engine.bots import judge, puzzles
from engine.bots.search import Dream
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json, action_to_json
from tables import tasks
from tables.base.placings import beaten
from tables.models import Game, Puzzle
from tables.play.facts import archive
from tables.reviews.acts import finding

HANDS = [
    "3S 4C 5S 6D 7S 8S 9H TS JC QS KS AS 2C",
    "3C 4S 5C 6C 7D 8C 9C TC JS QC KD AC 2S",
    "3D 4D 5D 6S 7C 8D 9S TH JD QD KC AD 2D",
    "3H 4H 5H 6H 7H 8H 9D TD JH QH KH AH 2H",
]


def decided(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Every decision with another choice, each judged to have cost half a place."""
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
                    "at_stake": 1.25,
                    "chop": False,
                    "s": 0.05,
                    "money": None,
                    "word": "mistake",
                }
            )
        records.step(state, played, step + 1)
    return decisions


def judged(game: Game) -> dict[str, Any]:
    """A review in which everybody's decision cost half a place where there was another."""
    record = archive.record(game)
    assert game.outcome is not None
    ends, middle = beaten(game.outcome["placings"]), (len(record["hands"]) - 1) / 2
    values = [[middle] * len(ends)] * len(record["actions"])
    values.append([float(ends[no]) for no in sorted(ends)])
    terms = [[0.3, 0.0, 0.0, ends[no] - middle - 0.3] for no in sorted(ends)]
    return {"judge": "test", "values": values, "decisions": decided(record), "terms": terms,
            "model_error": 0.25}  # fmt: skip


def no_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a search by the judge fails the test."""

    def searches(*given: Any) -> None:
        raise AssertionError("A web process searched.")

    for name in ("review", "decide", "chances", "expect", "results"):
        monkeypatch.setattr(judge, name, searches)
    monkeypatch.setattr(Dream, "judged", searches)


class Agrees:
    """A bot that plays the judge's best move, or any other."""

    def __init__(self, best: SeatAction, *, agrees: bool) -> None:
        self.best, self.agrees = best, agrees

    def choose(self, seen: Any, legal: Any) -> SeatAction:
        others = [one for one in legal if one != self.best]
        return self.best if self.agrees else others[0]


def planned(monkeypatch: pytest.MonkeyPatch, *, agrees: bool = True, **changed: Any) -> None:
    """What a worker does, with a judge that finds what was found before, or something else."""
    found: dict[str, Any] = {}

    def decide(seen: Any, legal: Any, second: SeatAction, effort: Any, dice: Any) -> dict[str, Any]:
        assert effort.more == 20_000
        assert second == action_from_json(found["top"][1][0])
        return found | changed

    def make(name: str, seed: int) -> Agrees:
        return Agrees(action_from_json(found["best"]), agrees=agrees)

    monkeypatch.setattr(finding.making, "is_ready", lambda: True)
    monkeypatch.setattr(puzzles.judge, "decide", decide)
    monkeypatch.setattr(puzzles, "make", make)
    finding._find()
    found |= Puzzle.objects.get().decision
    tasks.plan_puzzles()
