"""No night can be lost: the embedded database goes back to any moment, also after a dead disk."""

import datetime
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from launcher import (
    LaunchError,
    backup,
    moments,
    nightly,
    postgres,
    restoring,
    segment,
    services,
    upgrade,
)
from launcher.children import wait_until
from launcher.locations import locations
from launcher.postgres import log_folder
from tests.launcher.conftest import all_gone, kill
from tests.launcher.test_backup import launcher
from tests.launcher.test_services import connect

KEEPING = """
    import sys
    from launcher import moments, postgres, services
    from launcher.locations import locations
    postgres.LOG_SECONDS = int(sys.argv[2])
    with services(sys.argv[1], what="the server", durable=False, keeps=True):
        moments.save_base(locations(sys.argv[1]))
        print("up", flush=True)
        sys.stdin.readline()
"""


def names(data: Path) -> list[str]:
    with connect(data) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM league_audit ORDER BY id")]


def write(data: Path, name: str) -> None:
    with connect(data) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS league_audit (id serial, name text)")
        connection.execute("INSERT INTO league_audit (name) VALUES (%s)", [name])


def now() -> datetime.datetime:
    """Return a moment that lies apart from what happens before and after."""
    time.sleep(0.1)
    moment = datetime.datetime.now(datetime.UTC).astimezone()
    time.sleep(0.1)
    return moment


def test_a_restore_goes_to_a_moment_and_says_what_it_will_lose(
    data: Path, environment: dict[str, str]
) -> None:
    with services(data, what="test", durable=False, keeps=True):
        write(data, "An")
        too_early = now()
        moments.save_base(locations(data))
        write(data, "Ba")
        moment = now()
        write(data, "the mistake")
        write(data, "after it")
    status, _said, error = launcher(data, environment, "restore", str(too_early), "--yes")
    assert (status, error.startswith("What is kept in ")) == (1, True)
    status, said, error = launcher(data, environment, "restore", str(moment), "--yes")
    assert (status, error) == (0, "")
    utc = moment.astimezone(datetime.UTC)
    assert f"moment-{utc:%Y%m%d-%H%M%S}.dump is of {utc:%-d %b %Y %H:%M} UTC." in said
    assert "Changes in the database since then, which will be gone: 2." in said
    assert "The database from before is kept as tienlen_before_" in said
    with services(data, what="test", durable=False):
        assert names(data) == ["An", "Ba"]
    assert not (data / "moment").exists()

    tomorrow = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
    status, _said, error = launcher(data, environment, "restore", str(tomorrow))
    assert (status, "is still to come" in error) == (1, True)


def test_a_moment_after_the_last_change_is_the_last_change(data: Path) -> None:
    with services(data, what="test", durable=False, keeps=True):
        write(data, "An")
        moments.save_base(locations(data))
        write(data, "Ba")
        file = moments.dump_of(locations(data), str(now()))
        write(data, "later")
        restoring.restore(locations(data), file, confirm=lambda _lost: True)
        assert names(data) == ["An", "Ba"]


@pytest.mark.parametrize("key", ["", "correct horse battery staple"])
def test_a_dead_disk_takes_no_more_than_the_last_piece_of_the_log(
    data: Path,
    tmp_path: Path,
    environment: dict[str, str],
    python: Callable[..., subprocess.Popen[str]],
    key: str,
) -> None:
    environment |= {"TIENLEN_BACKUPS": str(tmp_path), "TIENLEN_BACKUP_KEY": key}
    server = python(KEEPING, data, 1)
    assert server.stdout.readline() == "up\n"
    for number in range(3):
        write(data, f"game {number}")
        assert wait_until(lambda: kept_log(tmp_path), seconds=30)
        time.sleep(1.2)
    kill(server)
    assert all_gone(data, seconds=60)
    shutil.rmtree(data)

    if key:
        pieces = [file.read_bytes() for file in tmp_path.rglob("*.gz")]
        assert all(piece.startswith(segment.SEALED) for piece in pieces)
    status, said, error = launcher(data, environment, "restore", "latest", "--yes")
    assert (status, error) == (0, ""), said
    with services(data, what="test", durable=False):
        assert names(data) == ["game 0", "game 1", "game 2"]


