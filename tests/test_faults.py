"""Faults that are planted to see whether the tests see them (script/test --faults)."""

import ast
import json
from collections import Counter

import pytest

from script.lab import faults, plant_faults
from script.lab.faults import Fault
from tests.plugins.once_a_family import family_of

ROW = {"kind": "comparison", "tests": 2, "ran": {"rules": 1, "browser": 1}}


@pytest.fixture(scope="module")
def drawn():
    """Two draws with one seed from what the sources have, which are read once."""
    found = list(faults.every())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faults, "every", lambda: iter(found))
        first, second = faults.draw(100, 5), faults.draw(100, 5)
    assert first == second
    return first


def test_a_draw_has_all_kinds_and_is_the_same_by_its_seed(drawn):
    assert Counter(fault.kind for fault in drawn) == {
        "comparison": 24, "constant": 14, "dropped line": 20, "swapped arguments": 10,
        "right": 10, "lock": 10, "template": 12,
    }  # fmt: skip


def test_each_changes_one_place_and_leaves_a_text_that_can_be_read(drawn):
    for fault in drawn:
        text = (faults.ROOT / fault.path).read_text()
        planted = fault.plant(text)
        assert planted != text, fault.key
        if fault.path.endswith(".py"):
            ast.parse(planted)


def test_a_text_that_has_changed_since_is_not_touched():
    with pytest.raises(ValueError, match="constant: 3 -> 4"):
        Fault("constant", "a.py", (1, 1), 4, "3", "4").plant("x = 5")


def test_the_table_counts_what_each_family_saw_and_names_what_nobody_saw(tmp_path, monkeypatch):
    made = [Fault("comparison", "a.py", (line, line), 0, "<", "<=") for line in (1, 2, 3, 4)]
    seen = [{"rules": "t"}, {"rules": "t", "browser": "t"}, {}, {}]
    rows = [ROW | {"key": fault.key, "failed": by} for fault, by in zip(made, seen, strict=True)]
    results, harmless = tmp_path / "results.jsonl", tmp_path / "harmless.toml"
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    harmless.write_text(f'"{made[3].key}" = "4 cannot be met"\n')
    monkeypatch.setattr(plant_faults, "HARMLESS", harmless)
    lines = plant_faults.report(made, results).splitlines()
    assert lines[1].split() == ["comparison", "4", "1", "2", "67%"]
    assert [line.split() for line in lines[5:7]] == [
        ["rules", "3", "2", "1"],
        ["browser", "3", "1", "0"],
    ]
    assert lines[-1] == f"{made[2].key}  (2 tests)"


@pytest.mark.long
def test_a_fault_of_the_rules_is_seen_by_the_family_that_reaches_it(tmp_path):
    [fault] = [
        one for one in faults.every()
        if one.path == "engine/rules/lead.py" and one.kind == "comparison"
    ][:1]  # fmt: skip
    copy = plant_faults.Copy(tmp_path / "copy")
    copy.make()
    found = copy.try_out(fault, ["tests/rules/test_tien_len.py", "tests/engine/rules"])
    assert set(found["failed"]) <= {"rules", "engine/rules"}
    assert found["failed"]
    assert (
        copy.try_out(
            Fault("constant", fault.path, (1, 1), 0, "", ""), ["tests/rules/test_turns.py"]
        )["failed"]
        == {}
    )


@pytest.mark.parametrize(
    ("test", "family"),
    [
        ("tests/rules/test_turns.py::test_a", "rules"),
        ("tests/league/nights/test_tap.py::test_a[1]", "league/nights"),
        ("tests/test_rights.py::test_a", "house"),
        ("tests/tables/runs/test_runs.py", "tables/runs"),
    ],
)
def test_the_family_of_a_test_is_its_folder(test, family):
    assert family_of(test) == family
