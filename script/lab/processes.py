"""What other processes of this machine use, as proc(5) tells it."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PARENT, TIMES = 1, slice(11, 15)  # The fields of a process after its name, counted from 0.


class Usage:
    """Processor seconds of some processes, and of all that they start, from now on."""

    def __init__(self, *pids: int) -> None:
        self.pids = pids
        self._before = self._now()

    def seconds(self) -> float:
        return self._now() - self._before

    def _now(self) -> float:
        return sum(used(pid) for root in self.pids for pid in family(root))


def family(pid: int) -> list[int]:
    """Return a process and all that it started, and what those started."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents().items():
        children.setdefault(parent, []).append(child)
    members, left = [], [pid]
    while left:
        members.append(left.pop())
        left += children.get(members[-1], ())
    return members


def used(pid: int) -> float:
    """Processor seconds of a process and of its children that have ended; 0 for one that has."""
    return sum(map(int, _fields(pid)[TIMES])) / TICKS


def own_server(name: str) -> Usage:
    """Processor seconds of a server that this process started, from now on."""
    return Usage(*started(name, by=os.getpid()))


def started(name: str, by: int) -> list[int]:
    """Return the processes of that name that another one started itself."""
    return [pid for pid, parent in _parents().items() if parent == by and _name(pid) == name]


def parent_of(pid: int) -> int:
    return _parents()[pid]


def memory(pid: int) -> int:
    """Resident memory in KiB; 0 for a process that has ended."""
    pages = _read(pid, "statm").split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") // 1024 if pages else 0


def _parents() -> dict[int, int]:
    """Every process with who started it."""
    pids = (int(folder.name) for folder in Path("/proc").glob("[0-9]*"))
    return {pid: int(fields[PARENT]) for pid in pids if (fields := _fields(pid))}


def _name(pid: int) -> str:
    return _read(pid, "comm").strip()


def _fields(pid: int) -> list[str]:
    """Return the fields of proc(5) after a process's name; none of one that has ended."""
    return _read(pid, "stat").rpartition(")")[2].split()


def _read(pid: int, file: str) -> str:
    try:
        return Path(f"/proc/{pid}/{file}").read_text()
    except OSError:  # It has ended meanwhile.
        return ""
