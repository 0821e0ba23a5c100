"""Gives tests the embedded PostgreSQL and Valkey, started when the first test asks for a database.

A plugin and not a conftest: settings are imported before any conftest, and the place of the data
must be known by then. Each run works in the first free numbered folder, so that runs at the same
time do not meet and the next run finds a cluster already made.
"""

from __future__ import annotations

import fcntl
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
from launcher.locations import private_folder
from tests.plugins.place import data_folder

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


# xdist's workers inherit the choice of the process that started them.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["TIENLEN_DATA"] = str(claim_folder())


def start(config: pytest.Config) -> None:
    """Start the servers of this run, or attach to those that another xdist worker started."""
    if _running in config.stash:
        return
    stack = ExitStack()
    try:
        stack.enter_context(services(os.environ["TIENLEN_DATA"], what="pytest", durable=False))
    except LaunchError as error:
        pytest.exit(str(error), returncode=1)
    config.stash[_running] = stack


class Copies(DatabaseCreation):
    """Test databases of one run: the first is migrated, those of other workers are its copies."""

    run = ""

    def create_test_db(self, verbosity: int = 1, *args: Any, **options: Any) -> str:
        with _one_at_a_time():
            made = Path(os.environ["TIENLEN_DATA"]) / "migrated"
            if not made.exists() or made.read_text() != self.run:
                name = super().create_test_db(verbosity, *args, **options)
                self._copy(name, "migrated")
                made.write_text(self.run)
                return name
            name = self._get_test_db_name()
            self._copy("migrated", name)
        self.connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
        return name

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
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest):
    if fixturedef.argname == "django_db_setup":
        start(request.config)
        if run := os.environ.get("PYTEST_XDIST_TESTRUNUID"):
            connection.creation = Copies(connection)
            connection.creation.run = run


@pytest.fixture(scope="session")
def embedded_services(pytestconfig: pytest.Config) -> None:
    """Valkey without a database; tests with `db` have both anyway."""
    start(pytestconfig)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if (stack := config.stash.get(_running, None)) is not None:
        stack.close()
