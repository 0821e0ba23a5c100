"""The user that PostgreSQL runs as. It refuses to run as root, so root needs another identity.

The first choice is a user namespace, in which root's files stay root's but root appears as nobody.
If the system refuses namespaces (most containers), the process becomes the user nobody. That user
then owns only the database's folder, and keeps one capability: to pass through closed folders on
the path to it.
"""

import os
import pwd
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from launcher.begin import NAMESPACE, USER
from launcher.children import beginning
from launcher.errors import LaunchError


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
        words = beginning(signal.SIGKILL, face=identity.face)
        done = subprocess.run([*words, program, "--version"], capture_output=True, check=False)
        if done.returncode == 0:
            return identity
    raise LaunchError(
        "PostgreSQL does not run as root and this system allows neither user namespaces nor a "
        "change of user: run script/server as an ordinary user, or set DATABASE_URL."
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
