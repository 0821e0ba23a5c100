"""Child processes that never outlive the process that started them."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from launcher import begin


def spawn(
    command: Sequence[str | os.PathLike[str]],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    death_signal: signal.Signals = signal.SIGKILL,
    face: str = "",
    nice: int = 0,
    stdin: str = "",
    files: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, with its output appended to `log`.

    When the calling process ends in any way, the kernel sends `death_signal`. Call it from the
    main thread: the kernel watches the thread that forked, not the process. `face` is the user
    that the command runs as (`identity`); `files` are open ones that it gets under their number.
    """
    with log.open("ab") as output, tempfile.TemporaryFile() as given:
        given.write(stdin.encode())
        given.seek(0)
        return subprocess.Popen(
            [*beginning(death_signal, face=face, nice=nice), *command],
            stdin=given,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            start_new_session=True,
            pass_fds=files,
        )


def beginning(death_signal: signal.Signals, *, face: str = "", nice: int = 0) -> list[str]:
    """Return the prefix of a command that sets up its process first (`begin`)."""
    script = str(Path(begin.__file__).resolve())
    asked = [str(os.getpid()), str(int(death_signal)), str(nice), face]
    return [sys.executable, "-I", "-S", script, *asked]


def stop(
    process: subprocess.Popen[bytes], *steps: tuple[signal.Signals, float], group: bool = False
) -> int:
    """Send each signal and wait its seconds, then kill; return the exit status.

    With `group`, the rest of the process's session is killed at the end too.
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
    """Kill the rest of the session that the child `pid` led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def wait_until(ready: Callable[[], bool], *, seconds: float, pause: float = 0.01) -> bool:
    """Return whether `ready()` became true within the seconds."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def starts(
    process: subprocess.Popen[bytes], is_ready: Callable[[], bool], *, seconds: float
) -> bool:
    """Return whether the process became ready within the seconds, and has not ended."""
    settled = wait_until(lambda: process.poll() is not None or is_ready(), seconds=seconds)
    return settled and process.returncode is None


def tail(log: Path, lines: int = 3) -> str:
    """Return the last lines of a log joined into one, for a message."""
    try:
        text = log.read_text(errors="replace")
    except OSError:
        return "nothing was logged"
    return " / ".join(text.strip().splitlines()[-lines:]) or "nothing was logged"
