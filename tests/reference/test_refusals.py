"""The engine refuses what the reference refuses: wrong seats and random actions not in the list."""

from random import Random

import pytest

from engine import records as engine
from engine.rules.errors import RecordError
from tests.reference import cards as c
from tests.reference.generator import Game, Position, random_game
from tests.reference.names import to_engine
from tests.reference.records import action_of
from tests.reference.rulesets import PRESETS
from tests.reference.variants import house_rules


def wrong_actions(rng: Random, game: Game, position: Position) -> list[dict]:
    """Actions that the rules do not allow here."""
    seat, legal = position.legal["seat"], position.legal["legal"]
    hands = [c.parse(hand) for hand in position.replay["hands"]]
    answers = ["pass", "declare", "decline", "ask 7", "return 3S", "give 2H"]
    for _ in range(6):
        size = min(len(hands[seat]), rng.choice((1, 2, 3, 4, 6, 8)))
        answers.append(c.text(rng.sample(hands[seat], size)))
    answers += [f"lock {answers[-1]}", c.text([rng.randrange(52)])]
    wrong = [action_of(seat, answer) for answer in answers if answer not in legal]
    others = [other for other in range(len(hands)) if other != seat]
    return wrong + [action_of(rng.choice(others), answer) for answer in rng.sample(legal, 1)]


@pytest.mark.parametrize("house", [False, True], ids=["preset", "house rules"])
@pytest.mark.parametrize("key", PRESETS)
def test_engine_refuses_actions_that_are_not_legal(key, house):
    rng = Random(f"refusals {key} {house}")
    for _ in range(5):
        game = random_game(rng, key, house_rules(rng, key) if house else {})
        open_positions = game.positions[:-1]
        for position in rng.sample(open_positions, min(3, len(open_positions))):
            cut = to_engine(game.cut(position))
            number = position.actions + 1
            for action in wrong_actions(rng, game, position):
                with pytest.raises(RecordError, match=f"^action {number}: seat {action['seat']} "):
                    engine.legal({**cut, "actions": [*cut["actions"], action]})
