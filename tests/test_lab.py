"""The programs of script/lab: its table has each, and what no other test runs, runs once, small."""

import os
import re
import shutil

import pytest

from tests.lab import ROOM, run

# What it is asked, and the line with the figure that it is for.
SMALL = {
    "bench-core": ("--seconds 0.1 --ruleset tien-len", r"tien-len +[1-9]\d*\.\d\d "),
    "bench-duplicate": ("--nights 2 --tables 2", r"\| 2 \| -?\d\.\d+ ±"),
    "bench-installation": ("--clubs 1 --seasons 1 --nights 1", r"the whole proof +\d+\.\d+ s"),
    "bench-luck": ("tien-len greedy --games 2", r"\d+\.\d %, variance \d+%"),
    "bench-night": ("--players 8 --games 1", r"2 games entered, .*: \d+\.\d s in all"),
    "bench-package": ("--seconds 0.1", r"VectorGames +[1-9]"),
    "bench-seating": ("--compare", r"\| 64 \| 5 \|.* \d+\.\d\d \|$"),
    "bench-standings": ("--results 500", r"rate what changed +\d+\.\d+ s"),
    "bench-tables": (
        "--spectators 2 --moves 2 --tables 1 --seconds 2",
        r"1 tables of four .*: [1-9]\d* moves/s$",
    ),
    "train-bot": ("{file} --games 1200", r"1280 games, [1-9]\d* steps: "),
}
ON_CORE = {"bench-core", "bench-duplicate", "bench-luck", "bench-package", "train-bot"}
ELSEWHERE = {"bench-arena", "kill-run", "kill-tables", "try-scale"}
"""They have tests of their own in tests/tables."""
BY_HAND = {"try-deployment"}
"""It wants a Docker engine, the history of git and minutes: `.ci/run --deploy`."""


def test_each_program_of_the_room_stands_in_its_table_and_is_run():
    there = {file.name for file in ROOM.iterdir() if file.is_file() and os.access(file, os.X_OK)}
    assert re.findall(r"^\| `([\w-]+)", (ROOM / "README.md").read_text(), re.M) == sorted(there)
    assert there == {*SMALL, *ELSEWHERE, *BY_HAND}


@pytest.mark.long
@pytest.mark.parametrize("program", SMALL)
def test_a_program_runs_and_tells_its_figure(program, tmp_path):
    if program in ON_CORE:
        pytest.importorskip("numba")
    if program == "bench-core" and shutil.which("cc") is None:
        pytest.skip("it compiles a program in C")
    options, figure = SMALL[program]
    asked = options.format(file=tmp_path / "small.net").split()
    told = run(program, *asked, on_core=program in ON_CORE)
    assert re.search(rf"^ *{figure}", told, re.M), told
