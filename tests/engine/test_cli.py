"""``python -m engine`` as a user runs it."""

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile

import pytest

from engine import cli, push
from tests.engine.records.test_records import HANDS, play, record


def run(*arguments, given=b""):
    if isinstance(given, (dict, list)):
        given = json.dumps(given).encode()
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments], input=given, capture_output=True, check=False
    )


def test_legal_reads_standard_input_or_a_file(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record(play(0, "3S 3C"))))
    from_file = run("legal", str(path))
    from_input = run("legal", "-", given=record(play(0, "3S 3C")))
    assert from_file.stdout == from_input.stdout
    assert json.loads(from_file.stdout)["seat"] == 1
    assert (from_file.returncode, from_file.stderr) == (0, b"")


def test_a_wrong_record_exits_with_2_and_one_line():
    done = run("replay", "-", given=record(play(0, "3S"), play(2, "5S 5C")))
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"action 2: seat 2 cannot play 5S 5C: it is seat 1's turn\n"


def test_of_several_wrong_actions_the_first_is_named():
    done = run("replay", "-", given=record(play(0, "3S"), play(2, "5S 5C"), {"seat": 1}))
    assert done.stderr == b"action 2: seat 2 cannot play 5S 5C: it is seat 1's turn\n"


@pytest.mark.parametrize("given", [b"", b"\xff", b"{}", b"[" * 50_000, b"x" * 1_100_000])
def test_any_bytes_exit_with_2_and_one_line(given):
    done = run("legal", "-", given=given)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_a_missing_file_exits_with_2_and_one_line(tmp_path):
    done = run("legal", str(tmp_path / "none.json"))
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["npz", "bytes", "out.npz"],
        ["npz", "cut.gz", "out.npz"],
        ["conformance", "--program", "'"],
        ["conformance", "--program", "printf '\\377'"],
        ["push", "bytes", "--name", "a", "--club", "http://[x"],
        ["push", "bytes", "--name", "a", "--club", "http://a b"],
    ],
)
def test_whatever_is_given_wrongly_is_one_line(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKEN", "any")
    (tmp_path / "bytes").write_bytes(b"\xff\n")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"{}" * 99)[:-9])
    assert cli.main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_files_older_than_zip_are_sent(tmp_path):
    (tmp_path / "bot.py").write_text("class Bot: pass\n")
    os.utime(tmp_path / "bot.py", (0, 0))
    with zipfile.ZipFile(io.BytesIO(push.packed(tmp_path))) as archive:
        assert archive.namelist() == ["bot.py"]


def test_batch_answers_line_by_line_and_goes_on_after_a_bad_record():
    lines = [
        json.dumps(record(play(0, "3S 3C"))).encode(),
        b"nonsense",
        b"",
        b"y" * 2_500_000,
        json.dumps(record(play(0, "7S"))).encode(),
        json.dumps(record()).encode(),
    ]
    done = run("batch", "legal", given=b"\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [sorted(answer) == ["error"] for answer in answers] == [
        False, True, True, True, True, False,
    ]  # fmt: skip
    assert answers[4]["error"] == (
        "action 1: seat 0 cannot play 7S: the first play must include 3S"
    )
    assert answers[5]["legal"] == ["3S", "3S 3C"]


def test_batch_replay_prints_outcomes():
    done = run("batch", "replay", given=json.dumps(record()).encode() + b"\n")
    assert json.loads(done.stdout)["hands"] == HANDS


def test_rules_are_listed_and_shown():
    assert run("rules", "list").stdout.decode().split() == [
        "tien-len", "hawaii-killer", "thirteen", "penguin", "viet-cong", "family", "killa",
        "mien-nam", "dem-la", "nhat-an-tat", "mien-bac", "mien-bac-3-bich",
        "mien-bac-khong-thong",
    ]  # fmt: skip
    shown = json.loads(run("rules", "show", "family").stdout)
    assert (shown["forward"], shown["exchange"]) == (True, ["go_fish"])
    wrong = run("rules", "show", "bridge")
    assert (wrong.returncode, wrong.stderr.count(b"\n")) == (2, 1)


def test_help_names_every_command():
    text = run("--help").stdout.decode()
    for command in ("legal", "replay", "batch", "rules", "simulate", "bench"):
        assert command in text


def test_simulate_prints_placings_and_writes_records_that_replay(tmp_path):
    path = tmp_path / "games.jsonl"
    done = run("simulate", "--ruleset", "killa", "--bots", "greedy,random,random,random",
               "--games", "8", "--seed", "7", "--duplicate", "--records", str(path))  # fmt: skip
    assert done.returncode == 0
    assert b"killa: 8 games of 2 deals" in done.stdout
    answers = run("batch", "replay", given=path.read_bytes()).stdout.splitlines()
    assert [json.loads(line)["finished"] for line in answers] == [True] * 8


@pytest.mark.parametrize(
    ("design", "bots", "games", "deals"),
    [
        ("versus", "greedy,lowest", 6, 3),
        ("tables", "greedy,random,lowest,random,greedy", 40, 2),
        ("rotations", "greedy,random,lowest", 6, 2),
        ("single", "greedy,random", 3, 3),
    ],
)
def test_every_design_of_tournaments_can_be_simulated(tmp_path, design, bots, games, deals):
    path = tmp_path / "games.jsonl"
    done = run("simulate", "--ruleset", "thirteen", "--bots", bots, "--games", str(games),
               "--design", design, "--records", str(path))  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    first, _, *rows = done.stdout.decode().splitlines()
    assert first.startswith(f"thirteen: {games} games of {deals} deals")
    at_table = {"versus": 4, "tables": 4}.get(design, bots.count(",") + 1)
    entries = bots.count(",") + 1
    ranks = [[int(n) for n in row[12:].split()[:at_table]] for row in rows]
    assert [sum(column) for column in zip(*ranks, strict=True)] == [games] * at_table
    points = [float(row[12:].split()[at_table]) for row in rows]
    assert sum(points) == pytest.approx(entries * (at_table - 1) / 2, abs=0.003)
    answers = run("batch", "replay", given=path.read_bytes()).stdout.splitlines()
    assert [json.loads(line)["finished"] for line in answers] == [True] * games


def test_the_short_option_is_one_of_the_designs():
    command = ("simulate", "--ruleset", "thirteen", "--games", "8", "--seed", "5")
    assert run(*command, "--duplicate").stdout == run(*command, "--design", "rotations").stdout


def test_workers_do_not_change_what_is_played():
    command = ("simulate", "--ruleset", "thirteen", "--games", "60", "--seed", "5")
    assert run(*command).stdout == run(*command, "--workers", "2").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--bots", "greedy,nobody"),
        ("--ruleset", "family", "--bots", "greedy,greedy"),
        ("--games", "0"),
        ("--ruleset", "bridge"),
    ],
)
def test_a_simulation_that_cannot_be_says_why(arguments):
    done = run("simulate", *arguments)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_bench_prints_a_row_for_each_ruleset():
    done = run("bench", "--ruleset", "killa", "--seconds", "0.05")
    assert done.returncode == 0
    last = done.stdout.decode().splitlines()[-1].split()
    assert last[0] == "killa"
    assert all(int(figure) > 0 for figure in last[1:])


@pytest.mark.parametrize(
    "arguments",
    [("--seconds", "0"), ("--seconds", "nan"), ("--seconds", "inf"), ("--ruleset", "x")],
)
def test_a_bench_that_cannot_be_says_why(arguments):
    done = run("bench", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
