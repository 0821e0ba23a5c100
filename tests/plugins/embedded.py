"""Gives tests the embedded PostgreSQL and Valkey, started when the first test asks for a database.

A plugin and not a conftest: settings are imported before any conftest, and the place of the data
must be known by then. Each run works in the first free numbered folder, so that runs at the same
time do not meet and the next run finds a cluster already made.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.creation import DatabaseCreation

from launcher import LaunchError, services
from launcher.catalogues import compile_changed
from launcher.locations import private_folder
from tests.plugins.limits import MARK
from tests.plugins.place import data_folder

TEMPLATE = "migrated_"
MOST_TEMPLATES = 3  # Branches with other migrations take turns in one folder.

_running = pytest.StashKey[ExitStack]()
_claims: list[int] = []  # Open handles: the kernel frees the folder when this process ends.


def claim_folder() -> Path:
    """Return a data folder that no other test run uses, ours until this process ends."""
    base = private_folder(data_folder())
    for number in count():
        folder = private_folder(base / str(number))
        handle = os.open(folder / "claim", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            continue
        _claims.append(handle)
        return folder
    raise AssertionError("count() does not end")


def looked_at() -> Path:
    """The kinds of elements in which axe found no fault in this run, in whatever process."""
    return Path(os.environ["TIENLEN_DATA"]) / "looked-at"


# xdist's workers inherit the choice of the process that started them.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["TIENLEN_DATA"] = str(claim_folder())
    compile_changed()
    looked_at().unlink(missing_ok=True)


def start(config: pytest.Config) -> None:
    """Start the servers of this run, or attach to those of the process that started this one."""
    if _running in config.stash:
        return
    stack = ExitStack()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv(MARK, raising=False)  # They are the run's, not a test's.
            stack.enter_context(services(os.environ["TIENLEN_DATA"], what="pytest", durable=False))
    except LaunchError as error:
        pytest.exit(str(error), returncode=1)
    config.stash[_running] = stack


def template_name() -> str:
    """Return the name of the database that these migrations make: a digest of all that makes it."""
    root = Path(settings.BASE_DIR)
    files = [*sorted(root.glob("*/migrations/*.py")), root / "requirements" / "runtime.txt"]
    digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]
    return f"{TEMPLATE}{digest}"


class Copies(DatabaseCreation):
    """Test databases as copies of one migrated template, which later runs find again."""

    def create_test_db(self, verbosity: int = 1, *args: Any, **options: Any) -> str:
        with _one_at_a_time():
            template, name = template_name(), self._get_test_db_name()
            if template not in self._templates():
                self._drop(self._templates()[MOST_TEMPLATES - 1 :])
                name = super().create_test_db(verbosity, *args, **options)
                self._copy(name, template)
                return name
            self._copy(template, name)
        self.connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
        return name

    def _templates(self) -> list[str]:
        with self._nodb_cursor() as cursor:
            cursor.execute(
                "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid DESC",
                [TEMPLATE],
            )
            return [name for (name,) in cursor.fetchall()]

    def _drop(self, names: list[str]) -> None:
        with self._nodb_cursor() as cursor:
            for name in names:
                cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _copy(self, source: str, target: str) -> None:
        self.connection.close()
        self.connection.close_pool()  # Nobody may be connected to what is copied.
        with self._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{target}" WITH (FORCE)')
            cursor.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    with open(Path(os.environ["TIENLEN_DATA"]) / "migrating", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start them before xdist's workers, each of which may then end without the others."""
    if getattr(session.config.option, "dist", "no") != "no":
        start(session.config)


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest):
    if fixturedef.argname == "django_db_setup":
        start(request.config)
        connection.creation = Copies(connection)


@pytest.fixture(scope="session")
def embedded_services(pytestconfig: pytest.Config) -> None:
    """Valkey without a database; tests with `db` have both anyway."""
    start(pytestconfig)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if (stack := config.stash.get(_running, None)) is not None:
        stack.close()
