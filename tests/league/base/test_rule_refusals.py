"""Every refusal of the engine in words."""

import re

import pytest

from engine.rules import errors, game
from engine.rules.actions import VERBS, SeatAction
from engine.rules.cards import parse_cards
from engine.rules.errors import IllegalAction
from engine.rules.ruleset import preset, with_options
from league.base.domain.rule_text import say
from league.base.domain.rule_text.refusals import ACTIONS, REASONS, reason, refusal

PARAMS = {
    "turn": 1,
    "last": 3,
    "top": parse_cards("5S 5C"),
    "missing": parse_cards("6S"),
    "card": 0,
    "count": 2,
    "allowed": "that card alone",
    "expected": "play",
    "why": "no card changes hands",
}


def test_every_refusal_of_the_engine_has_a_reason_and_every_verb_a_name():
    codes = {error.code for error in IllegalAction.__subclasses__()}
    assert (set(REASONS), set(ACTIONS)) == (codes, set(VERBS))


@pytest.mark.parametrize("error", IllegalAction.__subclasses__(), ids=lambda error: error.code)
def test_a_reason_takes_only_what_the_error_tells(error):
    names = re.findall(r"%\((\w+)\)s", REASONS[error.code])
    assert "%" not in say(reason(error(**PARAMS)))
    assert [name for name in names if name not in PARAMS] == []


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (
            SeatAction(1, "play", parse_cards("5C")),
            "action 4: seat 1 cannot play 5C: it is seat 0's turn",
        ),
        (SeatAction(0, "pass"), "action 4: seat 0 cannot pass: the seat leads and must play"),
        (
            SeatAction(0, "play", parse_cards("4S")),
            "action 4: seat 0 cannot play 4S: the first play must include 3S",
        ),
    ],
)
def test_a_refusal_names_the_action_the_seat_and_the_reason(action, said):
    rules = with_options(preset("killa"), {"cards_each": {"2": 5}})
    state = game.start(rules, [parse_cards("3S 4S 5S 6S 2H"), parse_cards("5C 6C 7C TC JC")])
    with pytest.raises(errors.IllegalAction) as refused:
        game.apply(state, action)
    assert say(refusal(4, action, refused.value)) == said
