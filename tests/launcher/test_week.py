"""A week of an operator: what breaks, how long people wait, what the phone is told and when."""

import email
import email.policy
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from launcher.children import wait_until
from launcher.locations import ROOT, locations
from tests.launcher import test_server
from tests.launcher.conftest import all_gone
from tests.launcher.test_server import Serve, answers, pids_of
from tests.launcher.test_services import connect

pytestmark = [
    pytest.mark.limit(1800, reason="a week in a quarter of an hour"),
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="a small disk needs root"),
]
PARTS = ("valkey-server", "bin/postgres -D", "config worker", "config beat", "uvicorn")
ADMINISTRATOR = """
from accounts.models import User
from league.models import NewsWish
user = User.objects.create_superuser("an@club.example", "x")
user.emailaddress_set.create(email=user.email, verified=True, primary=True)
NewsWish.objects.create(user=user, language="en")
"""


serve, port = test_server.serve, test_server.port


class Phone(socketserver.ThreadingTCPServer):
    """A mail server that keeps what the administrator is told, with the second of the week."""

    daemon_threads = allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Letter)
        self.began, self.told = time.monotonic(), list[tuple[float, str]]()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def note(self, text: str) -> None:
        self.told.append((time.monotonic() - self.began, text))
        print(f"{self.told[-1][0]:6.0f} s  {text}", flush=True)

    def heard(self, part: str, count: int = 1) -> bool:
        return sum(part in text for _at, text in self.told) >= count


class Letter(socketserver.StreamRequestHandler):
    server: Phone

    def handle(self) -> None:
        self.wfile.write(b"220 phone\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = list(iter(self.rfile.readline, b".\r\n"))
                mail = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
                body = mail.get_body(("plain",))
                text = " ".join(body.get_content().split()) if body else ""
                self.server.note(f"  phone: {mail['Subject']}. {text[:150]}")
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 well\r\n")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder on a disk of 1.5 GB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500m", "tmpfs", disk], check=True)
    yield disk / "var"
    all_gone(disk, seconds=20)
    subprocess.run(["umount", "--lazy", disk], check=True)


def test_a_week(
    data: Path,
    tmp_path: Path,
    serve: Serve,
    port: int,
    environment: dict[str, str],
) -> None:
    """`-s` prints the week as docs/reliability.md has it."""
    phone, ear, backups = Phone(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), tmp_path / "b"
    ear.bind(str(tmp_path / "notify"))
    ear.settimeout(10)
    backups.mkdir()
    environment |= {
        "EMAIL_URL": f"smtp://127.0.0.1:{phone.server_address[1]}",
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "TIENLEN_BACKUPS": str(backups),
    }

    def until_well(what: str, *, most: float = 120) -> None:
        began = time.monotonic()
        assert wait_until(lambda: answers(port), seconds=most, pause=0.2), what
        phone.note(f"{what}: pages again after {time.monotonic() - began:.1f} s")

    def manage(*words: str) -> None:
        command = [sys.executable, "manage.py", *words]
        told = {"TIENLEN_DATA": str(data)}
        subprocess.run(command, cwd=ROOT, env=environment | told, check=True, capture_output=True)

    def launch(*words: str) -> str:
        command = [sys.executable, "-m", "launcher", *words, "--data", str(data)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    running = serve(f"--port={port}", "--no-demo")
    heard = {ear.recv(100) for _signal in range(2)}
    assert {b"READY=1", b"WATCHDOG=1"} == heard
    manage("shell", "-c", ADMINISTRATOR)
    phone.note("Monday: installed as a service, ready and alive by sd_notify")

    filler = data.parent / "films"
    free = shutil.disk_usage(data).free
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free - 100_000_000)
    phone.note("Tuesday: the disk is filled but for 100 MB")
    every_part_is_killed(data, phone, until_well)
    assert wait_until(lambda: phone.heard("The disk is nearly full"), seconds=300, pause=1)
    assert wait_until(lambda: phone.heard("ends again and again"), seconds=300, pause=1)
    filler.unlink()
    phone.note("Thursday: there is room again")
    assert wait_until(lambda: phone.heard("well again"), seconds=180, pause=1)

    with connect(data) as connection:
        connection.execute("CREATE TABLE entered AS SELECT 1 AS number")
    launch("backup")
    (saved,) = backups.glob("backup-*.dump")
    with connect(data) as connection:
        connection.execute("INSERT INTO entered VALUES (2)")
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(60) == 0
    kept = launch("restore", str(saved), "--yes").partition("launcher restore ")[2].split()[0]
    launch("restore", kept, "--yes")
    phone.note("Friday: the wrong backup was restored, then what was there before")

    locations(data).release.write_text("an older release")
    began = time.monotonic()
    running = serve(f"--port={port}", "--no-demo")
    phone.note(f"Saturday: upgraded, away for {time.monotonic() - began:.1f} s")
    assert list(backups.glob("upgrade-*.dump")) != []
    with connect(data) as connection:
        assert connection.execute("SELECT max(number) FROM entered").fetchone() == (2,)
        assert wait_until(lambda: list(backups.glob("moments/*/base-2*")) != [], seconds=60)
        connection.execute("CREATE TABLE late (at float8)")
        written = time.time()
        while time.time() - written < 70:
            connection.execute("INSERT INTO late VALUES (%s)", [time.time()])
            time.sleep(0.5)
    died, began = time.time(), time.monotonic()
    running.process.kill()
    running.process.wait()
    shutil.rmtree(data, ignore_errors=True)
    assert all_gone(data, seconds=20)
    shutil.rmtree(data, ignore_errors=True)
    launch("restore", "latest", "--yes")
    serve(f"--port={port}", "--no-demo")
    back = time.monotonic() - began
    with connect(data) as connection:
        (last,) = connection.execute("SELECT max(at) FROM late").fetchone() or (0,)
    phone.note(f"Sunday: the disk died; {died - last:.1f} s lost, back after {back:.1f} s")
    assert died - last < 60
    assert back < 120


def every_part_is_killed(data: Path, phone: Phone, until_well: Callable[[str], None]) -> None:
    """The web server thrice, which is a loop; each other part once."""
    for name in (*PARTS, "uvicorn", "uvicorn"):
        before = set(pids_of(data, name))
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: set(pids_of(data, name)) - before != set(), seconds=40), name  # noqa: B023
        until_well(f"Wednesday night: {name.split('/')[-1]} killed")
        time.sleep(12)  # Five within a minute would end the server.
