"""Games written down once: nothing about them may change unseen."""

import pytest

from engine.rules.ruleset import preset_keys
from tests.engine.golden.playthrough import games, parse, render


@pytest.mark.parametrize("key", preset_keys())
def test_golden_games_play_through_as_written(key):
    for text in games(key):
        assert render(*parse(text)) == text.strip("\n") + "\n"


@pytest.mark.parametrize("key", preset_keys())
def test_golden_games_have_chops(key):
    assert sum(text.count('"level"') for text in games(key)) >= 2
