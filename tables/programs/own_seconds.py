"""Time a process waited for a processor, which must not count as its own."""

import os
from contextlib import suppress
from functools import lru_cache


def waited(pid: int) -> float:
    """Return the seconds that a process's first thread has waited for a processor so far.

    Return 0 if the system does not report it; all elapsed time then counts as the process's own.
    """
    with suppress(OSError), open(f"/proc/{pid}/schedstat", "rb") as file:
        return _seconds(file.read())
    return 0.0


def waited_here() -> float:
    """Return the same for this process, through an open file."""
    file = _own(os.getpid())
    return _seconds(os.pread(file, 100, 0)) if file is not None else 0.0


@lru_cache(maxsize=1)
def _own(pid: int) -> int | None:
    with suppress(OSError):
        return os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    return None


def _seconds(text: bytes) -> float:
    try:
        return int(text.split()[1]) / 1e9
    except (ValueError, IndexError):
        return 0.0
