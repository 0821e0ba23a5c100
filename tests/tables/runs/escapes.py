"""A bot that tries to get out: asked for an escape by its name, it says what it could do.

``escapes.py DATA PORT WORKER``: the data folder, where somebody listens, and the worker's process.
Standard library alone, since it runs shut in.
"""

import contextlib
import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

BIG, MORE = 600 << 20, 300 << 20
STEP, HUGE = 50 << 20, 2 << 20
READ, WRITE = 1, 2
PRIVATE, GROWS_DOWN, NO_RESERVE = 0x22, 0x100, 0x4000
THREADS = 300
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

SPARE: list[object] = []
"""What is not to be closed before its time."""

ESCAPES: dict[str, Callable[[], object]] = {}


def escape(name: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
    def note(function: Callable[[], object]) -> Callable[[], object]:
        ESCAPES[name] = function
        return function

    return note


def call(number: int, *arguments: object) -> int:
    """A system call by its number on x86_64."""
    return done(libc.syscall(ctypes.c_long(number), *map(word, arguments)))


def heard(number: int, *arguments: object) -> str:
    """A call that asks for nonsense: who answers so has read it."""
    try:
        call(number, *arguments)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    return "may be asked for"


def word(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def done(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def touch(memory: mmap.mmap, *, write: bool = True) -> str:
    for place in range(0, len(memory), 4096):
        if write:
            memory[place] = 1
        else:
            memory[place]
    return f"{len(memory) >> 20} MB held"


def mapped(length: int, protection: int, flags: int) -> int:
    place = libc.mmap(None, ctypes.c_size_t(length), protection, flags, -1, ctypes.c_long(0))
    return done_at(place)


def done_at(place: int) -> int:
    if place == ctypes.c_size_t(-1).value:
        raise OSError(ctypes.get_errno(), "refused")
    return place


def filled(place: int, length: int = MORE) -> str:
    for page in range(place, place + length, 4096):
        ctypes.c_char.from_address(page).value = 1
    return f"{length >> 20} MB held"


# What others have.


@escape("secrets in others' environments")
def environments():
    found = 0
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                found += b"MARK_SECRET" in file.read()
        except OSError:
            pass
    assert found, "none"
    return f"{found} environments"


@escape("secret-key of the data folder")
def secret_key():
    with open(f"{DATA}/secret-key") as file:
        return file.read(8)


@escape("listing the data folder")
def listing():
    return os.listdir(DATA)


@escape("listing /home, /root, /var, /tmp")
def homes():
    return [os.listdir(folder) for folder in ("/home", "/root", "/var", "/tmp")]


@escape("/etc/passwd")
def passwords():
    with open("/etc/passwd") as file:
        return file.readline()


@escape("reading through a link of the worker's in /proc")
def root_of_the_worker():
    with open(f"/proc/{WORKER}/root{DATA}/secret-key") as file:
        return file.read(8)


@escape("a descriptor that was left open")
def descriptor():
    found = []
    for fd in range(3, 1024):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            found.append(fd)
    assert found, "none"
    return found


# The network.


def greeting(kind: int, address: object) -> bytes:
    with socket.socket(kind, socket.SOCK_STREAM) as talk:
        talk.settimeout(2)
        talk.connect(address)
        return talk.recv(20)


@escape("a Unix socket by its path")
def socket_by_path():
    return greeting(socket.AF_UNIX, f"{DATA}/run/pg.sock")


@escape("an abstract Unix socket")
def abstract_socket():
    return greeting(socket.AF_UNIX, f"\0jail-{PORT}")


@escape("a datagram to a Unix socket, from a pair")
def datagram_of_a_pair():
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return ours.sendto(b"x", f"{DATA}/run/log.sock")


@escape("TCP to the machine itself")
def tcp():
    return greeting(socket.AF_INET, ("127.0.0.1", PORT))


@escape("UDP")
def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
        return talk.sendto(b"x", ("127.0.0.1", PORT))


@escape("netlink")
def netlink():
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)


# Memory beyond its limit, and what outlives it.


@escape("600 MB, private")
def private():
    return f"{len(bytearray(BIG)) >> 20} MB held"


@escape("600 MB, shared and anonymous")
def shared():
    return touch(mmap.mmap(-1, BIG))


@escape("600 MB of /dev/zero, shared")
def zeros():
    with open("/dev/zero", "rb") as zero:
        memory = mmap.mmap(zero.fileno(), BIG, mmap.MAP_SHARED, mmap.PROT_READ)
        return touch(memory, write=False)


@escape("600 MB of memfd")
def memfd():
    fd = os.memfd_create("x")
    os.ftruncate(fd, BIG)
    return touch(mmap.mmap(fd, BIG))


@escape("600 MB of System V")
def system_v():
    segment = call(29, 0, BIG, 0o1600)
    call(31, segment, 0, None)  # IPC_RMID: it is not to stay behind this test.
    return "a segment"


@escape("300 MB that grow downwards, as a stack does")
def stack_of_its_own():
    return filled(mapped(MORE, READ | WRITE, PRIVATE | GROWS_DOWN))


@escape("300 MB by making the stack longer")
def longer_stack():
    with open("/proc/self/maps") as maps:
        lowest = int(next(line for line in maps if "[stack]" in line).split("-")[0], 16)
    moved = libc.mremap(ctypes.c_void_p(lowest), ctypes.c_size_t(4096), ctypes.c_size_t(MORE), 1)
    return filled(done_at(moved))


@escape("300 MB that may not be written any more")
def written_before():
    for _ in range(0, MORE, STEP):
        place = mapped(STEP, READ | WRITE, PRIVATE)
        filled(place, STEP)
        done(libc.mprotect(ctypes.c_void_p(place), ctypes.c_size_t(STEP), READ))
    return f"{MORE >> 20} MB held"


@escape("300 MB of page tables")
def page_tables():
    pages = MORE // 4096
    place = mapped(pages * HUGE, READ, PRIVATE | NO_RESERVE)
    for page in range(pages):
        ctypes.string_at(place + page * HUGE, 1)
    return f"{pages} tables of 4 kB held"


@escape("300 MB in sockets that travel in sockets")
def sockets_in_flight():
    held = 0
    carriers = [socket.socketpair() for _ in range(20)]
    for number in range(200):
        pair = socket.socketpair()
        for end in pair:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
            end.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    held += end.send(bytes(32768))
        socket.send_fds(carriers[number // 10][0], [b"x"], [end.fileno() for end in pair])
        for end in pair:
            end.close()
        if held >= MORE:
            break
    SPARE.append(carriers)
    return f"{held >> 20} MB held"


@escape("300 MB of huge pages in pipes")
def huge_pages_in_pipes():
    pipes = []
    for number in range(MORE // HUGE):
        if number % 16 == 0:
            pipes.append(os.pipe())
        start = huge_page()
        piece = (ctypes.c_uint64 * 2)(start, 4096)
        call(278, pipes[-1][1], piece, 1, 1)  # vmsplice
        done(libc.munmap(ctypes.c_void_p(start), ctypes.c_size_t(HUGE)))
    SPARE.append(pipes)
    return f"{MORE >> 20} MB held"


@escape("300 MB of huge pages, 4 kB of each still mapped")
def rests_of_huge_pages():
    for _ in range(MORE // HUGE):
        done(libc.munmap(ctypes.c_void_p(huge_page() + 4096), ctypes.c_size_t(HUGE - 4096)))
    return f"{MORE >> 20} MB held"


def huge_page() -> int:
    place = mapped(2 * HUGE, READ | WRITE, PRIVATE)
    start = (place + HUGE - 1) // HUGE * HUGE
    for at, length in ((place, start - place), (start + HUGE, place + HUGE - start)):
        if length:
            done(libc.munmap(ctypes.c_void_p(at), ctypes.c_size_t(length)))
    done(libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(HUGE), 14))  # MADV_HUGEPAGE
    ctypes.memset(start, 1, 4096)
    return start


@escape("huge pages where the system gives them to all")
def huge_pages_for_all():
    done(libc.prctl(41, 0, 0, 0, 0))  # PR_SET_THP_DISABLE
    return "allowed again"


@escape("locks on parts of a file, each of them memory of the kernel")
def locks_on_parts():
    with open("victim") as file:
        for place in range(1000):
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 2 * place)
    return "1,000 held"


@escape("rules of Landlock, each of them memory of the kernel")
def landlock_rules():
    return call(444, ctypes.byref(ctypes.c_uint64(1)), 8, 0)


@escape("longer buffers of sockets")
def long_buffers():
    ours, _ = socket.socketpair()
    return ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20) or "set"


@escape("pipes of a megabyte")
def long_pipes():
    ours, _ = os.pipe()
    return fcntl.fcntl(ours, 1031, 1 << 20)  # F_SETPIPE_SZ


@escape("all of it at once, beside what is allowed")
def all_at_once():
    ways = [stack_of_its_own, written_before, page_tables, sockets_in_flight, huge_pages_in_pipes]
    found = []

    def take(way: Callable[[], object]) -> None:
        with contextlib.suppress(Exception):
            found.append(way())

    threads = [threading.Thread(target=take, args=(way,)) for way in (allowed, *ways)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found, "none"
    return found


def allowed() -> None:
    SPARE.append(bytearray(50 << 20))
    pairs = [socket.socketpair() for _ in range(80)]
    for end in [end for pair in pairs for end in pair]:
        end.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                end.send(bytes(32768))
    SPARE.append(pairs)
    raise RuntimeError("no escape")


@escape("removing others' System V segments")
def foreign_segments():
    return heard(31, 1 << 30, 0, None)


@escape("a queue of messages")
def queue():
    found = call(240, b"jail-queue", os.O_CREAT | os.O_RDWR, 0o600, None)
    call(241, b"jail-queue")
    return found


# Files.


@escape("a folder in its folder")
def folder():
    os.mkdir("made")
    return os.rmdir("made") or "made"


@escape("an empty file in its folder")
def empty_file():
    os.close(os.open("empty", os.O_CREAT | os.O_WRONLY))
    return os.unlink("empty") or "made"


@escape("an empty file in /tmp")
def empty_temporary():
    path = f"/tmp/jail-{PORT}"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    return os.unlink(path) or "made"


@escape("another name for the owner's file")
def rename():
    os.rename("victim", "victim2")
    return os.rename("victim2", "victim") or "renamed"


@escape("shortening the owner's file")
def truncate():
    return os.truncate("victim", 0) or "shortened"


@escape("shortening the owner's file as it is opened")
def truncate_open():
    return os.close(os.open("victim", os.O_RDONLY | os.O_TRUNC)) or "shortened"


@escape("other rights for the owner's file")
def chmod_file():
    return os.chmod("victim", 0o644) or "changed"


@escape("other rights for the data folder")
def chmod_data():
    return os.chmod(DATA, 0o755) or "changed"


@escape("another time for the owner's file")
def utime():
    return os.utime("victim") or "changed"


@escape("an attribute on the owner's file")
def attribute():
    return os.setxattr("victim", "user.jail", b"x") or "set"


@escape("a lease on a file that others open")
def lease():
    with open("victim") as file:
        return fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK) or "held"


@escape("a lock that others wait for")
def lock():
    with open("victim") as file:
        return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB) or "held"


@escape("a mark on the owner's file by ioctl")
def mark():
    with open("victim") as file:
        marks = bytearray(8)
        fcntl.ioctl(file, 0x80086601, marks)  # FS_IOC_GETFLAGS
        return fcntl.ioctl(file, 0x40086602, bytes(marks)) or "set"  # FS_IOC_SETFLAGS


@escape("a mark on the owner's file by the longer ioctl")
def longer_mark():
    with open("victim") as file:
        marks = bytearray(28)
        fcntl.ioctl(file, 0x801C581F, marks)  # FS_IOC_FSGETXATTR
        return fcntl.ioctl(file, 0x401C5820, bytes(marks)) or "set"  # FS_IOC_FSSETXATTR


# Other processes.


@escape("a signal to its parent")
def signal_parent():
    return os.kill(os.getppid(), 0) or f"may end {os.getppid()}"


@escape("a signal to the worker")
def signal_worker():
    return os.kill(WORKER, 0) or "may end it"


@escape("a signal to everybody")
def signal_all():
    return os.kill(-1, 0) or "may end all"


@escape("a signal to the worker by owning a pipe")
def signal_by_pipe():
    ours, _ = os.pipe()
    return fcntl.fcntl(ours, fcntl.F_SETOWN, WORKER) or "it is told"


@escape("holding its parent")
def ptrace():
    return done(libc.ptrace(0x4206, os.getppid(), 0, 0)) or "with ATTACH it stands still for good"


@escape("reading its parent's memory")
def memory_of_parent():
    with open(f"/proc/{os.getppid()}/mem", "rb") as memory:
        with open(f"/proc/{os.getppid()}/maps") as maps:
            place = next(int(line.split("-")[0], 16) for line in maps if " r" in line)
        memory.seek(place)
        return memory.read(8)


@escape("other limits for the worker")
def limits_of_worker():
    return resource.prlimit(WORKER, resource.RLIMIT_NOFILE)


@escape("other limits for itself")
def own_limits():
    resource.setrlimit(resource.RLIMIT_DATA, (BIG * 2, BIG * 2))
    return "raised"


@escape("more of the processor than others")
def priority():
    return os.setpriority(os.PRIO_PROCESS, WORKER, 19) or "the worker waits"


# The kernel's machinery.


@escape("a user namespace")
def user_namespace():
    return done(libc.unshare(0x10000000 | 0x20000)) or "mounts and more"


@escape("io_uring")
def io_uring():
    return call(425, 8, ctypes.create_string_buffer(200))


@escape("the kernel's keys")
def keys():
    return call(250, 0, -3, 1)


@escape("a filter of its own for the kernel (bpf)")
def bpf():
    return heard(321, 0, ctypes.create_string_buffer(72), 72)


@escape("calls in the numbers of 32 bits (x32)")
def x32():
    return call(0x40000000 | 39)


# What survives.


@escape("no death with its keeper")
def no_death():
    return done(libc.prctl(1, 0, 0, 0, 0)) or "reversed"


def sleeper(**more: object) -> str:
    subprocess.Popen(["sleep", f"600.{PORT}"], **QUIET, **more)
    return "runs"


@escape("a child in a session of its own")
def child():
    return sleeper(start_new_session=True)


@escape("a child's child (fork twice)")
def grandchild():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execlp("sleep", "sleep", f"600.{PORT}")
        os._exit(0)
    return os.wait() and "runs"


@escape("a child by vfork")
def vforked():
    return done(os.posix_spawnp("sleep", ["sleep", f"600.{PORT}"], os.environ))


@escape("a child by clone3")
def cloned():
    words = (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17, 0, 0, 0)
    pid = call(435, words, ctypes.sizeof(words))
    if pid == 0:
        os.execlp("sleep", "sleep", f"600.{PORT}")
    return pid


@escape("100 children")
def children():
    for _ in range(100):
        sleeper()
    return "100 run"


@escape("300 threads")
def threads():
    go, begun = threading.Event(), 0
    threading.stack_size(65536)
    try:
        for _ in range(THREADS):
            threading.Thread(target=go.wait, daemon=True).start()
            begun += 1
        time.sleep(0.5)
    except RuntimeError:
        pass
    go.set()
    assert begun == THREADS, f"{begun} threads"
    return begun


def tried(name: str) -> str:
    try:
        return f"GOT {ESCAPES[name]()}"[:200]
    except BaseException as error:
        return f"no: {type(error).__name__} {error}"[:200]


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready"}), flush=True)
        if message["type"] == "turn":
            print(json.dumps({"action": tried(message["legal"][0])}), flush=True)


if __name__ == "__main__":
    DATA, PORT, WORKER = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    main()
