"""The example of docs/bots.md is run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from engine import bots
from engine.ruleset import preset
from engine.simulation import play_block

PAGE = Path(__file__).parents[3] / "docs" / "bots.md"


def test_the_example_of_the_page_plays_whole_games():
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    before = dict(bots.BOTS)
    try:
        exec(compile(code[1], str(PAGE), "exec"), {"__name__": "example"})
        block = play_block(preset("tien-len"), ["miser", "random", "random", "random"], 1, 0, 5)
    finally:
        bots.BOTS.clear()
        bots.BOTS.update(before)
    assert block.games == 20


def test_the_page_lists_every_bot():
    listed = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed[: len(bots.BOTS)] == list(bots.BOTS)
