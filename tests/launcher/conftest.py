import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from launcher import services
from launcher.children import wait_until
from launcher.locations import ROOT


@contextmanager
def short_folder() -> Iterator[Path]:
    """A folder with a short path, as sockets like it, in memory where there is enough."""
    memory = Path("/dev/shm")
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1_000_000_000
    folder = Path(tempfile.mkdtemp(prefix="tienlen-", dir=memory if roomy else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def fresh() -> Iterator[Path]:
    """A data folder that is still to be made."""
    with short_folder() as folder:
        yield folder / "var"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """A data folder that has been started once: making its cluster takes longer than most tests."""
    with short_folder() as folder:
        with services(folder / "var", what="test", durable=False):
            pass
        yield folder / "var"


@pytest.fixture
def data(fresh: Path, cluster: Path) -> Path:
    """A data folder of this test alone that has been started once."""
    return Path(shutil.copytree(cluster, fresh))


@pytest.fixture
def environment() -> dict[str, str]:
    return user_environment()


def user_environment() -> dict[str, str]:
    """The environment of a user who has set nothing; workers do not compile the engine's core."""
    ours = ("TIENLEN_", "DATABASE_URL", "REDIS_URL", "DJANGO_", "PYTEST_", "SECRET_KEY")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"TIENLEN_CORE": "python"}


@pytest.fixture
def python(environment: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start Python code in a process of its own; what still runs after the test is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, *arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def processes_of(data: Path) -> list[str]:
    """Return the command lines of all processes that were started for a data folder."""
    return sorted(commands_of(data).values())


def commands_of(data: Path) -> dict[int, str]:
    """Return the same by process id."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            environ = (entry / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(data) in command or f"TIENLEN_DATA={data}" in environ:
            found[int(entry.name)] = command.strip()
    return found


def all_gone(data: Path, *, seconds: float) -> bool:
    return wait_until(lambda: not processes_of(data), seconds=seconds, pause=0.05)


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
