"""A first day of an author on a fresh server, with a slow bot on it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from launcher.locations import ROOT
from tests.launcher import test_server
from tests.launcher.test_server import Serve

EXAMPLES = ROOT / "docs" / "examples"
MOST = 15 * 60
SLOW = """
import time
class Slow:
    def __init__(self, seed): pass
    def choose(self, observation, legal):
        time.sleep(0.4)
        return legal[0]
"""
TABLE = '[bots.slow]\npython = "slow:Slow"\nversion = 1\nseconds = 10\n'
OWNER = """
from engine.rules.ruleset import preset
from league.arena.acts import standing_ladder
from league.base.acts import tokens
from league.models import Club
from tests.factories import owner_of
club = Club.objects.earliest("pk")
owner = owner_of(club)
standing_ladder.change_ladder(club=club, by=owner, is_on=True, ruleset=preset("tien-len"))
print("told", tokens.create_token(user=owner, name="day")[1], club.slug)
"""

serve, port, data = test_server.serve, test_server.port, test_server.data


@pytest.fixture
def program(environment: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a program of the author, which ends with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str | Path) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, *words], cwd=ROOT, env=environment))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.wait()


@pytest.mark.limit(1800, reason="an author's first quarter of an hour")
@pytest.mark.long
@pytest.mark.skipif(not shutil.which("node"), reason="no node")
def test_a_first_day_puts_four_kinds_of_bots_on_the_ranking_within_fifteen_minutes(
    data: Path,
    tmp_path: Path,
    serve: Serve,
    port: int,
    program: Callable[..., subprocess.Popen[bytes]],
    environment: dict[str, str],
) -> None:
    """`-s` prints after how many seconds each was there, as docs/bots.md has it."""
    folder = Path(shutil.copytree(EXAMPLES / "bots", tmp_path / "bots"))
    (folder / "slow.py").write_text(SLOW)
    (folder / "bots.toml").write_text((folder / "bots.toml").read_text() + TABLE)
    environment |= {"TIENLEN_BOTS": str(folder / "bots.toml"), "TIENLEN_BOT_UPLOADS": "1"}
    began = time.monotonic()
    server = serve(f"--port={port}").process
    shell, here = [sys.executable, "manage.py", "shell", "-c", OWNER], {"TIENLEN_DATA": str(data)}
    told = subprocess.run(shell, cwd=ROOT, env=environment | here, check=True, capture_output=True)
    token, slug = told.stdout.decode().split("told ")[1].split()
    address = f"http://127.0.0.1:{port}"
    environment |= {"TOKEN": token, "CLUB": f"{address}/api/v1/clubs/{slug}"}

    def ask(path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{environment['CLUB']}/{path}", sent, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    print(f"\n{time.monotonic() - began:4.0f} s  the server is up", flush=True)
    far = ask("bots/", {"name": "far"})["name"]
    program(EXAMPLES / "remote_bot.py", address, "--work", far)
    program("-m", "engine", "push", folder / "miser.py", "--name", "mine", "--entry-point",
            "miser:MiserBot")  # fmt: skip
    wanted, met = {"miser", "shedder", "mine-1", far}, set[str]()
    while wanted and time.monotonic() - began < MOST:
        time.sleep(2)
        ladder = ask("ladder/")
        met |= {*ladder["now"]}
        there = {row["bot"] for row in ladder["rows"] if row["rating"] is not None}
        for name in sorted(wanted & there):
            print(f"{time.monotonic() - began:4.0f} s  {name} is on the ranking", flush=True)
        wanted -= there
    server.send_signal(signal.SIGINT)
    server.wait(120)
    assert wanted == set(), f"load {os.getloadavg()[0]:.0f}"
    assert "slow" in met | there
