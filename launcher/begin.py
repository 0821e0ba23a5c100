"""``begin.py PARENT SIGNAL NICE FACE COMMAND...``: set up the process, then run the command.

A separate script, so that no code of ours runs between fork and exec, where a process with threads
can deadlock. It uses the standard library only.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

NAMESPACE, USER = "namespace", "user"
"""Identities for root: another user id in a user namespace, or another user permanently."""

_PR_SET_PDEATHSIG, _PR_SET_KEEPCAPS, _PR_SET_SECUREBITS = 1, 8, 28
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 47, 2
_NO_SETUID_FIXUP = 4
_CLONE_NEWUSER = 0x10000000
_CAP_DAC_OVERRIDE = 1
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def main(parent: str, death_signal: str, nice: str, face: str, *command: str) -> None:
    """Apply the settings and replace this process with the command."""
    os.nice(int(nice))
    how, _, uid = face.partition(":")
    if how == NAMESPACE:
        _enter_user_namespace(int(uid))
    elif how == USER:
        _become(int(uid))
    _die_with_parent(int(death_signal), int(parent))  # Last: changing credentials clears it.
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; the command must not.
        signal.signal(ignored, signal.SIG_DFL)
    os.execvp(command[0], command)


def _die_with_parent(death_signal: int, parent: int) -> None:
    """Ask the kernel to end this process with its parent, whose process id is `parent`."""
    if sys.platform != "linux":
        return
    _libc.prctl(_PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
    if os.getppid() != parent:  # The parent ended between the fork and the request.
        os.kill(os.getpid(), signal.SIGKILL)


def _enter_user_namespace(seen_as: int) -> None:
    """Enter a namespace in which the current user has the id `seen_as`."""
    outside = os.geteuid()
    if _libc.unshare(_CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    Path("/proc/self/uid_map").write_text(f"{seen_as} {outside} 1")


def _become(uid: int) -> None:
    """Give up root for `uid`, keeping only the capability to pass through closed folders.

    access(), by which initdb looks for its programs, ignores the capabilities of others than root
    unless this secure bit is set, which the system may refuse.
    """
    _libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    _libc.prctl(_PR_SET_SECUREBITS, _NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    kept = 1 << _CAP_DAC_OVERRIDE
    effective_permitted_inheritable = (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0)
    if _libc.capset(header, effective_permitted_inheritable) == 0:
        _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_OVERRIDE, 0, 0)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(f"{sys.argv[5]} cannot be started: {error}")
