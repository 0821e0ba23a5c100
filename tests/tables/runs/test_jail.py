"""The jail of outside programs: nothing gets out, nothing survives, and no worker stands still."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.sim.faults import BotFault, OurFault
from launcher.children import wait_until
from tables.programs.jail import door as the_door
from tables.programs.jail import landlock, view
from tables.programs.jail.job import LANDLOCK, NAMESPACES, TRUSTED
from tables.programs.process import Limits, Process
from tests.tables.runs.escaping import alive

SCRIPT = Path(__file__).with_name("escaping.py")
PLAIN = 65532
SECONDS = 120
STAYS = """
import sys
for line in sys.stdin: print('{"type": "ready"}', flush=True)
"""


@cache
def interpreter() -> str:
    """A Python that a plain user may run, and so a jailed program where the worker is root."""
    if os.geteuid() != 0:
        return sys.executable
    for python in (sys.executable, "/usr/bin/python3"):
        code = f"import sys; assert sys.version_info >= (3, 11); open({str(SCRIPT)!r})"
        with suppress(OSError, subprocess.CalledProcessError):
            done = subprocess.run([python, "-S", "-c", code], capture_output=True, **anybody(True))
            done.check_returncode()
            return python
    pytest.skip("nobody else may run an interpreter here, or read this checkout")


def anybody(plain: bool) -> dict[str, Any]:
    if not plain or os.geteuid() != 0:
        return {}
    return {"user": PLAIN, "group": PLAIN, "extra_groups": []}


def script(what: str, tier: str, *, plain: bool = False) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [interpreter(), "-S", str(SCRIPT), what, tier],
        env={"MARK_SECRET": "MARK_SECRET", "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        text=True,
        **anybody(plain),
    )


def printed(what: str, tier: str, plain: bool) -> dict[str, Any]:
    if tier == NAMESPACES and the_door.door().tier().name != NAMESPACES:
        pytest.skip(f"no namespaces here: {the_door.door().tier().reasons}")
    if tier == LANDLOCK and not landlock.abi():
        pytest.skip("no Landlock here")
    with script(what, tier, plain=plain) as worker:
        found: dict[str, Any] = json.loads(worker.communicate(timeout=SECONDS)[0])
    return found


@cache
def outcome(tier: str, plain: bool) -> dict[str, str]:
    return printed("escapes", tier, plain)


USERS = pytest.mark.parametrize("plain", [False, True], ids=["as we are", "as a plain user"])


@USERS
@pytest.mark.parametrize("tier", [NAMESPACES, LANDLOCK])
def test_no_escape_works(tier, plain):
    got = {name: said for name, said in outcome(tier, plain).items() if said.startswith("GOT")}
    assert got == {}


@USERS
@pytest.mark.parametrize("tier", [NAMESPACES, LANDLOCK])
def test_a_program_that_takes_all_there_is_gets_little_more_than_its_limit(tier, plain):
    """It asks for 1.5 GB and may have 128 MB; others on this machine may take some meanwhile."""
    fell = [printed("memory", tier, plain)["fell"] for _ in range(3)]
    assert min(fell) < 450, fell


@USERS
def test_the_same_escapes_work_where_the_owner_trusts_a_program(plain):
    """What a test of a jail that nothing tried to leave would be worth."""
    found = outcome(TRUSTED, plain)
    assert found["alive after its game"] == "no: none"
    assert len(found) == 69
    assert sum(said.startswith("GOT") for said in found.values()) > 50


@pytest.mark.parametrize("tier", [NAMESPACES, LANDLOCK, TRUSTED])
def test_nothing_survives_a_worker_that_is_killed(tier):
    with script("killed", tier) as worker:
        assert worker.stdout is not None
        mark = worker.stdout.readline().strip()
        assert alive(mark)
        worker.kill()
    assert wait_until(lambda: not alive(mark), seconds=60)
    shutil.rmtree(mark)


def test_where_namespaces_are_forbidden_landlock_holds():
    with script("deprived", "", plain=True) as worker:
        assert json.loads(worker.communicate(timeout=SECONDS)[0])["tier"] == LANDLOCK


@pytest.fixture
def start(tmp_path):
    """Starts a program that answers everything, and ends it."""
    (tmp_path / "stays.py").write_text(STAYS)
    tmp_path.chmod(0o755)
    started: list[Process] = []

    def process(**more) -> Process:
        command = (sys.executable, "-S", "-E", "stays.py")
        started.append(Process(command, tmp_path, Limits(seconds=10), **more))
        return started[-1]

    yield process
    for each in started:
        each.stop()


def test_where_nothing_holds_no_program_is_started_unless_it_is_trusted(start, monkeypatch):
    monkeypatch.setattr(the_door, "TIERS", ())
    monkeypatch.setattr(the_door, "_door", None)
    with pytest.raises(OurFault, match="this system shuts no program in"):
        start()
    assert start(trusted=True).ask({}) == {"type": "ready"}


@pytest.mark.parametrize("read", ["above", "itself"])
def test_no_program_is_started_that_would_see_what_is_hidden(start, tmp_path, read):
    secret = tmp_path.parent / "secret"
    seen = {"above": tmp_path.parent, "itself": secret}[read]
    secret.mkdir(exist_ok=True)
    with pytest.raises(OurFault, match="there lies the data of this installation"):
        start(read=(seen,), hidden=(secret,))


def test_a_program_is_shown_with_every_link_to_it(tmp_path):
    for name, target in (("a", "b"), ("b", "/bin/sh")):
        (tmp_path / name).symlink_to(target)
    seen = view.shown(str(tmp_path / "a"), Path("/usr"), (), ())
    assert {str(tmp_path / "a"), str(tmp_path / "b"), "/bin/sh"} <= set(seen)


def test_a_program_outlives_the_thread_that_started_it(start):
    started = []
    thread = threading.Thread(target=lambda: started.append(start()))
    thread.start()
    thread.join()
    assert started[0].ask({}) == {"type": "ready"}


def ask_on(process: Process) -> None:
    while True:
        process.ask({})


def test_a_doorkeeper_that_ended_takes_its_programs_along_and_has_a_successor(start):
    process = start()
    os.kill(the_door.door()._doorkeeper.pid, signal.SIGKILL)
    with pytest.raises(BotFault):
        ask_on(process)
    assert start().ask({}) == {"type": "ready"}


def test_a_doorkeeper_that_does_not_answer_decides_nothing(monkeypatch):
    monkeypatch.setattr(the_door, "_ANSWER_SECONDS", 0.2)
    fresh = the_door.Door()
    try:
        os.kill(fresh._doorkeeper.pid, signal.SIGSTOP)
        with pytest.raises(the_door.NoAnswerError):
            fresh.tier()
        os.kill(fresh._doorkeeper.pid, signal.SIGCONT)
        monkeypatch.setattr(the_door, "_ANSWER_SECONDS", 10.0)
        assert fresh.tier().name == the_door.door().tier().name
    finally:
        fresh.close()


def test_a_forked_process_has_a_doorkeeper_of_its_own():
    ours = the_door.door()
    pid = os.fork()
    if pid == 0:
        try:
            theirs = the_door.door()
            os._exit(0 if theirs is not ours and theirs.tier().name else 1)
        finally:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
    assert the_door.door() is ours
    assert ours.is_open
