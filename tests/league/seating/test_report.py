import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.seating import SeatingError, plan
from league.seating.report import as_json, as_text, read_apart

ROOT = Path(__file__).parents[3]


def test_a_file_of_pairs_and_groups_is_read():
    text = "0 1\n\n# the Nguyễn family\n2, 3, 4  # three of them\n"
    assert read_apart(text, 5) == [(0, 1), (2, 3), (2, 4), (3, 4)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1\n2 x", "Line 2: 'x' is not a player number"),
        ("-1 2", "Line 1: '-1' is not a player number"),
        ("0 16", "Line 1: there is no player 16; players are numbered 0 to 15"),
        ("4", "Line 1: name two or more different players"),
        ("4 4", "Line 1: name two or more different players"),
    ],
)
def test_a_wrong_line_is_named(text, message):
    with pytest.raises(SeatingError, match=message):
        read_apart(text, 16)


def test_json_holds_the_schedule_and_its_measures():
    schedule = plan(32, 8, seed=1)
    told = json.loads(as_json(schedule, 1))
    assert told["rounds"] == schedule.rounds
    assert {key: told[key] for key in ("repeats", "bound", "max_meetings", "seat_spread")} == {
        "repeats": 0,
        "bound": 0,
        "max_meetings": 1,
        "seat_spread": 0,
    }
    assert told["seconds"] == schedule.quality.seconds


def test_text_shows_every_table_and_who_rests():
    lines = as_text(plan(3, 2, seed=1, size=2), 1).splitlines()
    assert sum("table 1" in line for line in lines) == 2
    assert sum(line.startswith("  bye       ") for line in lines) == 2
    assert "3 players (0 to 2), 2 rounds, seed 1." in lines


def test_text_says_when_there_is_nothing_to_draw():
    assert "With 2 players every round is the same table." in as_text(plan(2, 3, seed=1), 1)


def command(*arguments):
    """Run the management command as an organiser does, with a database that cannot be reached."""
    return subprocess.run(
        [sys.executable, "manage.py", "seating", *arguments],
        cwd=ROOT,
        env={"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_command_prints_a_schedule_without_a_database(tmp_path):
    apart = tmp_path / "apart.txt"
    apart.write_text("\ufeff0 1\n")  # As Windows' editor saves it.
    done = command(
        "--players", "32", "--rounds", "8", "--apart", str(apart), "--seed", "3", "--json"
    )
    told = json.loads(done.stdout)
    assert (done.returncode, told["repeats"], told["seat_spread"]) == (0, 0, 0)
    assert told["rounds"] == plan(32, 8, seed=3, apart=[(0, 1)]).rounds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "0", "--rounds", "3"], "at least 2 players, not 0"),
        (["--players", "8", "--rounds", "3", "--apart", "/no/such"], "/no/such cannot be read"),
    ],
)
def test_command_explains_wrong_input(arguments, message):
    """As Django prints it: without a traceback and with status 1."""
    with pytest.raises(CommandError, match=message) as refused:
        call_command("seating", *arguments)
    assert refused.value.returncode == 1
