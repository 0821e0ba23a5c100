"""Resource limits of a program, and the user it runs as."""

import os
import resource
import struct

from tables.programs.jail.calls import PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE, call, prctl

NOBODY = 65533
"""User and group of programs if the worker is root, an ID used by nobody else."""
THREADS = 128
OPEN_FILES = 256
_STACK = 8 << 20
_BESIDE_DATA = 32 << 20
"""The stack, parts of libraries and page tables: memory a program needs besides its data."""
_CAPABILITY_VERSION_3 = 0x20080522


def memory_in_all(memory_mb: int) -> int:
    """Return the bytes of memory of all kinds that a jailed program may hold."""
    return memory_mb * 1_000_000 + _BESIDE_DATA


def bound(cpu_seconds: int, memory_mb: int) -> None:
    """Limit processor time and memory; let no file grow and leave no core dump."""
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
    """Limit resources that a jailed program does not need; `threads` if counted for it alone."""
    for what, most in (
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, OPEN_FILES),
    ):
        resource.setrlimit(what, (most, most))
    prctl(PR_SET_THP_DISABLE, 1)  # In a huge page, 4 kB may be counted and 2 MB held.
    if threads:
        resource.setrlimit(resource.RLIMIT_NPROC, (THREADS, THREADS))


def give_up_root() -> None:
    """Become nobody if this is root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def give_up_rights() -> None:
    """Drop all capabilities, and gain none by running a file."""
    call("capset", struct.pack("II", _CAPABILITY_VERSION_3, 0), bytes(24))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
