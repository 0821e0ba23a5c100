"""manage.py attaches to running servers, starts its own, or starts none."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import django
import pytest

from launcher.commands import needs_servers
from launcher.keys import secret_key
from launcher.locations import ROOT
from tests.launcher.conftest import processes_of


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], False),
        (["--version"], False),
        (["help", "migrate"], False),
        (["migrate", "--help"], False),
        (["seating", "--players", "13"], False),
        (["check"], False),
        (["check", "--database", "default"], True),
        (["bot", "list"], False),
        (["bot", "recompute", "7"], True),
        (["migrate"], True),
        (["shell"], True),
        (["some_command_of_the_future"], True),
    ],
)
def test_commands_start_servers_only_when_they_need_a_database(
    arguments: list[str], expected: bool
) -> None:
    assert needs_servers(["manage.py", *arguments]) is expected


def manage(data: Path, environment: dict[str, str], *arguments: str):
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment | {"TIENLEN_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_command_with_a_database_runs_servers_for_its_own_life(
    data: Path, environment: dict[str, str]
) -> None:
    done = manage(data, environment, "dbshell", "--", "-Atc", "SELECT 6 * 7")
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr
    assert processes_of(data) == []


def test_a_command_without_a_database_makes_none(fresh: Path, environment: dict[str, str]) -> None:
    done = manage(fresh, environment, "seating", "--players=8", "--rounds=2")
    assert done.returncode == 0, done.stderr
    assert not (fresh / "postgres").exists()


def version_without_django(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "manage.py", "version"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_python_without_django_goes_on_in_the_environment() -> None:
    done = version_without_django(ROOT)
    assert done.stdout.strip() == django.get_version(), done.stderr


def test_a_checkout_without_an_environment_says_what_to_run(tmp_path: Path) -> None:
    shutil.copy(ROOT / "manage.py", tmp_path)
    done = version_without_django(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("There is no .venv yet: run script/server")


def test_an_environment_of_another_python_says_what_to_run(tmp_path: Path) -> None:
    """After an upgrade of the system its packages lie in a folder that the new Python passes by."""
    shutil.copy(ROOT / "manage.py", tmp_path)
    venv.create(tmp_path / ".venv")
    (tmp_path / ".venv" / "lib" / "python3.0" / "site-packages" / "django").mkdir(parents=True)
    done = version_without_django(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The .venv is of another Python: run script/server")


def test_a_command_that_cannot_have_its_servers_says_so_in_one_sentence(
    fresh: Path, environment: dict[str, str]
) -> None:
    (fresh / "postgres").mkdir(parents=True)
    (fresh / "postgres" / "PG_VERSION").write_text("9.6\n")
    done = manage(fresh, environment, "showmigrations")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "was written by PostgreSQL 9.6" in done.stderr


def test_the_secret_key_is_made_once_and_closed_to_others(fresh: Path) -> None:
    first = secret_key(fresh)
    assert len(first) >= 50
    assert secret_key(fresh) == first
    assert (fresh / "secret-key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in fresh.iterdir()] == ["secret-key"]
