"""Programs that end are started again, also where the disk was full in between."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
import time_machine

from config.settings import QUEUES
from launcher import away, capacity, edits, logs, programs, supervisor, systemd, upgrade, watchdog
from launcher.children import wait_until
from launcher.errors import LaunchError
from launcher.locations import locations
from launcher.output import tell
from launcher.supervisor import Stopped, StopSignal, keep_running

ENDS = [sys.executable, "-c", "pass"]
STAYS = [sys.executable, "-c", "import time; time.sleep(600)"]


class Program:
    """Does at each start what its list says: it ends at once, stays, or cannot start."""

    name = "program"

    def __init__(self, tmp_path, *starts: str) -> None:
        self.log = tmp_path / "program.log"
        self.starts, self.count = list(starts), 0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        does = self.starts[min(self.count, len(self.starts) - 1)]
        self.count += 1
        if does == "fails":
            self.process = None
            raise LaunchError("no space left")
        self.process = subprocess.Popen(STAYS if does == "stays" else ENDS)
        if does == "ends":
            self.process.wait()

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Watch(StopSignal):
    """Asks for the end when `over` says so."""

    def __init__(self, over) -> None:
        super().__init__()
        self.over = over

    def pause(self, seconds: float) -> None:
        if self.over():
            raise Stopped


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(supervisor, "FULL_SECONDS", 0)


def test_what_cannot_start_on_a_full_disk_starts_when_there_is_room(tmp_path, capsys):
    program = Program(tmp_path, "ends", *["fails"] * 9, "stays")
    program.start()
    try:
        with pytest.raises(Stopped):
            keep_running([program], Watch(lambda: program.count == 11), has_room=lambda: False)
        assert program.process is not None
        assert program.process.poll() is None
    finally:
        program.stop()
    assert capsys.readouterr().out.count("The disk is full") == 1


def test_an_edited_source_starts_the_web_again_and_nothing_else_does(tmp_path, capsys):
    source = tmp_path / "league" / "views.py"
    source.parent.mkdir()
    source.write_text("before = 1")
    web = Program(tmp_path, "stays")
    look = edits.Edits([web], root=tmp_path).look
    look()
    assert web.count == 0
    source.with_name("page.html").write_text("a template is read at each look anyway")
    look()
    assert web.count == 0
    os.utime(source, ns=(1, 1))
    look()
    look()
    assert web.count == 1
    assert "league/views.py has changed" in capsys.readouterr().out
    source.with_name("new.py").write_text("")
    look()
    source.unlink()
    look()
    assert web.count == 3
    web.stop()


@pytest.mark.parametrize(("debug", "watched"), [("1", True), ("", False), ("0", False)])
def test_sources_are_watched_for_developers_alone(monkeypatch, debug, watched):
    monkeypatch.setenv("DEBUG", debug)
    assert edits.are_watched() is watched


def test_what_keeps_ending_on_a_full_disk_is_not_given_up(tmp_path):
    program = Program(tmp_path, *["ends"] * 12, "stays")
    program.start()
    try:
        with pytest.raises(Stopped):
            keep_running([program], Watch(lambda: program.count == 13), has_room=lambda: False)
    finally:
        program.stop()


@pytest.mark.parametrize("then", ["fails", "ends"])
def test_with_room_on_the_disk_what_cannot_run_ends_everything(tmp_path, then):
    program = Program(tmp_path, "ends", then)
    program.start()
    with pytest.raises(LaunchError):
        keep_running([program], Watch(lambda: program.count > 20))
    program.stop()


class Deaf(Program):
    """Runs, and answers only where its list says so."""

    last_words = signal.SIGABRT

    def answers(self) -> bool:
        return self.count > 1


@pytest.mark.parametrize("patience", ["START_PATIENCE", "STILL_PATIENCE", "STOPPED_PATIENCE"])
def test_what_runs_and_does_not_answer_is_started_again_once(
    tmp_path, monkeypatch, capsys, patience
):
    """Also before its first answer, where the kernel never runs it."""
    monkeypatch.setattr(watchdog, "PAUSE", 0.01)
    monkeypatch.setattr(watchdog, patience, 3)
    program = Deaf(tmp_path, "stays")
    program.start()
    first = program.process
    assert first is not None
    os.kill(first.pid, signal.SIGSTOP)
    dog, rounds = watchdog.Watchdog([program]), iter(range(40))
    try:
        with pytest.raises(Stopped):
            keep_running(
                [program], Watch(lambda: (time.sleep(0.01), next(rounds))[1] == 39), watchdog=dog
            )
        assert program.count == 2
        assert first.returncode == -signal.SIGABRT
    finally:
        program.stop()
    assert capsys.readouterr().out.count("answers no more and is started again") == 1


def test_a_slow_start_is_told_from_a_stopped_one():
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        assert wait_until(lambda: watchdog._run_so_far(busy.pid) == "", seconds=30)
        os.kill(busy.pid, signal.SIGSTOP)
        os.waitpid(busy.pid, os.WUNTRACED)
        assert watchdog._run_so_far(busy.pid) == watchdog._run_so_far(busy.pid) != ""
    finally:
        busy.kill()
        busy.wait()


def test_the_page_answers_while_no_web_process_lives(tmp_path):
    """Nobody answered for 43 to 50 s when both had been killed or stopped."""

    def answer() -> bytes:
        with socket.create_connection(line.getsockname(), timeout=5) as visitor:
            visitor.sendall(b"GET / HTTP/1.1\r\n\r\n")
            return visitor.recv(12)

    def is_left_alone() -> bool:
        with contextlib.suppress(BlockingIOError):
            line.accept()[0].close()
        return threading.active_count() == before

    webs = [SimpleNamespace(lives=lambda: alive) for _number in range(2)]
    alive, before = True, threading.active_count() + 1
    with socket.create_server(("127.0.0.1", 0)) as line:
        line.setblocking(False)
        page = away.AwayPage(line)
        page.watch(webs)
        for _time in range(2):
            alive = False
            assert answer() == b"HTTP/1.1 503"
            alive = True
            assert wait_until(is_left_alone, seconds=5)
        page.rest()
        alive = False
        time.sleep(2 * away.LOOK_SECONDS)
        assert threading.active_count() == before - 1, "nobody watches any longer"


def test_a_web_process_lives_unless_it_ended_or_stands_still(tmp_path):
    places = locations(tmp_path)
    places.pulse.mkdir()
    part = programs.Part("web", [], places)
    assert not part.lives()
    part.process = subprocess.Popen(STAYS)
    try:
        assert not part.lives(), "no sign of life yet"
        (places.pulse / "web").touch()
        assert part.lives()
        os.kill(part.process.pid, signal.SIGSTOP)
        os.waitpid(part.process.pid, os.WUNTRACED)
        assert not part.lives()
    finally:
        part.process.kill()
        part.process.wait()
    assert not part.lives()


def test_a_sign_of_life_of_the_process_before_is_none_of_the_next(tmp_path, monkeypatch):
    """After a crash a start of more than some seconds would be called hung."""
    places = locations(tmp_path)
    part = programs.Part("worker", [], places)
    places.pulse.mkdir()
    (places.pulse / "worker").touch()
    monkeypatch.setattr(programs, "spawn", lambda *command, **how: None)
    part.start()
    assert not part.answers()


def test_what_cannot_be_told_on_a_full_disk_stops_nothing(monkeypatch):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        tell("The disk is full.")
        monkeypatch.undo()
        with contextlib.suppress(OSError):
            full.close()


def test_a_log_is_put_aside_while_it_is_written_to(tmp_path, monkeypatch):
    """Writers go on in the same file; where nothing can be kept, room is made all the same."""
    monkeypatch.setattr(logs, "LARGEST", 1000)
    places = locations(tmp_path)
    places.logs.mkdir()
    log, kept = places.logs / "web.log", places.logs / "web.log.1"
    keeper = logs.LogKeeper(places)
    with log.open("ab", buffering=0) as writer:
        writer.write(b"x" * 500)
        keeper.look()
        assert not kept.exists()
        writer.write(b"y" * 900)
        logs.put_aside(places)
        assert (log.read_bytes(), kept.read_bytes()) == (b"", b"x" * 100 + b"y" * 900)
        writer.write(b"z" * 1001)
        kept.unlink()
        kept.mkdir()
        logs.put_aside(places)
        writer.write(b"after")
    assert log.read_bytes() == b"after"


@pytest.mark.parametrize(
    "error",
    [
        "2026-11-24 21:14:05,123 ERROR tables [a1] A bot failed\nTraceback\n  of it\n",
        '{"time": "2026-11-24T21:14:05.1+00:00", "level": "ERROR", "message": "A bot failed"}\n',
    ],
)
@time_machine.travel("2026-11-25T08:00Z")
def test_warnings_outlive_the_logs_they_stood_in_for_two_weeks(error, tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "LARGEST", 1000)
    places = locations(tmp_path)
    places.logs.mkdir()
    quiet = "2026-11-24 21:14:04,001 INFO tables [a1] Quiet\n  and more\n"
    before = "2026-11-12 08:00:00,100 WARNING old [-] Before\n"
    kept = places.logs / "warnings.txt"
    kept.write_text(f"2026-11-10 08:00:00,100 ERROR old [-] Long ago\n  its place\n{before}")
    (places.logs / "worker.log.1").write_text(quiet + error + quiet)
    (places.logs / "worker.log").write_text(quiet * 30)
    logs.put_aside(places)
    assert kept.read_text() == before + error


def test_what_signs_in_is_told_but_not_to_the_journal(tmp_path, monkeypatch):
    notes, out = tmp_path / "notes", os.fstat(1)
    journal = f"{out.st_dev}:{out.st_ino}"
    for stream, told in ((journal, f"  see {notes}"), ("8:15", "an@x  s3cret")):
        notes.write_text("an@x  s3cret\n")
        monkeypatch.setenv("JOURNAL_STREAM", stream)
        assert upgrade._told(notes) == told
    assert not notes.exists()


def test_systemd_hears_that_the_supervisor_still_looks(tmp_path, monkeypatch):
    """Without a socket nobody listens, and nothing is said."""
    systemd.notify("READY=1")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        systemd.notify("READY=1")
        alive = systemd.LifeSigns()
        stop = StopSignal()
        threading.Timer(1.0, stop._asked.set).start()
        with contextlib.suppress(Stopped):
            keep_running([], stop, looks=[alive.look])
        assert [ear.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]
        ear.setblocking(False)
        with pytest.raises(BlockingIOError):  # Once in five seconds, not at every look.
            ear.recv(100)
    systemd.notify("WATCHDOG=1")  # Nobody listens any more: no reason to end.


def test_a_systemd_that_does_not_listen_holds_nobody(tmp_path, monkeypatch):
    """Seen in tests/launcher/test_week.py: after a minute the supervisor stood still."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as deaf:
        deaf.bind(str(tmp_path / "notify"))
        told = threading.Thread(
            target=lambda: [systemd.notify("WATCHDOG=1") for _ in range(1000)], daemon=True
        )
        told.start()
        told.join(60)
        assert not told.is_alive()


