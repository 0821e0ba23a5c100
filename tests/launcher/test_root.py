"""PostgreSQL does not run as root: what root's start does instead."""

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from launcher.identity import nobody_uid
from launcher.locations import ROOT
from tests.launcher import contained

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


def use(data: Path, environment: dict[str, str], *, users: int | None = None) -> str:
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


def test_where_nothing_is_allowed_one_sentence_says_what_to_do(
    fresh: Path, environment: dict[str, str]
) -> None:
    assert use(fresh, environment, users=1) == (
        "PostgreSQL does not run as root and this system allows neither user namespaces nor a "
        "change of user: run script/server as an ordinary user, or set DATABASE_URL.\n"
    )
