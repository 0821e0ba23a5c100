"""Landlock: restricts which files a process may access, whichever user it runs as."""

import os
import struct
from collections.abc import Iterable

from tables.programs.jail.calls import call

_EXECUTE, _WRITE, _READ, _LIST = 1, 2, 4, 8
_EVERYTHING = (1 << 13) - 1
_SINCE = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""Rights to move files between folders, truncate, and control devices, by their first ABI."""
_TCP, _ABSTRACT_SOCKETS_AND_SIGNALS = 3, 3


def abi() -> int:
    """Return the kernel's Landlock ABI; 0 without Landlock."""
    try:
        return call("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Allow reading and running only `readable` paths, writing only `writable` ones, and no TCP."""
    known = abi()
    files = _EVERYTHING | sum(right for since, right in _SINCE.items() if known >= since)
    network = _TCP if known >= 4 else 0
    scoped = _ABSTRACT_SOCKETS_AND_SIGNALS if known >= 6 else 0
    length = 24 if known >= 6 else 16 if known >= 4 else 8
    attributes = struct.pack("QQQ", files, network, scoped)[:length]
    rules = call("landlock_create_ruleset", attributes, length, 0)
    for paths, rights in ((readable, _EXECUTE | _READ | _LIST), (writable, _WRITE | _READ)):
        for path in paths:
            _allow(rules, path, rights)
    call("landlock_restrict_self", rules, 0)
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        at = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= ~_LIST
    call("landlock_add_rule", rules, 1, struct.pack("=Qi", rights, at), 0)
    os.close(at)