@pytest.mark.parametrize("is_lost", [True, False])
def test_a_restore_names_the_gap_that_it_meets_and_goes_no_further_unasked(
    data: Path, tmp_path: Path, monkeypatch, environment: dict[str, str], is_lost: bool
) -> None:
    """It claimed the moment, and gave an older state: of the same database and of a lost one."""
    monkeypatch.setenv("TIENLEN_BACKUPS", str(tmp_path))
    environment |= {"TIENLEN_BACKUPS": str(tmp_path)}
    places = locations(data)
    pieces: list[str] = []
    with services(data, what="test", durable=False, keeps=True):
        moments.save_base(places)
        for number in range(4):
            write(data, f"game {number}")
            with connect(data) as connection:
                (piece,) = connection.execute(
                    "SELECT pg_walfile_name(pg_current_wal_lsn())"
                ).fetchone()
                connection.execute("SELECT pg_switch_wal()")
            pieces.append(piece)
            time.sleep(1.1)
        kept = [moments.log_folder(places) / f"{piece}.gz" for piece in pieces]
        assert wait_until(lambda: all(file.exists() for file in kept), seconds=30)
        assert not moments.is_base_due(places)
        moment = now()
        kept[1].unlink()
        assert moments.is_base_due(places), "from now on there is no gap any more"
    if is_lost:
        shutil.rmtree(data)
        data.mkdir(mode=0o700)
    else:
        (places.cluster / "pg_wal" / pieces[1]).unlink(missing_ok=True)
    asked = "latest" if is_lost else str(moment)
    status, _said, error = launcher(data, environment, "restore", asked, "--yes")
    assert status == 1
    clock = r"\d+ \w+ 20\d\d \d\d:\d\d:\d\d UTC"
    assert re.fullmatch(
        rf"Nothing was replaced. A part of the log is missing: what was changed after ({clock}) "
        rf"until about ({clock})\. To go back to \1 add --until-gap\.\n",
        error,
    ), error
    status, said, error = launcher(data, environment, "restore", asked, "--yes", "--until-gap")
    assert (status, error) == (0, ""), said
    assert re.search(rf"As of ({clock}); the last change in it is of \1\.", said), said
    with services(data, what="test", durable=False):
        assert names(data) == ["game 0"]


def kept_log(folder: Path) -> list[Path]:
    return list(folder.glob("moments/*/0*.gz"))


@pytest.mark.parametrize("kind", ["plain", "after a crash", "after a restore", "after an upgrade"])
def test_the_log_is_copied_in_time_from_the_first_minute_of_a_start(
    data: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config, kind: str
) -> None:
    """For 300 s after each start nothing was copied by the clock; `--long` waits as a server does.

    First one entry and then silence, then an entry every half second.
    """
    if not pytestconfig.getoption("--long"):
        monkeypatch.setattr(postgres, "LOG_SECONDS", 2)
    places = locations(data)
    with services(data, what="test", durable=False, keeps=True):
        write(data, "An")
        moments.save_base(places)
        if kind == "after a restore":
            restoring.restore(places, backup.save(places), confirm=lambda _lost: True)
        if kind == "after a crash":
            for pid in postgres._processes_in(places.cluster):
                os.kill(pid, signal.SIGKILL)
    if kind == "after an upgrade":
        places.release.write_text("another")
    with services(data, what="test", durable=False, keeps=True):
        if kind == "after an upgrade":
            upgrade.back_up_if_new_release(places)
            assert list(places.backups.glob("upgrade-*.dump"))
        before = len(kept_log(places.backups))
        most, began = postgres.LOG_SECONDS + 8, time.monotonic()
        for pause in (most, 0.5):
            write(data, "Ba")
            asked = time.monotonic()
            while len(kept_log(places.backups)) == before and time.monotonic() < asked + most:
                wait_until(lambda n=before: len(kept_log(places.backups)) > n, seconds=pause)
                write(data, "Ca") if pause < most else None
            took, before = time.monotonic() - asked, len(kept_log(places.backups))
            print(f"{kind}, an entry every {pause} s: {took:.1f} s, {asked - began:.1f} s after")
            assert took < most


def test_a_command_without_the_settings_of_the_server_makes_a_gap_and_the_server_a_base(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = locations(data)
    with services(data, what="test", durable=False, keeps=True):
        with connect(data) as connection:
            connection.execute("CREATE TABLE league_event (closed_at timestamptz)")
        assert nightly.Nightly(places)._due() == ["base"]
        moments.save_base(places)
        assert not moments.is_base_due(places)
        with monkeypatch.context() as long:
            long.setattr(moments, "MOST_LOG", -1)
            assert moments.is_base_due(places)
    with services(data, what="test", durable=False, keeps=True):
        assert not moments.is_base_due(places)
        monkeypatch.setenv("TIENLEN_BACKUPS", str(tmp_path))
        assert moments.is_base_due(places)
        monkeypatch.delenv("TIENLEN_BACKUPS")
    with services(data, what="manage.py", durable=False):
        pass
    with services(data, what="test", durable=False, keeps=True):
        assert moments.is_base_due(places)


def test_the_log_waits_for_a_folder_that_is_away_but_never_fills_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting, note, folder = tmp_path / "pg_wal", tmp_path / "unbroken", tmp_path / "share"
    (waiting / "archive_status").mkdir(parents=True)
    (waiting / "archive_status" / "000000010000000000000001.ready").touch()
    piece = waiting / "000000010000000000000001"
    piece.write_bytes(bytes(1 << 19))
    note.touch()
    assert (segment.keep(piece, folder, note), note.exists()) == (1, True)
    assert "takes no log: No such file or directory." in capsys.readouterr().err
    folder.mkdir()
    on_disk: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: on_disk.append(os.fstat(handle).st_size))
    assert (segment.keep(piece, folder, note), note.exists()) == (0, True)
    kept = folder / f"{piece.name}.gz"
    assert on_disk[0] == kept.stat().st_size, "before it had its name"
    assert (kept.stat().st_size < 20_000, kept.stat().st_mode & 0o077) == (True, 0)
    assert segment.fetch(piece.name, tmp_path / "again", [folder]) == 0
    assert (tmp_path / "again").read_bytes() == piece.read_bytes()
    assert segment.fetch("000000010000000000000002", tmp_path / "none", [folder]) == 1

    shutil.rmtree(folder)
    monkeypatch.setattr(segment, "MOST_WAITING", 1000)
    assert (segment.keep(piece, folder, note), note.exists()) == (0, False)


