"""As whom PostgreSQL runs. It refuses to run as root, so root needs another face.

First choice is a user namespace, in which root's files stay root's but root is called nobody.
Where the system refuses namespaces (most containers), the process becomes the user nobody, who
then owns the database's folder and nothing else, and keeps the one right to pass through folders
that are closed to nobody on the way there.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from config.embedded.errors import LaunchError

CLONE_NEWUSER = 0x10000000
PR_SET_KEEPCAPS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 8, 47, 2
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Identity:
    """`owner` must own the cluster's files; `become` runs in a child before the program starts."""

    owner: int
    become: Callable[[], None] | None = None


def choose(program: Path) -> Identity:
    """Return an identity under which `program` really starts.

    Raises LaunchError when this is root and the system allows no other face.
    """
    if os.geteuid() != 0:
        return Identity(os.geteuid())
    nobody = nobody_uid()
    for identity in (
        Identity(0, lambda: enter_user_namespace(nobody)),
        Identity(nobody, lambda: become_nobody(nobody)),
    ):
        if _starts(program, identity):
            return identity
    raise LaunchError(
        "PostgreSQL does not run as root and this system allows neither user namespaces nor a "
        "change of user: run script/server as an ordinary user, or set DATABASE_URL."
    )


def nobody_uid() -> int:
    """Return the user id of nobody, whom initdb must find among the system's users."""
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError as error:
        raise LaunchError(
            "PostgreSQL does not run as root and this system has no user called nobody: "
            "run script/server as an ordinary user, or set DATABASE_URL."
        ) from error


def enter_user_namespace(seen_as: int) -> None:
    """Enter a namespace in which the current user carries the number `seen_as`."""
    outside = os.geteuid()
    _check(_libc.unshare(CLONE_NEWUSER))
    Path("/proc/self/uid_map").write_text(f"{seen_as} {outside} 1")


def become_nobody(uid: int) -> None:
    """Give up root for `uid`, keeping only the right to pass through closed folders."""
    _libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    kept = 1 << CAP_DAC_OVERRIDE
    effective_permitted_inheritable = (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0)
    if _libc.capset(header, effective_permitted_inheritable) == 0:
        _libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)


def _starts(program: Path, identity: Identity) -> bool:
    try:
        done = subprocess.run(
            [program, "--version"], preexec_fn=identity.become, capture_output=True, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _check(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
