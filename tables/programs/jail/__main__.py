"""``python -m tables.programs.jail FD``: a worker's doorkeeper.

It reads jobs from its socket and forks a keeper for each. It is small, single-threaded and without
the worker's memory or environment, so that forks are fast and leak nothing. It ends with the
worker, and so does every keeper.
"""

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Sequence

from tables.programs.jail import namespaces
from tables.programs.jail.job import NAMESPACES, Job, News
from tables.programs.jail.keeper import keep

_MOST_BYTES = 1 << 16
_LOOK_SECONDS = 0.5


def main(door: socket.socket) -> None:
    """Start a keeper for each job until the worker is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Nobody collects the keepers' status.
    worker = os.getppid()
    door.settimeout(_LOOK_SECONDS)
    while os.getppid() == worker:  # The socket's other end may live on in the worker's forks.
        with contextlib.suppress(TimeoutError):
            message, fds, _, _ = socket.recv_fds(door, _MOST_BYTES, 4)
            if not message:
                return
            for fd in fds:
                os.set_inheritable(fd, False)
            _open(Job.from_bytes(message), fds, door)


def _open(job: Job, fds: Sequence[int], door: socket.socket) -> None:
    *streams, last = fds
    control = socket.socket(fileno=last)
    hear, say = os.pipe()
    try:
        pid = namespaces.clone() if job.tier == NAMESPACES else os.fork()
        if pid == 0:
            _be_keeper(job, streams, control, door, (hear, say))
        if job.tier == NAMESPACES:
            namespaces.name_users(pid)
        os.write(say, b"go")
    except OSError as error:
        with contextlib.suppress(OSError):
            control.send(News(failed=str(error)).to_bytes())
    for fd in (*streams, hear, say):
        os.close(fd)
    control.close()


def _be_keeper(
    job: Job,
    streams: Sequence[int],
    control: socket.socket,
    door: socket.socket,
    go: tuple[int, int],
) -> None:
    """Wait until the namespace's users are mapped, then keep the program; never return."""
    try:
        door.close()
        os.close(go[1])
        if os.read(go[0], 2):
            os.close(go[0])
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            keep(job, control)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