def test_what_is_kept_ends_after_a_week_and_at_a_limit(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = locations(data)
    with services(data, what="test", durable=False, keeps=True):
        folder = moments.save_base(places).parent
        lost = folder.parent / "12345"
        lost.mkdir()
        (lost / "base-20260101-000000.000000010000000000000001.tar.gz").touch()

        def old(days: int, number: int) -> str:
            at = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days)
            name = f"base-{at:%Y%m%d-%H%M%S}.0000000100000000{number:08X}.tar.gz"
            (folder / name).touch()
            (folder / f"0000000100000000{number:08X}.gz").touch()
            return name

        dropped, first, second = old(20, 0), old(9, 0), old(2, 0)
        moments.save_base(places)
        left = {file.name for file in folder.glob("base-*")}
        assert (dropped in left, first in left, second in left) == (False, True, True)
        assert lost.exists()
        monkeypatch.setattr(moments, "LEAST_BYTES", 1000)
        moments.save_base(places)
        assert (folder / second).exists(), "a tenth of this disk is more"
        monkeypatch.setattr(moments, "SHARE", 0)
        for file in (lost, *lost.iterdir()):
            os.utime(file, (0, 0))
        newest = moments.save_base(places)
        assert list(folder.glob("base-*")) == [newest]
        assert not (folder / f"{0:024}.gz").exists()
        assert not lost.exists()


def test_a_file_that_a_share_left_beside_the_logs_keeps_no_base_from_being_saved(
    tmp_path: Path,
) -> None:
    own, lost = tmp_path / "1", tmp_path / "2"
    for folder in (own, lost):
        folder.mkdir()
        os.utime(folder, (0, 0))
    (own / "base-20150101-180000.000000010000000000000001.tar.gz").touch()
    (tmp_path / ".DS_Store").touch()
    moments._drop_old(own)
    assert (own.exists(), lost.exists()) == (True, False)


def test_a_damaged_base_says_so_and_replaces_nothing(data: Path) -> None:
    with services(data, what="test", durable=False, keeps=True):
        write(data, "An")
        base = moments.save_base(locations(data))
        base.write_bytes(base.read_bytes()[:5000])
        with pytest.raises(LaunchError, match="cannot be unpacked"):
            moments.dump_of(locations(data), str(now()))
        assert names(data) == ["An"]


def test_a_new_cluster_has_small_pieces(fresh: Path) -> None:
    """One of 16 MB every minute would wear out a Raspberry Pi's card."""
    with services(fresh, what="test", durable=False, keeps=True), connect(fresh) as connection:
        assert connection.execute("SHOW wal_segment_size").fetchone() == ("1MB",)
        assert connection.execute("SHOW archive_timeout").fetchone() == (
            f"{postgres.LOG_SECONDS}s",
        )
    assert log_folder(locations(fresh)).name.isdigit()


SEGMENT = 16 << 20


def test_a_week_that_no_longer_fits_is_known(tmp_path: Path) -> None:
    """The oldest base says how far back one can go; a young database has no week yet."""
    places = locations(tmp_path)
    (places.cluster / "global").mkdir(parents=True)
    (places.cluster / "global" / "pg_control").write_bytes(bytes(8))
    folder, now = log_folder(places), datetime.datetime(2015, 11, 22, 12, tzinfo=datetime.UTC)
    folder.mkdir(parents=True)
    made = places.cluster / "PG_VERSION"
    made.touch()

    def known() -> tuple[datetime.datetime | None, bool]:
        since = moments.begins(places, SEGMENT)
        return since, moments.is_short(places, since, now)

    assert known() == (None, False)
    for day, first in ((18, 1), (20, 3)):
        (folder / f"base-201511{day}-120000.{'0' * 7}1{first:016X}.tar.gz").touch()
    for number in range(1, 5):
        (folder / f"{'0' * 7}1{number:016X}.gz").touch()
    since = now - datetime.timedelta(days=4)
    for days, is_short in ((9, True), (5, False)):
        at = (now - datetime.timedelta(days=days)).timestamp()
        os.utime(made, (at, at))
        assert known() == (since, is_short)
    (folder / f"{'0' * 7}1{2:016X}.gz").unlink()  # A gap: the moments before it are no promise.
    assert known()[0] == now - datetime.timedelta(days=2)
    for number in (1, 3):  # No base has the log from its first segment on.
        (folder / f"{'0' * 7}1{number:016X}.gz").unlink()
    for days, is_short in ((9, True), (5, False)):
        at = (now - datetime.timedelta(days=days)).timestamp()
        os.utime(made, (at, at))
        assert known() == (None, is_short)