@pytest.mark.parametrize(
    ("least", "mail", "names"),
    [
        (0, "", ["web", "worker", "simulations", "quick", "beat"]),
        (1 << 60, "", ["web", "worker", "simulations", "beat"]),
        (0, "smtp://a.example", ["web", "worker", "mail", "simulations", "quick", "beat"]),
        (1 << 60, "smtp://a.example", ["web", "worker", "mail", "simulations", "beat"]),
    ],
)
def test_every_queue_has_one_worker_whatever_the_memory(tmp_path, monkeypatch, least, mail, names):
    monkeypatch.setattr(programs, "ROOMY", least)
    monkeypatch.setenv("EMAIL_URL", mail)
    with socket.socket() as line:
        found = programs.parts(locations(tmp_path), line)
    assert [part.name for part in found] == names
    lists = [word.partition("=")[2] for part in found for word in part.command if "queues=" in word]
    assert sorted(",".join(lists).split(",")) == sorted(QUEUES)


GIB = 1 << 30


@pytest.mark.parametrize(
    ("memory", "cores", "web", "bots"),
    [
        (1 * GIB, 8, 1, 1),
        (2 * GIB, 8, 1, 1),
        (3 * GIB, 8, 2, 5),
        (4 * GIB, 4, 2, 4),
        (8 * GIB, 64, 2, 8),
    ],
)
def test_processes_are_counted_by_what_there_is(tmp_path, monkeypatch, memory, cores, web, bots):
    """Under 2 GB on eight cores there were eight children of up to 250 MB each."""
    monkeypatch.setattr(capacity, "memory", lambda: memory)
    monkeypatch.setattr(capacity, "processors", lambda: cores)
    monkeypatch.delenv("WEB_PROCESSES", raising=False)
    with socket.socket() as line:
        found = {part.name: part for part in programs.parts(locations(tmp_path), line)}
    assert f"--concurrency={bots}" in found["simulations"].command
    assert programs.web_processes() == web


