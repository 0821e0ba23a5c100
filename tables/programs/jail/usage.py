"""What a program uses: asked of the kernel from outside."""

from __future__ import annotations

import os

_MOST_BYTES = 1 << 13
_MEMORY = (b"RssAnon", b"RssShmem", b"VmSwap", b"VmPTE")
"""All that is a program's own, and the tables that say where it is. Files can be read again."""


class Usage:
    """What one process uses.

    `proc` is an open /proc that shows it, perhaps under another number than ours: the keeper of a
    namespace opens it before it changes to a root that may have none.
    """

    def __init__(self, proc: int, pid: int) -> None:
        pidfd = os.pidfd_open(pid)
        about = os.open(f"self/fdinfo/{pidfd}", os.O_RDONLY, dir_fd=proc)
        number = int(_fields(about)[b"Pid"])
        for fd in (pidfd, about):
            os.close(fd)
        self._status = os.open(f"{number}/status", os.O_RDONLY, dir_fd=proc)

    def now(self) -> tuple[int, int]:
        """Return bytes of memory and the number of threads; no bytes where it has ended."""
        fields = _fields(self._status)
        kilobytes = sum(int(fields.get(name, b"0").split()[0]) for name in _MEMORY)
        return kilobytes << 10, int(fields[b"Threads"])


def _fields(file: int) -> dict[bytes, bytes]:
    lines = os.pread(file, _MOST_BYTES, 0).splitlines()
    return {name: value for name, _, value in (line.partition(b":") for line in lines)}
