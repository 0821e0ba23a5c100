"""Child processes that never outlive the process which started them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)  # Loaded before any fork: the child only calls it.


def spawn(
    command: Sequence[str | os.PathLike[str]],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    death_signal: signal.Signals = signal.SIGKILL,
    become: Callable[[], None] | None = None,
    nice: int = 0,
    stdin: str = "",
) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, with its output appended to `log`.

    When the calling process ends in any way, the kernel sends `death_signal`. Call it from the
    main thread: the kernel watches the thread that forked, not the process. `become` runs in the
    child and changes whom it runs as.
    """
    parent = os.getpid()

    def prepare() -> None:
        if nice:
            os.nice(nice)
        if become is not None:
            become()
        # After `become`: changing credentials clears it.
        die_with_parent(death_signal, parent)

    with log.open("ab") as output, tempfile.TemporaryFile() as given:
        given.write(stdin.encode())
        given.seek(0)
        return subprocess.Popen(
            command,
            stdin=given,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=prepare,
        )


def die_with_parent(death_signal: signal.Signals, parent: int) -> None:
    """Ask the kernel to end this process with its parent, whose process id is `parent`."""
    if sys.platform != "linux":
        return
    _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
    if os.getppid() != parent:  # It ended between the fork and the request.
        os.kill(os.getpid(), signal.SIGKILL)


def stop(
    process: subprocess.Popen[bytes], *steps: tuple[signal.Signals, float], group: bool = False
) -> int:
    """Send each signal and wait its seconds, then kill; return the exit status.

    With `group` whatever else runs in the process's session is killed in the end too.
    """
    for number, seconds in steps:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    else:
        process.kill()
    if group:
        kill_group(process.pid)
    return process.wait()


def kill_group(pid: int) -> None:
    """Kill what is left of the session that the child `pid` led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def wait_until(ready: Callable[[], bool], *, seconds: float, pause: float = 0.01) -> bool:
    """Return whether `ready()` came true within the seconds."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def tail(log: Path, lines: int = 3) -> str:
    """Return the last lines of a log in one line, for a message."""
    try:
        text = log.read_text(errors="replace")
    except OSError:
        return "nothing was logged"
    return " / ".join(text.strip().splitlines()[-lines:]) or "nothing was logged"
