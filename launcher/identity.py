"""The user that PostgreSQL runs as. It refuses to run as root, so root needs another identity.

The first choice is a user namespace, in which root's files stay root's but root appears as nobody.
If the system refuses namespaces (most containers), the process becomes the user nobody. That user
then owns only the database's folder, and keeps one capability: to pass through closed folders on
the path to it and to the programs.
"""

import os
import pwd
import signal
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from launcher.begin import NAMESPACE, USER
from launcher.children import beginning
from launcher.errors import LaunchError

FINDS = "import os, sys; sys.exit(not os.access(sys.argv[1], os.R_OK | os.X_OK))"
"""What initdb asks of the programs beside it, for a Python to run."""


@dataclass(frozen=True)
class Identity:
    """A user for a program: `owner` must own the cluster's files, `face` is passed to `spawn`."""

    owner: int
    face: str = ""


def choose(program: Path) -> Identity:
    """Return an identity under which `program` starts.

    As root it tries a user namespace, then the user nobody; raises LaunchError if neither works.
    """
    if os.geteuid() != 0:
        return Identity(os.geteuid())
    nobody = nobody_uid()
    for identity in (
        Identity(0, f"{NAMESPACE}:{nobody}"),
        Identity(nobody, f"{USER}:{nobody}"),
    ):
        if _runs(identity, program, "--version"):
            if not _runs(identity, sys.executable, "-ISc", FINDS, program):
                raise LaunchError(_closed(program))
            return identity
    raise LaunchError(
        "PostgreSQL does not run as root and this system allows neither user namespaces nor a "
        "change of user: run script/server as an ordinary user, or set DATABASE_URL."
    )


def _runs(identity: Identity, *command: str | Path) -> bool:
    words = beginning(signal.SIGKILL, face=identity.face)
    return subprocess.run([*words, *command], capture_output=True, check=False).returncode == 0


def _closed(program: Path) -> str:
    """Return what to do where a folder on the path is closed: the first one is named."""
    closed = [folder for folder in program.parents if not folder.stat().st_mode & stat.S_IXOTH]
    first = closed[-1] if closed else program.parent
    return (
        "PostgreSQL runs as the user nobody here, who does not find its programs below "
        f"{first}: put the checkout into a folder that everybody may enter, such as "
        "/srv/tienlen, run script/server as an ordinary user, or set DATABASE_URL."
    )


def nobody_uid() -> int:
    """Return the user id of nobody, which initdb must find among the system's users."""
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError as error:
        raise LaunchError(
            "PostgreSQL does not run as root and this system has no user called nobody: "
            "run script/server as an ordinary user, or set DATABASE_URL."
        ) from error
