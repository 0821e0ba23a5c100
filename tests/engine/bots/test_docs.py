"""What docs/bots.md shows is what is tested."""

import re
from pathlib import Path
from random import Random

import pytest

from engine import bots
from engine.records import wire
from engine.rules.deal import deal
from engine.rules.game import legal_actions, observe, outcome, start
from engine.rules.ruleset import preset

PAGE = Path(__file__).parents[3] / "docs" / "bots.md"


EXAMPLES = PAGE.parent / "examples" / "bots"


@pytest.mark.parametrize(("language", "file"), [("python", "miser.py"), ("js", "shedder.js")])
def test_the_examples_of_the_page_are_those_that_are_tested(language, file):
    shown = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1] == (EXAMPLES / file).read_text(encoding="utf-8")


def test_the_page_names_everything_that_a_turn_says():
    """Protocol and page stay together: a key that is added is described."""
    page = PAGE.read_text(encoding="utf-8")
    state = start(preset("killa"), deal(preset("killa"), 4, Random(1)))
    told = wire.turn(observe(state, state.turn), legal_actions(state))
    told |= wire.game_begins(observe(state, state.turn), 1)
    told |= wire.game_ends(outcome(state)) | wire.hello()
    assert [key for key in told if key != "type" and f"`{key}`" not in page] == []


def test_the_page_lists_every_bot():
    listed = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    rows = listed[: len(bots.LADDER)]
    assert rows == [*bots.LADDER], f"{PAGE.name}, The ladder: a row for each bot of RUNGS, in order"
