"""The clock that sends the sweeps."""

import datetime
import os
import subprocess

import pytest
import yaml

from config.beat import Beat
from config.celery import app

INTERVAL = 60.0


@pytest.fixture
def beat(monkeypatch):
    """A scheduler of two tasks that only notes what it would send."""
    made = Beat(app, lazy=True)
    made.data = {}
    made.update_from_dict({name: {"task": name, "schedule": INTERVAL} for name in ("a", "b")})
    made.sent = []
    monkeypatch.setattr(Beat, "apply_entry", lambda self, entry, **_: self.sent.append(entry.name))
    monkeypatch.setattr(Beat, "producer", None)
    return made


def move_clock(monkeypatch, seconds: float) -> None:
    """`seconds` from the real time, for everything that the scheduler asks."""
    real = app.now
    shifted = lambda: real() + datetime.timedelta(seconds=seconds)  # noqa: E731
    monkeypatch.setattr("celery.beat.ScheduleEntry.default_now", lambda self: shifted())
    monkeypatch.setattr("celery.schedules.BaseSchedule.now", lambda self: shifted())


def run(beat: Beat) -> float:
    """Everything that is due now; the seconds until the next."""
    while not (wait := beat.tick()):
        pass
    return wait


def test_everything_is_sent_in_its_interval_again_after_the_clock_went_back(beat, monkeypatch):
    with monkeypatch.context() as patch:
        move_clock(patch, 3600)
        run(beat)
        assert sorted(beat.sent) == ["a", "b"]
    assert 0 < run(beat) <= INTERVAL
    assert sorted(beat.sent) == ["a", "b"]
    with monkeypatch.context() as patch:
        move_clock(patch, INTERVAL + 1)
        run(beat)
    assert sorted(beat.sent) == ["a", "a", "b", "b"]


def test_a_clock_that_jumps_ahead_sends_everything_once(beat, monkeypatch):
    run(beat)
    move_clock(monkeypatch, 3600)
    assert 0 < run(beat) <= INTERVAL
    assert sorted(beat.sent) == ["a", "b"]


def test_compose_looks_at_the_pulse_that_every_round_gives(beat, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    run(beat)
    (given,) = tmp_path.rglob("beat")
    compose = yaml.safe_load((settings.BASE_DIR / "docker-compose.yml").read_text())
    (_shell, command) = compose["services"]["beat"]["healthcheck"]["test"]
    look = command.replace("$$", "$").replace("/data", str(tmp_path))
    assert subprocess.run(look, shell=True, check=False).returncode == 0
    os.utime(given, (0, 0))
    assert subprocess.run(look, shell=True, check=False).returncode == 1
