"""`script/test FILE`: the guess which tests see a changed file."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
guessed = runpy.run_path(str(ROOT / "script" / "corner.py"))["guessed"]


@pytest.mark.parametrize(
    ("file", "seen_by"),
    [
        ("engine/rules/lead.py", "tests/engine/rules/test_lead.py"),
        ("league/nights/facts/small_tables.py", "tests/league/nights/test_draws.py"),
        ("league/exchange/domain/looks.py", "tests/league/exchange/test_csv.py"),
        ("templates/league/nights/table.html", "tests/league/nights"),
        ("static/css/base.css", "tests"),
    ],
)
def test_a_changed_file_stands_for_the_tests_that_see_it(file, seen_by, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = guessed([file, "-q"])
    assert seen_by in found
    assert found[-1] == "-q"
    assert all((ROOT / path).exists() for path in found[:-1])
    assert not any("browser" in path for path in found)


def test_tests_and_options_stay_as_they_are(monkeypatch):
    monkeypatch.chdir(ROOT)
    words = ["tests/league/nights/test_draws.py", "-k", "draws", "no/such/file.py"]
    assert guessed(words) == words
