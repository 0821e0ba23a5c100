"""Programs that end are started again, also where the disk was full in between."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import pytest

from config.embedded import supervisor
from config.embedded.errors import LaunchError
from config.embedded.supervisor import Stopped, StopSignal, keep_running
from config.embedded.telling import tell

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


def test_what_cannot_be_told_on_a_full_disk_stops_nothing(monkeypatch):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        tell("The disk is full.")
        monkeypatch.undo()
        with contextlib.suppress(OSError):
            full.close()
