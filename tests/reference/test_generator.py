"""The reference's own games: they replay to the same, keep all cards and pay sums of zero."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.reference import cards as c
from tests.reference import records
from tests.reference.generator import random_game
from tests.reference.rulesets import PRESETS


@pytest.mark.parametrize("key", PRESETS)
def test_a_game_replays_to_what_was_noted_while_it_was_made(key):
    for seed in range(4):
        rng = Random(seed)
        game = random_game(rng, key)
        for position in rng.choices(game.positions, k=8):
            cut = game.cut(position)
            assert (records.legal(cut), records.replay(cut)) == (position.legal, position.replay)


@pytest.mark.parametrize("key", PRESETS)
def test_a_game_ends_pays_zero_and_loses_no_card(key):
    for seed in range(10):
        game = random_game(Random(seed), key)
        end = game.positions[-1].replay
        played = [a["cards"] for a in game.record["actions"] if a["do"] == "play"]
        assert end["finished"]
        assert sum(end["net"]) == 0
        assert sorted(seat for group in end["placings"] for seat in group) == list(
            range(len(game.record["hands"]))
        )
        assert Counter(c.parse(" ".join(game.record["hands"]))) == Counter(
            c.parse(" ".join(end["hands"] + played))
        )
