"""Memory and processors that this process may use: the machine's, or its control group's limit."""

import math
import os
from collections.abc import Iterator
from pathlib import Path

SYSTEM = Path("/")
_OF_GROUPS = "sys/fs/cgroup"
_LIMITS = {"": "memory.max", "memory": "memory.limit_in_bytes"}
"""By the name of the hierarchy of groups: one for all, or one for memory alone (version 1)."""


def memory(system: Path = SYSTEM) -> int:
    """Return the bytes of memory; systemd and containers limit them by groups."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    given = [words[0] for words in _settings(system, _LIMITS)]
    return min([machine, *(int(word) for word in given if word.isdecimal())])


def processors(system: Path = SYSTEM) -> int:
    """Return how many processors' time there is, a part of one as one."""
    has_set = hasattr(os, "sched_getaffinity")
    machine = len(os.sched_getaffinity(0)) if has_set else os.cpu_count() or 1
    given = [words for words in _settings(system, {"": "cpu.max"}) if words[0].isdecimal()]
    return min([machine, *(math.ceil(int(quota) / int(period)) for quota, period in given)])


def _settings(system: Path, files: dict[str, str]) -> Iterator[list[str]]:
    """Yield the words of that file of this process's group and of each group around it."""
    try:
        lines = (system / "proc/self/cgroup").read_text().splitlines()
    except OSError:  # This system has no control groups.
        return
    for line in lines:
        hierarchy, _colon, group = line.partition(":")[2].partition(":")
        if hierarchy not in files:
            continue
        own = Path(group.lstrip("/"))
        for around in (own, *own.parents):
            try:
                found = system / _OF_GROUPS / hierarchy / around / files[hierarchy]
                yield found.read_text().split()
            except OSError:  # The outermost group has no limits, a container sees its own alone.
                continue
