"""A program's resource usage, read from the kernel."""

import os

_MOST_BYTES = 1 << 13
_MEMORY = (b"RssAnon", b"RssShmem", b"VmSwap", b"VmPTE")
"""A program's own memory and its page tables; file pages can be read again and do not count."""


class MemoryUsage:
    """The resource usage of one process.

    `proc` is an open /proc that shows the process, perhaps under another number: the keeper of a
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
        """Return bytes of memory and the number of threads; 0 bytes after its end."""
        fields = _fields(self._status)
        kilobytes = sum(int(fields.get(name, b"0").split()[0]) for name in _MEMORY)
        return kilobytes << 10, int(fields[b"Threads"])


def _fields(file: int) -> dict[bytes, bytes]:
    lines = os.pread(file, _MOST_BYTES, 0).splitlines()
    return {name: value for name, _, value in (line.partition(b":") for line in lines)}
