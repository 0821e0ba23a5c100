"""``escaping.py TIER``: a worker with secrets, whose bot tries to get out; prints what came of it.

A script, so that the test can run it as somebody else; it needs nothing but this checkout.
"""

import json
import os
import socket
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE)]

from escapes import ESCAPES  # noqa: E402

from engine.sim.faults import BotFault  # noqa: E402
from tables.programs.process import Limits, Process  # noqa: E402

LIMITS = Limits(seconds=20, cpu_seconds=30, memory_mb=128)


def stage(folder: Path, stack: ExitStack) -> int:
    """Lay out a data folder and a bot's, and listen; return the number of the port."""
    (folder / "data/run").mkdir(parents=True)
    (folder / "bots").mkdir()
    (folder / "data/secret-key").write_text("0123456789abcdef")
    (folder / "bots/escapes.py").write_bytes((HERE / "escapes.py").read_bytes())
    (folder / "bots/victim").write_text("the owner's words")
    for path in (folder, folder / "bots"):
        path.chmod(0o755)  # Where the worker is root, programs are nobody.
    (folder / "data").chmod(0o700)
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    port = int(tcp.getsockname()[1])
    listening = [tcp]
    for address in (str(folder / "data/run/pg.sock"), f"\0jail-{port}"):
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(address)
        unix.listen()
        listening.append(unix)
    log = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
    log.bind(str(folder / "data/run/log.sock"))
    for each in listening:
        threading.Thread(target=greet, args=(each,), daemon=True).start()
    return port


def greet(listening: socket.socket) -> None:
    with suppress(OSError):
        while True:
            guest, _ = listening.accept()
            with guest:
                guest.sendall(b"hello from outside")


def alive(mark: str) -> list[int]:
    """The processes whose command has a word."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def start(folder: Path, port: int, tier: str) -> Process:
    command = (sys.executable, "-S", "-E", "escapes.py", str(folder / "data"), str(port))
    process = Process(
        (*command, str(os.getpid())),
        folder / "bots",
        LIMITS,
        trusted=tier == "trusted",
        hidden=(folder / "data",),
        tier=tier,
    )
    assert process.ask({"type": "hello"}) == {"type": "ready"}
    return process


def escapes(folder: Path, port: int, tier: str) -> dict[str, str]:
    """Try every escape; after one that got something, or its end, the next has a new bot."""
    found = {}
    process = start(folder, port, tier)
    for name in ESCAPES:
        try:
            found[name] = process.ask({"type": "turn", "legal": [name]})["action"]
        except BotFault as fault:
            found[name] = f"no: ended. {fault}"
        if found[name].startswith(("GOT", "no: ended")):
            process.stop()
            process = start(folder, port, tier)
    process.stop()
    left = alive(f"600.{port}")
    found["alive after its game"] = f"GOT {left}" if left else "no: none"
    return found


def memory_taken(folder: Path, port: int, tier: str) -> dict[str, int]:
    """Let a bot take all there is; say by how many MB the machine's memory fell, from outside."""
    process = start(folder, port, tier)
    least = before = available()
    over = threading.Event()

    def look() -> None:
        nonlocal least
        while not over.wait(0.002):
            least = min(least, available())

    looking = threading.Thread(target=look)
    looking.start()
    with suppress(BotFault):
        process.ask({"type": "turn", "legal": ["all of it at once, beside what is allowed"]})
    over.set()
    looking.join()
    process.stop()
    return {"fell": before - least}


def available() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) >> 10


def wait_to_be_killed(folder: Path, port: int, tier: str) -> None:
    """Say the mark of the bot, which wants to live, and stand there.

    Another process, forked meanwhile, has every socket that this one has.
    """
    process = start(folder, port, tier)
    process.ask({"type": "turn", "legal": ["no death with its keeper"]})
    process.ask({"type": "turn", "legal": ["a child's child (fork twice)"]})
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
    print(folder, flush=True)
    time.sleep(600)


def without_namespaces() -> None:
    """Become somebody whom the system allows no more namespaces."""
    user, group = os.getuid(), os.getgid()
    import ctypes

    assert ctypes.CDLL(None).unshare(0x10000000) == 0
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def main(what: str, tier: str) -> None:
    if what == "deprived":
        without_namespaces()
        from tables.programs.jail.door import door

        print(json.dumps({"tier": door().tier().name, "reasons": door().tier().reasons}))
        return
    with tempfile.TemporaryDirectory(prefix="jail-") as made, ExitStack() as stack:
        folder = Path(made)
        port = stage(folder, stack)
        if what == "killed":
            wait_to_be_killed(folder, port, tier)
        tried = memory_taken if what == "memory" else escapes
        print(json.dumps(tried(folder, port, tier)))


if __name__ == "__main__":
    main(*sys.argv[1:])
