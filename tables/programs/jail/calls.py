"""System calls without a Python function, made by number."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE = 36, 38, 41
_MACHINES = ("x86_64", "aarch64")
_USED = {
    "clone": (56, 220),
    "capset": (126, 91),
    "pivot_root": (155, 41),
    "mount_setattr": (442, 442),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}


def machine() -> int:
    """Return this machine's column in the tables of call numbers; raise `OSError` if unknown."""
    name = os.uname().machine
    if name not in _MACHINES:
        raise OSError(f"the numbers of the kernel's calls on {name} are not known")
    return _MACHINES.index(name)


def call(name: str, *arguments: int | bytes | None) -> int:
    """Make a system call; raise `OSError` if the kernel refuses it."""
    words = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
    return check(libc.syscall(ctypes.c_long(_USED[name][machine()]), *words), name)


def prctl(option: int, word: int, data: ctypes.Array[ctypes.c_char] | None = None) -> None:
    """Set a process attribute by `prctl`."""
    none = ctypes.c_ulong(0)
    given = none if data is None else data
    check(libc.prctl(option, ctypes.c_ulong(word), given, none, none), f"prctl {option}")


def check(result: int, what: str) -> int:
    """Return the result of a C library call, or raise its error."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
