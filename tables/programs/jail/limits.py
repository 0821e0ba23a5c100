"""How much a program may use, and as whom it runs."""

from __future__ import annotations

import os
import resource
import struct

from tables.programs.jail.calls import PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE, call, prctl

NOBODY = 65533
"""Who programs are where the worker is root: nobody's number but theirs."""
THREADS = 128
OPEN_FILES = 256
_STACK = 8 << 20
_BESIDE_DATA = 32 << 20
"""The stack, parts of libraries, page tables: what a program needs beside its data."""
_CAPABILITY_VERSION_3 = 0x20080522


def memory_in_all(memory_mb: int) -> int:
    """Return the bytes that a jailed program may hold, of whatever kind."""
    return memory_mb * 1_000_000 + _BESIDE_DATA


def bound(cpu_seconds: int, memory_mb: int) -> None:
    """Bound processor time and memory; no file grows, nothing is left as a core."""
    memory = memory_mb * 1_000_000
    for what, soft, hard in (
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_DATA, memory, memory),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
    ):
        resource.setrlimit(what, (soft, hard))


def bound_the_rest(*, threads: bool) -> None:
    """Bound what a jailed program has no need of; `threads` where they are counted for it alone."""
    for what, most in (
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, OPEN_FILES),
    ):
        resource.setrlimit(what, (most, most))
    prctl(PR_SET_THP_DISABLE, 1)  # Of a huge page, 4 kB may be counted and 2 MB be held.
    if threads:
        resource.setrlimit(resource.RLIMIT_NPROC, (THREADS, THREADS))


def give_up_root() -> None:
    """Become nobody where this is root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def give_up_rights() -> None:
    """Keep no capability, and get none by running anything."""
    call("capset", struct.pack("II", _CAPABILITY_VERSION_3, 0), bytes(24))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
