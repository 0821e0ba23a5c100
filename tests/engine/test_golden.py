"""Games written down once: nothing about them may change unseen."""

import pytest

from engine.rules.ruleset import preset_keys
from tests.engine.golden.playthrough import FOLDER, games, written


@pytest.mark.parametrize("key", preset_keys())
def test_golden_games_play_through_as_written(key):
    assert written(key) == (FOLDER / f"{key}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", preset_keys())
def test_golden_games_have_chops(key):
    assert sum(text.count('"level"') for text in games(key)) >= 2