@pytest.mark.parametrize(
    ("group", "files", "memory", "cores"),
    [
        ("0::/system.slice/own.service", {"system.slice/own.service/memory.max": "1000"}, 1000, 0),
        ("0::/system.slice/own.service", {"system.slice/memory.max": "2000",
         "system.slice/own.service/memory.max": "max"}, 2000, 0),
        ("0::/", {"memory.max": "3000", "cpu.max": "50000 100000"}, 3000, 1),
        ("4:memory:/docker/4f\n1:cpu:/", {"memory/memory.limit_in_bytes": "4000"}, 4000, 0),
        ("0::/own", {"own/memory.max": "max", "own/cpu.max": "max 100000"}, 0, 0),
        ("0::/own", {"own/memory.max": str(1 << 60), "own/cpu.max": "9900000 100000"}, 0, 0),
        ("1:name=systemd:/own\n0::/", {}, 0, 0),
    ],
)  # fmt: skip
def test_the_limits_of_a_control_group_count(tmp_path, group, files, memory, cores):
    """The guide's own unit has one; the machine's memory was read instead."""
    nowhere = tmp_path / "nowhere"
    limits = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    for name, text in ({"proc/self/cgroup": group} | limits).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    assert capacity.memory(tmp_path) == (memory or capacity.memory(nowhere))
    assert capacity.processors(tmp_path) == (cores or capacity.processors(nowhere))
