"""The keeper of one program: confines it, waits for its end or its game's, and cleans up."""

import contextlib
import os
import select
import signal
import socket
from pathlib import Path

from tables.programs.jail import calls, landlock, limits, namespaces, seccomp
from tables.programs.jail.job import LANDLOCK, NAMESPACES, TRUSTED, Job, News
from tables.programs.jail.usage import MemoryUsage

_LOOK_MS, _LEAST_LOOK_MS = 100, 5
_BYTES_IN_MS = 4 << 20
"""Most bytes a program can fill in a millisecond: near its limit the next look comes sooner."""
_MOST_BYTES = 1000
_AS_ROOT = ". Started by root, a program runs as nobody: its files must be open to others"
_NOT_SHOWN = "/etc/passwd"
_WRITABLE = ("/dev/null",)


def keep(job: Job, control: socket.socket) -> None:
    """Run the program on this process's standard streams; return when nothing is left of it.

    It ends, at the latest, when the worker closes its end of `control`.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with contextlib.suppress(OSError):  # If memory runs out, the kernel kills programs first.
        Path("/proc/self/oom_score_adj").write_text("1000")
    calls.prctl(calls.PR_SET_DUMPABLE, 0)
    calls.prctl(calls.PR_SET_CHILD_SUBREAPER, 1)
    os.setsid()
    alone, doorkeeper = job.tier == NAMESPACES, os.getppid()
    try:
        proc = os.open("/proc", os.O_PATH)
        if alone:
            calls.prctl(calls.PR_SET_PDEATHSIG, signal.SIGKILL)  # Its death ends the namespace.
            namespaces.build_root([path for path in job.shown if os.path.exists(path)])
        pid = _start(job)
        usage = None if job.tier == TRUSTED else MemoryUsage(proc, pid)
    except OSError as error:
        _clear(alone=alone)
        _tell(control, News(failed=str(error)))
        return
    os.close(proc)
    _leave_streams()
    _tell(control, News(running=True), os.pidfd_open(pid))
    news = _wait(job, pid, control, None if alone else doorkeeper, usage)
    _clear(alone=alone)
    if news is not None:
        _tell(control, news)


def _start(job: Job) -> int:
    """Fork and run the program; raise `OSError` if it cannot be confined or run."""
    keeper = os.getpid()
    hear, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _enter(job, keeper)
            _run(job)
        except BaseException as error:
            text = str(error) or type(error).__name__
            if isinstance(error, PermissionError) and os.getuid() == limits.NOBODY:
                text += _AS_ROOT
            os.write(say, text.encode()[:_MOST_BYTES])
        os._exit(0)
    os.close(say)
    with open(hear, "rb") as heard:
        failure = heard.read()
    if failure:
        os.waitpid(pid, 0)
        raise OSError(failure.decode(errors="replace"))
    return pid


def _enter(job: Job, keeper: int) -> None:
    """In the child: give up everything the program must not have."""
    jailed, alone = job.tier != TRUSTED, job.tier == NAMESPACES
    if jailed:
        limits.give_up_root()
    os.chdir(job.folder)
    limits.bound(job.cpu_seconds, job.memory_mb)
    calls.prctl(calls.PR_SET_PDEATHSIG, signal.SIGKILL)  # After give_up_root, which clears it.
    if os.getppid() != keeper:
        raise OSError("its keeper is gone")
    os.setsid()
    if not jailed:
        return
    limits.bound_the_rest(threads=alone)
    limits.give_up_rights()
    known = landlock.abi()
    if known:
        landlock.restrict(("/",) if alone else job.shown, _WRITABLE)
    elif not alone:
        raise OSError("this kernel has no Landlock")
    seccomp.restrict(os.getpid(), alone=alone, landlock_abi=known)


def _run(job: Job) -> None:
    """In the child: become the program, or test the jail if there is none."""
    if not job.command:
        _look_round()
        return
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Only this interpreter ignores them.
        signal.signal(ignored, signal.SIG_DFL)
    environment = {"PATH": job.path, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    os.execve(job.command[0], job.command, environment)


def _look_round() -> None:
    """Raise `RuntimeError` where the jail does not hold."""
    with contextlib.suppress(OSError):
        os.close(os.open(_NOT_SHOWN, os.O_RDONLY))
        raise RuntimeError("files outside can be read in it")
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_UNIX).close()
        raise RuntimeError("sockets can be made in it")
    with contextlib.suppress(OSError):
        if os.fork() == 0:
            os._exit(0)
        raise RuntimeError("processes can be started in it")


def _leave_streams() -> None:
    """Close the program's streams in this process, so that they end with the program."""
    nothing = os.open(os.devnull, os.O_RDWR) if os.path.exists(os.devnull) else -1
    for stream in (0, 1, 2):
        os.close(stream)
        if nothing >= 0:
            os.dup2(nothing, stream)


def _wait(
    job: Job, pid: int, control: socket.socket, doorkeeper: int | None, usage: MemoryUsage | None
) -> News | None:
    """Return how the program ended; `None` if the worker or the doorkeeper ended first.

    A program over its limits is killed here: the kernel's memory limit counts only data, and its
    thread limit all of the user's threads.
    """
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(ended, select.POLLIN)
    most_memory = limits.memory_in_all(job.memory_mb)
    most_threads = limits.THREADS if job.tier == LANDLOCK else None
    over_memory, pause = False, _LEAST_LOOK_MS
    while True:
        ready = {at for at, _ in poll.poll(pause)}
        if ended in ready:
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            return News(status=status, over_memory=over_memory)
        if ready or (doorkeeper is not None and os.getppid() != doorkeeper):
            return None
        pause = _LOOK_MS
        if usage is not None:
            memory, threads = usage.now()
            pause = min(pause, max(_LEAST_LOOK_MS, (most_memory - memory) // _BYTES_IN_MS))
            over_memory = over_memory or memory > most_memory
            if over_memory or (most_threads is not None and threads > most_threads):
                os.kill(pid, signal.SIGKILL)


def _clear(*, alone: bool) -> None:
    """Kill all that is left, also in other sessions: orphans become the keeper's children."""
    while True:
        for pid in (-1,) if alone else _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    own = os.getpid()
    return [int(pid) for pid in Path(f"/proc/{own}/task/{own}/children").read_text().split()]


def _tell(control: socket.socket, news: News, process: int | None = None) -> None:
    """Send a message, and a descriptor of the process, whose number differs in other namespaces."""
    with contextlib.suppress(OSError):  # The worker may be gone.
        socket.send_fds(control, [news.to_bytes()], [] if process is None else [process])
    if process is not None:
        os.close(process)
