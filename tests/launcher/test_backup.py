import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from config import health
from launcher import (
    LaunchError,
    backup,
    erasures,
    nightly,
    proof,
    restoring,
    retention,
    sealing,
    services,
    upgrade,
)
from launcher.children import wait_until
from launcher.locations import ROOT, Locations, locations
from launcher.night import is_night
from tests.launcher.test_services import connect


def restore(places: Locations, file: Path, *, confirm: Callable[[str], bool] | None = None) -> str:
    return restoring.restore(places, file, confirm=confirm or (lambda _lost: True))


def databases(data: Path) -> set[str]:
    with connect(data) as connection:
        return {row[0] for row in connection.execute("SELECT datname FROM pg_database")}


def test_a_restored_backup_holds_what_was_there_and_nothing_later(data: Path) -> None:
    places = locations(data)
    with services(data, what="test", durable=False):
        with connect(data) as connection:
            connection.execute("CREATE TABLE club AS SELECT 'Đà Nẵng' AS name")
        file = backup.save(places)
        with connect(data) as connection:
            connection.execute("INSERT INTO club VALUES ('later')")
        restore(places, file)
        with connect(data) as connection:
            assert connection.execute("SELECT name FROM club").fetchall() == [("Đà Nẵng",)]


def test_a_broken_backup_replaces_nothing_and_says_why(data: Path) -> None:
    places = locations(data)
    with services(data, what="test", durable=False):
        with connect(data) as connection:
            connection.execute("CREATE TABLE club AS SELECT 1 AS number, repeat('x', 5000) AS text")
        content = backup.save(places).read_bytes()
        broken = data / "broken.dump"
        for damaged in (b"PGDMP and then nothing", content[: len(content) // 2]):
            broken.write_bytes(damaged)
            with pytest.raises(LaunchError, match="pg_restore failed, nothing was repl") as error:
                restore(places, broken)
            said = str(error.value)
            assert "end of file" in said or "unsupported version" in said, said
            assert said.endswith(f"{broken} is damaged: try another backup.")
            assert "DATABASE" not in said
        assert databases(data) == {"tienlen", "postgres", "template0", "template1"}
        with connect(data) as connection:
            assert connection.execute("SELECT number FROM club").fetchall() == [(1,)]


def launcher(data: Path, environment: dict[str, str], *arguments: str, given: str | None = None):
    """Run `python -m launcher` as a hand does; on a terminal if something is typed there."""
    command = [sys.executable, "-m", "launcher", *arguments, "--data", str(data)]
    screen = None
    if given is not None:
        keyboard, screen = os.openpty()
        os.write(keyboard, given.encode())
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=screen or subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_restore_refuses_while_a_server_runs_on_the_data(
    data: Path, environment: dict[str, str]
) -> None:
    places = locations(data)
    with services(data, what="script/server on port 8000", durable=False):
        file = backup.save(places)
        with connect(data) as connection:
            connection.execute("CREATE TABLE club AS SELECT 'later' AS name")
        status, _said, error = launcher(data, environment, "restore", str(file), "--yes")
        assert status == 1
        assert error.startswith("Nothing was changed: script/server on port 8000 (process ")
        assert "Stop it (Ctrl-C, or systemctl stop), then try again." in error
        with connect(data) as connection:
            assert connection.execute("SELECT name FROM club").fetchall() == [("later",)]


def test_restore_refuses_while_anything_is_connected(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to a database that DATABASE_URL names."""
    places = locations(data)
    with services(data, what="test", durable=False):
        file = backup.save(places)
        monkeypatch.setenv("DATABASE_URL", backup.address_of(places, "tienlen"))
        with connect(data) as connection:
            with pytest.raises(
                LaunchError, match=r"the database tienlen is in use \(1 connections"
            ):
                restore(places, file)
            assert connection.execute("SELECT 1").fetchone() == (1,)

        def connects(_lost: str) -> bool:
            late.append(connect(data))
            return True

        late: list[psycopg.Connection] = []
        with pytest.raises(LaunchError, match="Stop everything that uses it"):
            restore(places, file, confirm=connects)
        assert late[0].execute("SELECT 1").fetchone() == (1,)
        late[0].close()
        assert databases(data) == {"tienlen", "postgres", "template0", "template1"}


def test_restore_keeps_what_it_replaces_and_goes_back_to_it(
    data: Path, environment: dict[str, str]
) -> None:
    places = locations(data)
    with services(data, what="test", durable=False):
        with connect(data) as connection:
            connection.execute("CREATE TABLE league_audit (id int, name text)")
            connection.execute("INSERT INTO league_audit VALUES (1, 'An'), (2, 'Ba')")
            connection.execute("CREATE TABLE league_auditmark (id int, club_id int, digest text)")
            connection.execute("INSERT INTO league_auditmark VALUES (1, 7, 'ab'), (2, 7, 'cd')")
        file = backup.save(places)
        marks = file.with_suffix(backup.MARKS)
        assert json.loads(marks.read_text()) == {"7": "cd"}
        with connect(data) as connection:
            connection.execute("INSERT INTO league_audit VALUES (3, 'Mai'), (4, 'Lan')")

    status, said, error = launcher(data, environment, "restore", str(file))
    assert (status, error) == (1, "Nothing was replaced: add --yes to do it.\n")
    assert said.startswith(f"{file.name} is of ")
    assert "Changes in the database since then, which will be gone: 2.\n" in said
    status, _said, error = launcher(data, environment, "restore", str(file), given="no\n")
    assert (status, error) == (1, "Nothing was replaced.\n")

    status, said, _error = launcher(data, environment, "restore", str(file), given="yes\n")
    assert (status, marks.exists()) == (0, False)
    (command,) = re.findall(r"python -m launcher (restore tienlen_before_\d{8}_\d{6}) --data", said)
    with services(data, what="test", durable=False), connect(data) as connection:
        assert connection.execute("SELECT max(id) FROM league_audit").fetchone() == (2,)

    status, said, _error = launcher(data, environment, *command.split(), "--yes")
    assert (status, "which will be gone: 0." in said) == (0, True)
    with services(data, what="test", durable=False), connect(data) as connection:
        assert connection.execute("SELECT max(id) FROM league_audit").fetchone() == (4,)


def test_what_a_restore_kept_is_dropped_after_a_week(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = locations(data)
    with services(data, what="test", durable=False):
        restore(places, backup.save(places))
        (old,) = databases(data) - {"tienlen", "postgres", "template0", "template1"}
        backup.sql(places, 'CREATE DATABASE "tienlen_before_the_cup"')
        restoring.sweep(places)
        assert old in databases(data)
        monkeypatch.setattr(restoring, "KEPT_FOR", datetime.timedelta(seconds=-1))
        restoring.sweep(places)
        left = {"tienlen", "tienlen_before_the_cup", "postgres", "template0", "template1"}
        assert databases(data) == left


def test_a_missing_backup_says_where_backups_are(data: Path) -> None:
    places = locations(data)
    with (
        services(data, what="test", durable=False),
        pytest.raises(LaunchError, match=f"the backups are in {places.backups}"),
    ):
        restore(places, data / "none.dump")


KEY = "correct horse battery staple"


def test_an_encrypted_backup_opens_with_its_key_alone(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = locations(data)
    monkeypatch.setattr(sealing, "BLOCK", 300)
    with services(data, what="test", durable=False):
        with connect(data) as connection:
            connection.execute("CREATE TABLE club AS SELECT 'Đà Nẵng' AS name")
        monkeypatch.setenv(sealing.VARIABLE, "short")
        with pytest.raises(LaunchError, match="give 20 characters or more"):
            backup.save(places)
        monkeypatch.setenv(sealing.VARIABLE, KEY)
        file = backup.save(places)
        content = file.read_bytes()
        assert len(content) > 4 * 300
        assert b"PGDMP" not in content
        with connect(data) as connection:
            connection.execute("INSERT INTO club VALUES ('later')")

        def refused(bytes_: bytes, key: str, sentence: str) -> None:
            file.write_bytes(bytes_)
            monkeypatch.setenv(sealing.VARIABLE, key)
            with pytest.raises(LaunchError, match=sentence):
                restore(places, file)

        refused(content, "", "is encrypted: set TIENLEN_BACKUP_KEY")
        refused(content, KEY[::-1], "is not the key it was written with")
        refused(content[:-1], KEY, "or the file is damaged")
        refused(content[: sealing.HEADER + 316], KEY, "or the file is damaged")
        swapped = bytearray(content)
        swapped[40] ^= 1
        refused(bytes(swapped), KEY, "or the file is damaged")
        with connect(data) as connection:
            assert connection.execute("SELECT count(*) FROM club").fetchall() == [(2,)]
        file.write_bytes(content)
        restore(places, file)
        with connect(data) as connection:
            assert connection.execute("SELECT name FROM club").fetchall() == [("Đà Nẵng",)]


@pytest.mark.long
def test_a_backup_is_proved_by_restoring_it_every_week(
    data: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also with an address for the database, as Compose has it."""
    places = locations(data)
    monkeypatch.setenv("TIENLEN_DATA", str(data))
    now = datetime.datetime.now(datetime.UTC)
    with services(data, what="test", durable=False):
        monkeypatch.setenv("DATABASE_URL", backup.address_of(places, "tienlen"))
        assert not proof.is_due(places, now)
        upgrade.upgrade(places, {})
        (before,) = places.backups.glob("upgrade-*.dump")
        assert str(before) in capfd.readouterr().out
        upgrade.upgrade(places, {})
        assert list(places.backups.glob("*.dump")) == [before]
        subprocess.run([*upgrade.MANAGE, "demo"], check=True)
        monkeypatch.delenv("DATABASE_URL")

        good = backup.save(places)
        assert proof.is_due(places, now)
        found = proof.prove(places, good)
        assert (found.problem, found.file) == ("", good.name)
        assert proof.last(places.backups) == found
        week = datetime.timedelta(days=7, minutes=5)
        assert [proof.is_due(places, now), proof.is_due(places, now + week)] == [False, True]

        with connect(data) as connection:
            connection.execute(
                "INSERT INTO league_audit (club_id, action, data, at)"
                " SELECT id, 'club.created', '{}', now() FROM league_club LIMIT 1"
            )
        backup.save(places, label="later")
        assert proof.prove(places, good).problem == "", "its log ends earlier"
        with connect(data) as connection:
            connection.execute("UPDATE league_tally SET games = games + 1")
        bad = backup.save(places, label="wrong")
        found = proof.prove(places, bad)
        assert "verify found it wrong" in found.problem
        day = datetime.timedelta(days=1, minutes=5)
        assert [proof.is_due(places, now), proof.is_due(places, now + day)] == [False, True]
        with connect(data) as connection:
            databases = connection.execute("SELECT datname FROM pg_database").fetchall()
        assert (proof.SCRATCH,) not in databases


def moments(first: datetime.datetime, days: int) -> list[Path]:
    return [
        Path(f"nightly-{first + datetime.timedelta(days=day):%Y%m%d-%H%M%S}.dump")
        for day in range(days)
    ]


def test_nightly_backups_are_kept_for_seven_days_four_weeks_and_three_months() -> None:
    there = moments(datetime.datetime(2014, 1, 1, 18, 5), 730)
    left = sorted(set(there) - retention.superfluous(there))
    days = [file.stem.split("-")[1] for file in left]
    # 2015-12-31 is a Thursday: seven days back to Christmas Day, Sundays of four weeks.
    assert days[-9:] == [
        "20151213", "20151220", "20151225", "20151226", "20151227", "20151228", "20151229",
        "20151230", "20151231",
    ]  # fmt: skip
    assert days[:2] == ["20151031", "20151130"]
    assert len(days) == 11


def test_no_backup_is_more_than_ninety_days_older_than_the_newest() -> None:
    """Of whatever kind, and whatever is saved next; a file that a person named stays."""
    old = moments(datetime.datetime(2015, 3, 1, 18, 5), 1)
    old += [Path(f"{kind}-20150228-120000.dump") for kind in ("upgrade", "moment", "backup")]
    new = moments(datetime.datetime(2015, 6, 1, 18, 5), 1)
    assert retention.expired([*old, Path("backup-of-the-party.dump")]) == set()
    assert retention.expired([*old, *new, Path("backup-of-the-party.dump")]) == set(old)


def test_a_new_backup_ends_the_old_ones_of_every_kind(data: Path) -> None:
    with services(data, what="test", durable=False):
        folder = backup.chosen_folder(locations(data))
        kept = [
            folder / "upgrade-before-party.dump",
            folder / f"moment-{time.strftime(retention.MOMENT, time.gmtime())}.dump",
        ]
        gone = [folder / f"{kind}-20200101-120000.dump" for kind in ("upgrade", "moment")]
        for file in (*kept, *gone, gone[0].with_suffix(backup.MARKS)):
            file.touch()
        saved = backup.save(locations(data), label="night")
    assert sorted(folder.glob("*-*.*")) == sorted([*kept, saved, *folder.glob("night-*.marks")])


def test_the_nights_of_one_saturday_push_out_no_other_week() -> None:
    """Ten clubs close within the hour; the dumps of earlier evenings stay."""
    saturday = datetime.datetime(2015, 11, 21, 22)
    weeks = [saturday - datetime.timedelta(weeks=n) for n in range(1, 12)]
    tonight = [saturday + datetime.timedelta(minutes=5 * n) for n in range(12)]
    there = [Path(f"night-{at:%Y%m%d-%H%M%S}.dump") for at in (*weeks, *tonight)]
    left = sorted(set(there) - retention.superfluous(there))
    assert left == sorted([*there[:6], *there[-5:]])


def test_a_backup_that_a_person_renamed_is_kept_and_stops_no_other() -> None:
    ours = [Path(f"backup-201511{day:02}-120000.dump") for day in range(1, 13)]
    assert retention.superfluous([Path("backup-before-party.dump"), *ours]) == set(ours[:5])


def test_a_renamed_backup_or_one_of_a_wrong_clock_keeps_no_night_from_being_saved(
    tmp_path: Path,
) -> None:
    places = locations(tmp_path)
    places.backups.mkdir()
    ours = places.backups / "nightly-20151101-180500.dump"
    others = [ours.with_name(f"nightly-{of}.dump") for of in ("of-the-party", "29990101-000000")]
    for file in (ours, *others):
        file.touch()
    assert nightly.newest(places) == datetime.datetime(2015, 11, 1, 18, 5, tzinfo=datetime.UTC)
    assert retention.expired([ours, *others]) == retention.superfluous([ours, *others]) == set()


def test_what_was_not_backed_up_for_long_costs_no_older_backup() -> None:
    there = moments(datetime.datetime(2014, 1, 1, 18, 5), 3)
    assert retention.superfluous(there) == set()


@pytest.mark.parametrize(
    ("hours", "hour", "due"),
    [
        (19, 18, False),
        (21, 18, True),
        (21, 21, True),
        (21, 17, False),
        (29, 12, False),
        (31, 12, True),
    ],
)
def test_a_backup_is_due_once_a_night_or_when_it_is_late(hours: int, hour: int, due: bool) -> None:
    now = datetime.datetime(2015, 11, 20, hour, 30, tzinfo=datetime.UTC)
    assert nightly.is_due(now - datetime.timedelta(hours=hours), now) is due


@pytest.mark.parametrize(
    ("zone", "first", "hours"),
    [
        ("", "", {18, 19, 20, 21}),  # One to five in Vietnam.
        ("Europe/Paris", "", {23, 0, 1, 2}),  # In summer.
        ("Europe/Paris", "4", {2, 3, 4, 5}),
        ("", "22", {22, 23, 0, 1}),
    ],
)
def test_the_nightly_work_has_the_hour_that_the_owner_sets(
    monkeypatch: pytest.MonkeyPatch, zone: str, first: str, hours: set[int]
) -> None:
    monkeypatch.setenv("TIME_ZONE", zone)
    monkeypatch.setenv("NIGHT_HOUR", first)
    day = datetime.datetime(2015, 7, 5, 0, 30, tzinfo=datetime.UTC)
    found = {n for n in range(24) if is_night(day + datetime.timedelta(hours=n))}
    assert found == hours


def test_the_night_saves_to_the_chosen_folder_and_tells_what_fails(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    monkeypatch.setattr(nightly, "AGAIN_SECONDS", 0)

    def night(chosen: Path, *, until: Callable[[], bool]) -> None:
        monkeypatch.setenv("TIENLEN_BACKUPS", str(chosen))
        keeper = nightly.Nightly(locations(data))
        assert wait_until(lambda: keeper.look() or until(), seconds=60)

    with services(data, what="test", durable=False):
        os.utime(locations(data).cluster / "PG_VERSION", (0, 0))
        night(folder, until=lambda: list(folder.glob("nightly-*.dump")) != [])
        (saved,) = folder.glob("nightly-*.dump")  # The log's own folder may be there already.
        assert saved.stat().st_mode & 0o077 == 0
        assert saved.read_bytes()[:5] == b"PGDMP"
        newest = nightly.newest(locations(data))
        assert not nightly.is_due(newest, datetime.datetime.now(datetime.UTC))
        told: list[str] = []
        night(saved, until=lambda: told.append(capsys.readouterr().out) or any(told))
    assert "The automatic backup failed and is tried again in an hour" in "".join(told)
    assert "which is no folder: mount it or create it" in "".join(told)


def test_backups_that_cannot_be_looked_at_end_no_server(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A share that went away during a backup took the server along."""
    places = locations(data)
    places.backups.mkdir(exist_ok=True)
    (places.backups / "lost.dump").symlink_to("lost.dump")
    keeper = nightly.Nightly(places)
    keeper._action = ["backup", "--nightly"]
    with subprocess.Popen(["false"]) as keeper._process:
        pass
    keeper.look()
    assert "The automatic backup failed" in capsys.readouterr().out
    assert nightly.last_save(places) == nightly.newest(places)


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk needs root")
def test_on_a_full_disk_readiness_says_so_and_a_backup_waits_for_room_alone(
    cluster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Readiness was 200 while every save was refused, and an empty file was the newest backup."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", disk], check=True)
    data = Path(shutil.copytree(cluster, disk / "var"))
    try:
        with services(data, what="test", durable=False), connect(data) as connection:
            os.utime(locations(data).cluster / "PG_VERSION", (0, 0))
            connection.execute(health._WRITES)
            filler = (disk / "films").open("wb", buffering=0)
            with filler, suppress(OSError):
                while filler.write(bytes(1 << 20)):
                    pass
            with suppress(OSError), (disk / "more").open("wb", buffering=0) as more:
                while more.write(bytes(4096)):
                    pass
            connection.execute("SELECT pg_logical_emit_message(true, 'ready', '')")
            with pytest.raises(psycopg.errors.DiskFull):
                connection.execute(health._WRITES)
            keeper, told = nightly.Nightly(locations(data)), list[str]()
            assert wait_until(
                lambda: keeper.look() or told.append(capsys.readouterr().out) or any(told),
                seconds=60,
            )
            said = "The automatic backup failed and is tried again as soon as there is room; "
            assert f"{said}none can be seen there." in "".join(told)
            assert list(locations(data).backups.iterdir()) == [], "no empty file is a backup"
            for name in ("films", "more"):
                (disk / name).unlink()
            saved = locations(data).backups
            assert wait_until(
                lambda: keeper.look() or list(saved.glob("nightly-*.dump")) != [], seconds=60
            )
            connection.execute(health._WRITES)
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


def erase(data: Path, key: int) -> None:
    with connect(data) as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS league_erasure (id uuid DEFAULT gen_random_uuid(),"
            " kind text DEFAULT 'account', key bigint, at timestamptz DEFAULT now())"
        )
        connection.execute("INSERT INTO league_erasure (key) VALUES (%s)", [key])


def handed_over(data: Path) -> list[int]:
    with connect(data) as connection:
        return [
            line["key"]
            for (line,) in connection.execute(f"SELECT line FROM {erasures.WAITING} ORDER BY 1")
        ]


def test_a_restored_database_is_given_all_that_was_erased_since(
    data: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """By the database that it replaces, or where that is lost by the list beside the backups."""
    places = locations(data)
    beside = places.backups / erasures.FILE
    with services(data, what="test", durable=False):
        erase(data, 0)
        file = backup.save(places)
        for key in (1, 2):
            erase(data, key)
        said: list[str] = []
        restore(places, file, confirm=lambda lost: said.append(lost) or True)
        assert sorted(handed_over(data)) == [0, 1, 2]
        assert "deleted since then, deleted again at the start: 2." in said[0]
        keeper = nightly.Nightly(places)
        erase(data, 3)
        assert wait_until(
            lambda: keeper.look() or '"key": 3' in beside.read_text(), seconds=60, pause=0.1
        ), "the list beside the backups is a minute old at most"
        with connect(data) as connection:
            connection.execute("DROP TABLE league_erasure")
        time.sleep(1)  # The replaced databases are called by the second.
        restore(places, file)
        assert sorted(handed_over(data)) == [0, 1, 2, 3]

        there = beside.read_text()
        with connect(data) as connection:
            connection.execute("DROP TABLE league_erasure")
        for found in ("", there.splitlines()[-1] + "\n"):
            beside.write_text(found)
            with pytest.raises(LaunchError, match=r"erasures\.jsonl, the list of .* is missing"):
                restore(places, file)
        assert sorted(handed_over(data)) == [0, 1, 2, 3], "nothing was replaced"
        brought = tmp_path / "brought"
        brought.mkdir()
        (brought / erasures.FILE).write_text(there)
        time.sleep(1)
        restore(places, Path(shutil.move(file, brought)))
        assert sorted(handed_over(data)) == [0, 1, 2, 3]
        beside.write_text("")
        (brought / erasures.FILE).write_text("this is no list")
        with pytest.raises(LaunchError, match="holds a line that is no erasure"):
            restore(places, brought / file.name)
        (brought / erasures.FILE).unlink()
    time.sleep(1)  # What was there before is kept by its second.
    lost = ("restore", str(brought / file.name), "--yes", "--erasures-lost")
    status, _said, error = launcher(data, environment, *lost)
    assert (status, error) == (0, "")
    with services(data, what="test", durable=False):
        assert handed_over(data) == [0]


def test_a_closed_night_is_saved_once_and_so_is_a_stop(data: Path) -> None:
    """Without it the night just played stood on one disk until the next day."""
    places = locations(data)
    now = datetime.datetime.now(datetime.UTC)

    def closed(at: datetime.datetime) -> None:
        with connect(data) as connection:
            connection.execute("DROP TABLE IF EXISTS league_event")
            connection.execute("CREATE TABLE league_event AS SELECT %s AS closed_at", [at])

    with services(data, what="test", durable=False):
        os.utime(places.cluster / "PG_VERSION", (0, 0))
        with pytest.raises(LaunchError):  # No table yet: a server that is being set up.
            nightly.is_night_unsaved(places, now)
        closed(now - datetime.timedelta(minutes=1))
        assert not nightly.is_night_unsaved(places, now)
        closed(now - datetime.timedelta(minutes=5))
        assert nightly.is_night_unsaved(places, now)
        nightly.save_at_stop(places)
        assert not nightly.is_night_unsaved(places, now)
        nightly.save_at_stop(places)
        (saved,) = places.backups.glob("*.dump")
        began = now - datetime.timedelta(minutes=30)  # It was still written at the closing.
        saved.rename(saved.with_name(f"nightly-{began:%Y%m%d-%H%M%S}.dump"))
        assert nightly.Nightly(places)._due() == ["backup", "--label", "night"]


def test_a_stop_says_what_it_could_not_save(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIENLEN_BACKUPS", str(tmp_path / "away"))
    places = locations(data)
    with services(data, what="test", durable=False):
        os.utime(places.cluster / "PG_VERSION", (0, 0))
        nightly.save_at_stop(places)
    assert "Nothing was saved" in capsys.readouterr().out
