"""PostgreSQL does not run as root: what root's start does instead."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.binaries import postgres_program
from launcher.identity import nobody_uid
from launcher.locations import ROOT
from tests.launcher import contained
from tests.launcher.conftest import short_folder

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="shows what root sees")

USE = textwrap.dedent("""
    import sys, psycopg
    from launcher import LaunchError, database_settings, services
    try:
        with services(sys.argv[1], what="test", durable=False):
            host = database_settings(sys.argv[1])["HOST"]
            with psycopg.connect(host=host, user="tienlen", dbname="tienlen") as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS visits (number int)")
                connection.execute("INSERT INTO visits VALUES (1)")
                print(connection.execute("SELECT count(*) FROM visits").fetchone()[0])
    except LaunchError as error:
        print(error)
""")


def use(data: Path, environment: dict[str, str], *, users: int | str | None = None) -> str:
    """Visit a database as root, or as root of a container with so many user ids."""
    prefix = [] if users is None else [sys.executable, contained.__file__, str(users)]
    command = [*prefix, sys.executable, "-c", USE, str(data)]
    return subprocess.check_output(
        command, cwd=ROOT, env=environment, stderr=subprocess.STDOUT, text=True, timeout=60
    )


def test_root_keeps_its_files_and_opens_no_folder(fresh: Path, environment: dict[str, str]) -> None:
    assert use(fresh, environment) == "1\n"
    assert (fresh / "postgres").stat().st_uid == 0
    assert fresh.stat().st_mode & 0o777 == 0o700


def test_where_namespaces_are_refused_nobody_owns_the_database_alone(
    fresh: Path, environment: dict[str, str]
) -> None:
    with tempfile.TemporaryDirectory(dir=fresh.parent) as closed:
        assert os.stat(closed).st_mode & 0o777 == 0o700
        within = Path(closed) / "var"
        assert use(within, environment, users=65536) == "1\n"
        owners = {path.name: path.stat().st_uid for path in within.iterdir()}
        assert {name for name, uid in owners.items() if uid != 0} == {"postgres"}
        assert owners["postgres"] == nobody_uid()
        assert os.stat(closed).st_mode & 0o777 == 0o700
        # The same data outside the container, and in it once more.
        assert use(within, environment) == "2\n"
        assert use(within, environment, users=65536) == "3\n"


@pytest.fixture(scope="module")
def programs() -> Iterator[Path]:
    """A folder with a copy of PostgreSQL's programs, as in a checkout of its own."""
    with short_folder() as folder:
        installed = postgres_program("initdb").parents[2]
        for part in (installed, installed.with_name(f"{installed.name}.libs")):
            shutil.copytree(part, folder / "wheels" / part.name)
        yield folder / "wheels"


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_programs_below_a_closed_folder_run_where_namespaces_are_refused(
    fresh: Path, environment: dict[str, str], programs: Path, mode: int
) -> None:
    programs.chmod(mode)
    environment["PYTHONPATH"] = str(programs)
    assert use(fresh, environment, users=65536) == "1\n"
    assert programs.stat().st_mode & 0o777 == mode


def test_where_a_closed_folder_stops_the_programs_one_sentence_names_it(
    fresh: Path, environment: dict[str, str], programs: Path
) -> None:
    environment["PYTHONPATH"] = str(programs)
    programs.chmod(0o700)
    programs.parent.chmod(0o755)
    assert use(fresh, environment, users="65536-bare") == (
        "PostgreSQL runs as the user nobody here, who does not find its programs below "
        f"{programs}: put the checkout into a folder that everybody may enter, such as "
        "/srv/tienlen, run script/server as an ordinary user, or set DATABASE_URL.\n"
    )
    assert not (fresh / "postgres").exists()
    programs.chmod(0o755)
    assert use(fresh, environment, users="65536-bare") == "1\n"


def test_where_nothing_is_allowed_one_sentence_says_what_to_do(
    fresh: Path, environment: dict[str, str]
) -> None:
    assert use(fresh, environment, users=1) == (
        "PostgreSQL does not run as root and this system allows neither user namespaces nor a "
        "change of user: run script/server as an ordinary user, or set DATABASE_URL.\n"
    )
