"""PostgreSQL and Valkey as child processes, so that only Python needs to be installed.

They listen only on unix sockets in private folders, do not run as root and leave nothing behind:
see docs/hosting.md. `DATABASE_URL` and `REDIS_URL` replace either part. Importing this package
needs only the standard library and starts nothing.
"""

import os
from pathlib import Path
from typing import Any

from launcher import roles
from launcher.commands import services_for_command
from launcher.errors import LaunchError
from launcher.keys import secret_key
from launcher.locations import POSTGRES_PORT, Locations, locations
from launcher.postgres import NAME
from launcher.services import services


def database_settings(data_dir: str | Path) -> dict[str, Any]:
    """Return the embedded database's entry for Django's DATABASES, for this process's role."""
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": NAME,
        "USER": os.environ.get(roles.VARIABLE) or roles.OWNER,
        "HOST": str(locations(data_dir).sockets),
        "PORT": str(POSTGRES_PORT),
    }


def redis_url(data_dir: str | Path, *, database: int = 0) -> str:
    """Return the embedded Valkey's URL, in the form that both redis-py and kombu read."""
    return f"unix://{locations(data_dir).valkey_socket}?db={database}"
