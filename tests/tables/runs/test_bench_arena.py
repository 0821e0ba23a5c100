"""The command of docs/performance.md and docs/arena.md, small."""

import pytest

from tests.lab import run


def test_it_measures_bots_by_ruleset():
    said = run("bench-arena", "--part=bots", "--seconds=0.02", "--bots=greedy", "--ruleset=killa")
    assert said.count("| ruleset | greedy |") == said.count("| killa |") == 2


@pytest.mark.long
def test_it_measures_units_workers_and_the_database():
    said = run("bench-arena", "--part", "units", "workers", "--games", "400", "--workers", "1")
    assert "| games of a block | 200 | 200 |" in said
    assert "| for a million games: statements | " in said
    assert "\n| 1 | " in said
