"""Namespaces: isolation with a root of read-only views and no other process."""

import contextlib
import os
import signal
import struct
from collections.abc import Sequence
from ctypes import c_ulong

from tables.programs.jail.calls import call, check, libc
from tables.programs.jail.limits import NOBODY

_NEW_USER, _NEW_MOUNT, _NEW_PID, _NEW_NET = 0x10000000, 0x20000, 0x20000000, 0x40000000
_NEW_IPC, _NEW_UTS, _NEW_CGROUP = 0x8000000, 0x4000000, 0x2000000
_NEW = _NEW_USER | _NEW_MOUNT | _NEW_PID | _NEW_NET | _NEW_IPC | _NEW_UTS | _NEW_CGROUP
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8
_AT_RECURSIVE, _DETACH = 0x8000, 2
_HERE = c_ulong(-100).value


def clone() -> int:
    """Fork into new namespaces; return 0 in the child, which is their first process."""
    return call("clone", _NEW | signal.SIGCHLD, 0, 0, 0, 0)


def name_users(pid: int) -> None:
    """Map the users of the child's namespace: its owner, and nobody if that is root."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        users = groups = f"0 0 1\n{NOBODY} {NOBODY} 1"
    else:
        users, groups = f"{user} {user} 1", f"{group} {group} 1"
        _write(f"/proc/{pid}/setgroups", "deny")
    _write(f"/proc/{pid}/uid_map", users)
    _write(f"/proc/{pid}/gid_map", groups)


def build_root(shown: Sequence[str]) -> None:
    """Change to a root with only these paths, read-only, under the same names."""
    real = {path: os.path.realpath(path) for path in sorted(shown)}  # Folders before their files.
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    _mount("root", "/tmp", "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,nr_inodes=2k,mode=755")
    os.mkdir("/tmp/old")
    os.mkdir("/tmp/new")
    call("pivot_root", b"/tmp", b"/tmp/old")  # This uncovers the old content of /tmp.
    _mount("/new", "/new", None, _BIND)
    for path, outside in real.items():
        if not os.path.lexists(f"/new{path}"):
            _show(f"/old{outside}", f"/new{path}")
    os.mkdir("/new/proc")
    with contextlib.suppress(OSError):  # Refused in containers that cover parts of their own /proc.
        _mount("proc", "/new/proc", "proc", _NO_SUID | _NO_DEVICES | _NO_EXEC, "subset=pid")
    os.chdir("/new")
    call("pivot_root", b".", b".")
    check(libc.umount2(b".", _DETACH), "umount")
    os.chdir("/")
    _lock("/")


def _show(outside: str, inside: str) -> None:
    os.makedirs(os.path.dirname(inside), exist_ok=True)
    if os.path.isdir(outside):
        os.mkdir(inside)
    else:
        os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
    _mount(outside, inside, None, _BIND | _RECURSIVE)
    _lock(inside)


def _lock(path: str) -> None:
    """Make the mount at this path, and those below it, read-only."""
    attributes = struct.pack("QQQQ", _READ_ONLY | _NO_SUID, 0, 0, 0)
    call("mount_setattr", _HERE, os.fsencode(path), _AT_RECURSIVE, attributes, len(attributes))


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    words = [None if each is None else os.fsencode(each) for each in (source, target, kind)]
    check(libc.mount(*words, c_ulong(flags), os.fsencode(data)), f"mount {target}")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
