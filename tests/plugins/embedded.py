"""Gives tests the embedded PostgreSQL and Valkey, started when the first test asks for a database.

A plugin and not a conftest: settings are imported before any conftest, and the place of the data
must be known by then. Each run works in the first free numbered folder, so that runs at the same
time do not meet and the next run finds a cluster already made.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

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


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest):
    if fixturedef.argname == "django_db_setup":
        start(request.config)


@pytest.fixture(scope="session")
def embedded_services(pytestconfig: pytest.Config) -> None:
    """Valkey without a database; tests with `db` have both anyway."""
    start(pytestconfig)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if (stack := config.stash.get(_running, None)) is not None:
        stack.close()
