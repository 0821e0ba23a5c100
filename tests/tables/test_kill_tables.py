"""The commands of docs/reliability.md, small: live tables while everything under them is killed."""

import re

import pytest

from tests import lab

NOTHING = (
    "answered moves that are not in the log",
    "moves that are there twice",
    "games that do not play through",
    "moves never answered",
    "tables that stood still for a minute",
)
ANSWERED = "moves of guests that were answered"


def run(*options: str, program: str = "kill-tables") -> dict[str, str]:
    """The rows of the table that the command prints."""
    return dict(re.findall(r"^\| (\S.*?) \| (.*?) \|$", lab.run(program, *options), re.M))


def check(rows: dict[str, str]) -> None:
    assert {name: rows[name] for name in NOTHING} == dict.fromkeys(NOTHING, "0")
    assert int(rows[ANSWERED]) > 0


def test_no_move_is_lost_when_web_servers_and_the_database_are_killed():
    for seconds in ("8", "60"):  # A busy machine may answer nothing between two kills.
        rows = run("--tables", "2", "--seconds", seconds, "--every", "2", "--think", "0.1",
                   "--only", "web", "--only", "postgresql")  # fmt: skip
        if int(rows[ANSWERED]):
            break
    check(rows)
    # How often in that time depends on how fast the machine starts them again.
    assert int(rows["web killed or restarted"]) >= 1
    assert int(rows["postgresql killed or restarted"]) >= 1


@pytest.mark.long
def test_no_move_is_lost_when_a_web_server_or_the_database_stands_still():
    rows = run("--tables", "2", "--seconds", "12", "--every", "2", "--think", "0.1",
               "--hang", "2", "--only", "web", "--only", "postgresql")  # fmt: skip
    check(rows)
    assert int(rows["web stopped for 2 s"]) >= 1
    assert int(rows["postgresql stopped for 2 s"]) >= 1


@pytest.mark.long
def test_no_move_is_lost_when_the_network_to_the_database_is_cut():
    rows = run("--tables", "2", "--seconds", "40", "--every", "10", "--think", "0.1", "--cut", "4")
    check(rows)


@pytest.mark.long
def test_nothing_is_lost_on_several_hosts_when_hosts_links_and_the_broker_fail():
    rows = run(program="try-scale")
    assert int(rows["moves answered; missing, twice, not replayed"].partition(";")[0]) > 0
    assert rows["games of the night"].endswith("; none lost")


@pytest.mark.long
@pytest.mark.parametrize("gently", [[], ["--gently", "--only", "web"]], ids=["all", "rolling"])
def test_no_move_is_lost_when_anything_is_killed_or_replaced(gently):
    check(run("--tables", "10", "--seconds", "60", *gently))
