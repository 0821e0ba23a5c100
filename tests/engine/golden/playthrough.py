"""Golden games as text: what is dealt, each action with the number of legal ones, the outcome.

``python -m tests.engine.golden.playthrough`` plays the games of each file again, by their own
actions, and writes what comes of them; a ruleset without a file gets three games at random. Read
the diff before you commit it: it is what the engine does otherwise.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from engine.records.read import start_of
from engine.records.record import FORMAT
from engine.rules.actions import SeatAction, action_text
from engine.rules.cards import format_cards, parse_cards, parse_rank
from engine.rules.cardset import unpack
from engine.rules.game import State, apply, legal_actions, outcome
from engine.rules.outcome import as_previous, outcome_to_json
from engine.rules.ruleset import preset, preset_keys
from engine.rules.state import OVER
from tests.engine.walk import begin, walk

FOLDER = Path(__file__).parent
_WORDS = ("lock", "return", "give")


def render(header: dict[str, Any], actions: list[SeatAction]) -> str:
    """Return the text of one game."""
    state = start_of({"format": FORMAT, "actions": [], **header})
    lines = [json.dumps(header)]
    for action in actions:
        legal = legal_actions(state)
        lines.append(f"{action.seat} {action_text(action)} | {state.phase} {len(legal)}")
        apply(state, action)
    assert state.phase == OVER
    lines += [
        f"{name}: {json.dumps(value)}" for name, value in outcome_to_json(outcome(state)).items()
    ]
    return "\n".join(lines) + "\n"


def parse(text: str) -> tuple[dict[str, Any], list[SeatAction]]:
    """Return the start of a game and its actions."""
    header, *lines = text.splitlines()
    moves = [line.split(" | ")[0] for line in lines if " | " in line]
    return json.loads(header), [_action(move) for move in moves]


def games(key: str) -> list[str]:
    """Return the golden games of a ruleset."""
    return (FOLDER / f"{key}.txt").read_text(encoding="utf-8").split("\n\n")


def _action(move: str) -> SeatAction:
    seat, text = int(move[0]), move[2:]
    word, _, rest = text.partition(" ")
    if text in ("pass", "declare", "decline"):
        return SeatAction(seat, text)
    if word == "ask":
        return SeatAction(seat, "ask", rank=parse_rank(rest))
    if word in _WORDS:
        return SeatAction(seat, word, parse_cards(rest))
    return SeatAction(seat, "play", parse_cards(text))


def written(key: str) -> str:
    """Return what the file of a ruleset should hold."""
    if not (FOLDER / f"{key}.txt").exists():
        return "\n".join(_match(key))
    return "\n".join(render(*parse(text)) for text in games(key))


def _match(key: str) -> list[str]:
    """Return three games in a row by the same players, from a deal with at least one chop."""
    for seed in range(1000):
        rng = Random(f"golden {key} {seed}")
        texts, previous, printed, chops = [], None, None, 0
        for _ in range(3):
            state = begin((preset(key), 4), rng, previous)
            header = _header(key, state, printed)
            for _ in walk(state, rng):
                pass
            texts.append(render(header, [e.action for e in state.log if not e.moved]))
            result = outcome(state)
            chops += len(result.chops)
            previous = as_previous(result)
            whole = outcome_to_json(result)
            printed = {name: whole[name] for name in ("placings", "chops", "hands")}
        if chops >= 2:
            return texts
    raise AssertionError("no match with chops found")


def _header(key: str, state: State, previous: dict[str, Any] | None) -> dict[str, Any]:
    hands = [format_cards(unpack(hand)) for hand in state.dealt]
    return {"ruleset": key, "hands": hands, "previous": previous}


if __name__ == "__main__":
    for name in preset_keys():
        (FOLDER / f"{name}.txt").write_text(written(name), encoding="utf-8")
