"""script/server as its users start it, end it and get it wrong."""

import ast
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from launcher import database_settings, network, services, upgrade
from launcher.children import wait_until
from launcher.locations import ROOT, locations
from launcher.postgres import _processes_in
from tests.launcher.conftest import all_gone, commands_of, processes_of
from tests.launcher.test_services import connect

SERVER = str(ROOT / "script" / "server")
Serve = Callable[..., "Running"]


class Running:
    """A script/server that has said it is up."""

    def __init__(self, process: subprocess.Popen[str], told: str) -> None:
        self.process = process
        self.told = told


@pytest.fixture
def data(fresh: Path) -> Path:
    """Each first start here is the whole one."""
    return fresh


@pytest.fixture
def serve(data: Path, environment: dict[str, str]) -> Iterator[Serve]:
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> Running:
        process = subprocess.Popen(
            [sys.executable, SERVER, f"--data={data}", *options],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        lines: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                return Running(process, "".join(lines))
        pytest.fail("script/server did not come up: " + "".join(lines))

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()
    assert all_gone(data, seconds=60)


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run(*arguments: object, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SERVER, *map(str, arguments)]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


def status_of(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    return connection.getresponse().status


def programs_of(data: Path) -> set[str]:
    known = ("bin/postgres -D", "valkey-server", "uvicorn", "config worker", "config beat")
    commands = processes_of(data)
    return {name for name in known if any(name in command for command in commands)}


def count_users(data: Path) -> int:
    settings = database_settings(data)
    with psycopg.connect(host=settings["HOST"], user="tienlen", dbname="tienlen") as connection:
        row = connection.execute("SELECT count(*) FROM accounts_user").fetchone()
        assert row is not None
        return int(row[0])


@pytest.mark.limit(1800, reason="starts whole servers, and kills each of their parts with --long")
def test_a_club_night_can_start_be_killed_and_start_again(
    data: Path,
    port: int,
    serve: Serve,
    environment: dict[str, str],
    pytestconfig: pytest.Config,
) -> None:
    """One installation from its first start to a newer release: each start takes its time.

    The short form kills its database and web processes and stops a worker; the long form all, and
    it starts a third time, where the short one only asks what would refuse to.
    """
    killed, hung = ["bin/postgres -D"], ["config worker"]
    is_long = pytestconfig.getoption("--long")
    if is_long:
        killed += ["valkey-server"]
        hung += ["uvicorn", "valkey-server", "bin/postgres -D"]
    first = serve(f"--port={port}", "--lan")
    the_first_start_has_the_demo_and_all_programs(first, data, port)
    with connect(data) as connection:
        connection.execute("TRUNCATE accounts_user CASCADE")
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    assert all_gone(data, seconds=60)

    assert list(data.glob("backups/*.dump")) == []
    locations(data).release.write_text("an older release")
    second = serve(f"--port={port}", "--no-demo")
    assert count_users(data) == 1, "the owner alone: what was committed before the kill"
    (saved,) = data.glob("backups/upgrade-*.dump")
    assert f"the data is saved to {saved}" in second.told
    assert saved.read_bytes()[:5] == b"PGDMP"
    a_link_for_the_owner_is_told(second, data, port)
    the_data_is_held_by_one(data, environment)
    for name in killed:
        what_was_killed_is_started_again(data, name)
    assert wait_until(lambda: answers(port), seconds=60)
    nobody_is_refused_whatever_happens_to_web_processes(second, data, port, environment)
    for name in hung:
        what_answers_no_more_is_told_and_started_again(second, data, port, name)
    with connect(data) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('league', '9999_of_tomorrow', now())"
        )
    second.process.send_signal(signal.SIGINT)
    assert second.process.wait(60) == 0
    assert processes_of(data) == []
    the_data_of_a_newer_release_is_refused(data, port, environment)
    assert list(data.glob("backups/*.dump")) == [saved]
    if is_long:
        serve(f"--port={port}", "--no-demo")
        assert count_users(data) == 1
        return
    with services(data, what="test", durable=False):
        check, here = [*upgrade.MANAGE, "migrate", "--check"], {"TIENLEN_DATA": str(data)}
        subprocess.run(check, env=environment | here, check=True, timeout=60)
        assert count_users(data) == 0, "as it was saved: the owner came later"


def the_first_start_has_the_demo_and_all_programs(first: Running, data: Path, port: int) -> None:
    assert f"http://localhost:{port}/" in first.told
    assert "@" in first.told, "the demo's sign-ins"
    assert "▄" in first.told, "the QR code"
    assert status_of(port, "/") == 200
    assert programs_of(data) == {
        "bin/postgres -D",
        "valkey-server",
        "uvicorn",
        "config worker",
        "config beat",
    }
    assert locations(data).secret_key.stat().st_mode & 0o777 == 0o600
    assert count_users(data) > 0


def a_link_for_the_owner_is_told(running: Running, data: Path, port: int) -> None:
    link = re.search(rf"http://[^ ]*:{port}(/\S+)", running.told.split("/\n", 1)[1])
    assert link is not None, running.told
    assert status_of(port, link[1]) in {200, 302}
    assert not (data / "notes").exists()


class Visitors(threading.Thread):
    """They come one after the other, each on a connection of its own, and count what they got."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port, self.counts, self.over = port, Counter[str](), threading.Event()
        self.longest = 0.0

    def run(self) -> None:
        while not self.over.wait(0.02):
            began = time.monotonic()
            try:
                self.counts[str(status_of(self.port, "/health/"))] += 1
            except (OSError, http.client.HTTPException) as error:
                self.counts[type(error).__name__] += 1
            self.longest = max(self.longest, time.monotonic() - began)

    def go_on(self, status: str = "200") -> bool:
        """Whether ten more of them were answered so within a minute."""
        before = self.counts[status]
        return wait_until(lambda: self.counts[status] >= before + 10, seconds=60)


def nobody_is_refused_whatever_happens_to_web_processes(
    running: Running, data: Path, port: int, environment: dict[str, str]
) -> None:
    """Two share the listening socket, which outlives both: one goes on where the other does not."""
    assert wait_until(lambda: len(pids_of(data, "uvicorn")) == 2, seconds=30)
    visitors = Visitors(port)
    visitors.start()
    try:
        stopped = pids_of(data, "uvicorn")[0]
        os.kill(stopped, signal.SIGSTOP)
        assert visitors.go_on(), "while one stands still"
        with suppress(ProcessLookupError):  # On a busy machine another has taken its place by now.
            os.kill(stopped, signal.SIGCONT)
        killed = pids_of(data, "uvicorn")[0]
        os.kill(killed, signal.SIGKILL)
        assert visitors.go_on(), "while one is dead"
        assert wait_until(lambda: len(pids_of(data, "uvicorn")) == 2, seconds=60)
        for number in (signal.SIGKILL, signal.SIGSTOP):
            assert wait_until(lambda: all_live(data), seconds=60)
            visitors.longest, began = 0.0, time.monotonic()
            for pid in pids_of(data, "uvicorn"):
                os.kill(pid, number)
            assert visitors.go_on("503"), f"the page while none lives after {number.name}"
            told = time.monotonic() - began
            assert visitors.go_on(), f"after both got {number.name}"
            back = time.monotonic() - began
            print(f"{number.name}: page {told:.1f} s, again {back:.1f} s, "
                  f"longest {visitors.longest:.1f} s, load {os.getloadavg()[0]:.0f}")  # fmt: skip
            assert visitors.longest < 10, "nobody is left without an answer"
        before = set(pids_of(data, "uvicorn"))
        told = run(f"--data={data}", "--again", env=environment).stdout
        assert told.startswith(f"Asked to start again: script/server on port {port}")
        assert visitors.go_on("503"), "the page of an upgrade"
        assert visitors.go_on(), "after the upgrade"
        assert wait_until(lambda: len(set(pids_of(data, "uvicorn")) - before) == 2, seconds=60)
    finally:
        visitors.over.set()
        visitors.join()
    assert visitors.counts["ConnectionRefusedError"] == 0, visitors.counts
    assert processes_of(data) != []
    assert running.process.poll() is None


def all_live(data: Path) -> bool:
    """Whether both web processes have given a sign of life since they were started."""
    files = [data / "pulse" / name for name in ("web", "web 2")]
    return all(file.exists() and time.time() - file.stat().st_mtime < 3 for file in files)


def the_data_is_held_by_one(data: Path, environment: dict[str, str]) -> None:
    second = run(f"--data={data}", "--port=8099", env=environment)
    assert second.returncode == 1
    assert "already works on" in second.stderr
    assert "Traceback" not in second.stderr


def what_was_killed_is_started_again(data: Path, name: str) -> None:
    before = set(pids_of(data, name))
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: set(pids_of(data, name)) - before != set(), seconds=60), name


def answers(port: int) -> bool:
    try:
        return status_of(port, "/") == 200
    except (OSError, http.client.HTTPException):
        return False


def what_answers_no_more_is_told_and_started_again(
    running: Running, data: Path, port: int, name: str
) -> None:
    assert wait_until(lambda: len(list(data.glob("pulse/*"))) == 6, seconds=60)
    # The first of them is the one that the others are children of.
    hung = min(pids_of(data, name))
    os.kill(hung, signal.SIGSTOP)
    assert wait_until(lambda: hung not in pids_of(data, name), seconds=60), name
    assert wait_until(lambda: pids_of(data, name) != [], seconds=60), name
    assert wait_until(lambda: answers(port), seconds=60), name
    assert running.process.stdout is not None
    told = iter(running.process.stdout.readline, "")
    assert any("answers no more and is started again" in line for line in told), name
    if name in ("uvicorn", "config worker"):
        log = data / "log" / ("web.log" if name == "uvicorn" else "worker.log")
        assert "most recent call first" in log.read_text()


def the_data_of_a_newer_release_is_refused(
    data: Path, port: int, environment: dict[str, str]
) -> None:
    """The refusal names the dump and the order of steps, and its command keeps the newer data."""
    locations(data).release.write_text("a newer release")
    refused = run(f"--data={data}", f"--port={port}", "--no-demo", env=environment)
    assert refused.returncode == 1
    found = re.fullmatch(
        r"A newer release wrote this data \(league\.9999_of_tomorrow\): start that release or a"
        r" later one, or restore a backup from before it\. To go back to before its upgrade: check"
        r" out the newer release, run python -m (launcher restore \S+ --data \S+) there, which"
        r" keeps the newer data for a week, then check out this release and start it\.\n",
        refused.stderr,
    )
    assert found, refused.stderr
    command = [sys.executable, "-m", *found[1].split(), "--yes"]
    back = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert "The database from before is kept as tienlen_before_" in back.stdout


def pids_of(data: Path, name: str) -> list[int]:
    return [pid for pid, command in commands_of(data).items() if name in command]


def test_a_taken_port_is_one_sentence_with_a_free_port(
    data: Path, environment: dict[str, str]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = run(f"--data={data}", f"--port={port}", env=environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        rf"Port {port} is taken by another program: choose another one, for example --port \d+.\n",
        done.stderr,
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port=0"], "'0' is no port: give a number from 1 to 65535"),
        (["--port=web"], "'web' is no port: give a number from 1 to 65535"),
        ([f"--data={SERVER}"], "is a file: give a folder, or one still to make"),
    ],
)
def test_wrong_options_say_what_to_give(
    arguments: list[str], sentence: str, environment: dict[str, str]
) -> None:
    done = run(*arguments, env=environment)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_a_folder_that_cannot_be_made_is_one_sentence(environment: dict[str, str]) -> None:
    done = run("--data=/proc/club", env=environment)
    assert done.returncode == 1
    assert re.fullmatch(
        r"The folder /proc/club cannot be made .*: choose another .*\n", done.stderr
    )


def test_a_database_that_does_not_answer_is_one_sentence(
    data: Path, port: int, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = {"DATABASE_URL": "postgres://club@127.0.0.1:1/club"}
    done = run(f"--data={data}", f"--port={port}", env=environment | closed)
    assert (done.returncode, done.stderr) == (
        1,
        "Nothing answers at 127.0.0.1:1, where DATABASE_URL points (Connection refused): "
        "start the database, or correct the variable.\n",
    )
    monkeypatch.setenv("REDIS_URL", "redis://:word@127.0.0.1:1/0")
    problem = network.outside_problem("REDIS_URL", 6379)
    assert problem.startswith("Nothing answers at 127.0.0.1:1, where REDIS_URL points")
    for elsewhere in ("", "unix:///run/valkey.sock", "postgres://%2Frun%2Fsockets/club"):
        monkeypatch.setenv("REDIS_URL", elsewhere)
        assert network.outside_problem("REDIS_URL", 6379) == ""


@pytest.mark.parametrize("name", ["server", "test"])
def test_a_python_too_old_is_one_sentence(name: str, environment: dict[str, str]) -> None:
    script = ROOT / "script" / name
    for early in (script, ROOT / "script" / "newer_python.py"):
        ast.parse(early.read_text(), feature_version=(3, 4))
    code = (
        "import runpy, sys; sys.version_info = (3, 10, 2); "
        "sys.path[0] = 'script'; sys.argv = sys.argv[1:]"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; runpy.run_path(sys.argv[0], run_name='__main__')", script],
        cwd=ROOT,
        env=environment | {"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.fullmatch(r"Python 3.11 or newer is needed and this is 3.10 .*\n", done.stderr)


@pytest.mark.long
def test_after_a_dead_disk_the_last_minute_is_lost_and_the_server_back_in_two(
    data: Path, serve: Serve, port: int, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Prints what docs/reliability.md publishes; `-s` shows it."""
    environment["TIENLEN_BACKUPS"] = str(tmp_path)
    running = serve(f"--port={port}")
    assert wait_until(lambda: list(tmp_path.glob("moments/*/base-2*")) != [], seconds=60)
    began = time.time()
    with connect(data) as connection:
        connection.execute("CREATE TABLE entered (at float8)")
        while time.time() - began < 100:
            connection.execute("INSERT INTO entered VALUES (%s)", [time.time()])
            time.sleep(0.5)
    died = time.time()
    running.process.kill()
    running.process.wait()
    shutil.rmtree(data, ignore_errors=True)
    assert all_gone(data, seconds=60)
    shutil.rmtree(data, ignore_errors=True)

    started = time.monotonic()
    command = [sys.executable, "-m", "launcher", "restore", "latest", "--yes", "--data", str(data)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    restored = time.monotonic() - started
    serve(f"--port={port}")
    back = time.monotonic() - started
    with connect(data) as connection:
        (last,) = connection.execute("SELECT max(at) FROM entered").fetchone() or (0,)
    kept = sum(file.stat().st_size for file in tmp_path.rglob("moments/*/0*.gz"))
    print(f"lost: {died - last:.1f} s; restored after {restored:.1f} s, back after {back:.1f} s;"
          f" {kept / 1000:.0f} kB of log")  # fmt: skip
    assert died - last < 60
    assert back < 120


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["uvicorn", "config worker", "config beat", "valkey-server", "postgres"]
)
def test_ctrl_c_ends_within_fifteen_seconds_whichever_part_stands_still(
    data: Path, serve: Serve, port: int, name: str
) -> None:
    running = serve(f"--port={port}")
    frozen = _processes_in(locations(data).cluster) if name == "postgres" else pids_of(data, name)
    assert frozen
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(60) == 0
    took = time.monotonic() - began
    print(f"{name} stands still: ended after {took:.1f} s, load {os.getloadavg()[0]:.0f}")
    assert took < 15
    assert all_gone(data, seconds=5)
