"""Seccomp: the system calls that a program may not make.

It is a deny list, since runtimes need many different calls. Everything not listed is held by
Landlock or namespaces, resource limits and missing rights. The list has every call that could
create a process, a socket with an address or memory that no limit counts, or change a file.
"""

import ctypes
import errno
import struct

from tables.programs.jail.calls import PR_SET_SECCOMP, PR_SET_THP_DISABLE, machine, prctl

# By x86_64 and aarch64; None if that machine has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # Sockets with an address.
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242),
    # Other processes.
    "fork": (57, None), "vfork": (58, None), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "setpriority": (141, 140),
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # Memory that no limit counts or that outlives its process: pages held by pipes, descriptors in
    # flight through sockets, larger buffers, rules of further jails.
    "vmsplice": (278, 75), "splice": (275, 76), "tee": (276, 77), "sendfile": (40, 71),
    "sendmsg": (46, 211), "sendmmsg": (307, 269), "setsockopt": (54, 208),
    "landlock_create_ruleset": (444, 444), "seccomp": (317, 277),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "semctl": (66, 191),
    "mq_open": (240, 180), "mq_unlink": (241, 181),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "io_setup": (206, 0),
    # The kernel's machinery.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "fanotify_init": (300, 262), "inotify_init": (253, None), "inotify_init1": (294, 26),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "swapon": (167, 224),
    "swapoff": (168, 225), "reboot": (169, 142), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "acct": (163, 89), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "syslog": (103, 116), "iopl": (172, None), "ioperm": (173, None),
    "modify_ldt": (154, None), "personality": (135, 92), "vhangup": (153, 58),
    "sync": (162, 81), "syncfs": (306, 267),
    # Files: their names, lengths, attributes and locks. Landlock does not cover attributes.
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "lchown": (94, None), "fchown": (93, 55), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469),
    "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None), "unlink": (87, None),
    "unlinkat": (263, 35), "rename": (82, None), "renameat": (264, 38),
    "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37), "symlink": (88, None),
    "symlinkat": (266, 36), "mknod": (133, None), "mknodat": (259, 33), "creat": (85, None),
    "truncate": (76, 45), "ftruncate": (77, 46), "flock": (73, 32),
}  # fmt: skip
_UNKNOWN = {"clone3": (435, 435), "openat2": (437, 437)}
"""Calls with arguments in memory that no filter can read; the C library falls back to older."""

_ARCHITECTURE = (0xC000003E, 0xC00000B7)
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x50000
_EPERM, _ENOSYS, _ENOMEM, _ENOTTY = (
    _REFUSE | number for number in (errno.EPERM, errno.ENOSYS, errno.ENOMEM, errno.ENOTTY)
)
_LOAD, _EQUAL, _AT_LEAST, _HAS_BITS, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_X32 = 0x40000000
_THREAD, _NAMESPACES = 0x10000, 0x7E020080
_SHARED_ANONYMOUS = 0x21
_GROWS_DOWN_OR_HUGE = 0x40100
_MADV_HUGEPAGE = 14
_TRUNCATE = 0o1000
_UNIX_STREAM = 1
_PR_SET_PDEATHSIG = 1
_SIGNAL_OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: any signal to any process.
_LEASES = (1024, 1026)  # F_SETLEASE, F_NOTIFY: others who open the file wait.
_LOCKS = (6, 7, 37, 38)  # F_SETLK and its like: each locked byte is memory of the kernel.
_F_SETPIPE_SZ = 1031
_IOCTLS = (
    0x541B, 0x5421, 0x5450, 0x5451,  # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    0x5401, 0x802C542A, 0x5413,  # TCGETS, TCGETS2, TIOCGWINSZ: whether it is a terminal.
)  # fmt: skip
_FILTER = 2

_Step = tuple[int, int, int, int]


def restrict(own: int, *, alone: bool, landlock_abi: int) -> None:
    """Apply the filter to this process, whose ID is `own`, and to its threads.

    With `alone` a PID namespace hides all other processes.
    """
    steps = _program(own, alone, landlock_abi)
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(buffer))
    prctl(PR_SET_SECCOMP, _FILTER, ctypes.create_string_buffer(program, len(program)))


def _program(own: int, alone: bool, landlock_abi: int) -> list[_Step]:
    here = machine()
    steps: list[_Step] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURE[here]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
    ]

    def when(numbers: tuple[int | None, int | None], *then: _Step) -> None:
        number = numbers[here]
        if number is not None:
            steps.extend([(_EQUAL, 0, len(then), number), *then])

    for numbers in _DENIED.values():
        when(numbers, _returns(_EPERM))
    for numbers in _UNKNOWN.values():
        when(numbers, _returns(_ENOSYS))
    # Only new threads of the process may be created.
    when((56, 220), _argument(0), (_HAS_BITS, 0, 1, _NAMESPACES), _returns(_EPERM),
         (_HAS_BITS, 1, 0, _THREAD), _returns(_EPERM), _returns(_ALLOW))  # fmt: skip
    when((9, 222), _argument(3), (_HAS_BITS, 0, 1, _GROWS_DOWN_OR_HUGE), _returns(_ENOMEM),
         (_AND, 0, 0, _SHARED_ANONYMOUS),
         (_EQUAL, 0, 1, _SHARED_ANONYMOUS), _returns(_ENOMEM), _returns(_ALLOW))  # fmt: skip
    when((28, 233), _argument(2), *_all_but(_MADV_HUGEPAGE))
    # A datagram socket of a pair can send to any address; a stream socket cannot.
    when((53, 199), _argument(1), (_AND, 0, 0, 0xF), *_only(_UNIX_STREAM))
    when((302, 261), _argument(0), *_only(0, own))  # prlimit64
    when((157, 167), _argument(0), *_all_but(_PR_SET_PDEATHSIG, PR_SET_SECCOMP,
                                                  PR_SET_THP_DISABLE))  # fmt: skip
    when((72, 25), _argument(1), *_all_but(*_SIGNAL_OWNERS, *_LEASES, *_LOCKS, _F_SETPIPE_SZ))
    when((16, 29), _argument(1), *_only(*_IOCTLS, otherwise=_ENOTTY))
    if not alone:
        for numbers in ((62, 129), (234, 131), (200, 130)):  # kill, tgkill, tkill
            when(numbers, _argument(0), *_only(own))
    if landlock_abi < 3:
        for numbers, place in (((2, None), 1), ((257, 56), 2)):  # open, openat
            when(numbers, _argument(place), (_HAS_BITS, 0, 1, _TRUNCATE), _returns(_EPERM),
                 _returns(_ALLOW))  # fmt: skip
    return [*steps, _returns(_ALLOW)]


def _argument(place: int) -> _Step:
    return _LOAD, 0, 0, 16 + 8 * place


def _returns(what: int) -> _Step:
    return _RETURN, 0, 0, what


def _only(*values: int, otherwise: int = _EPERM) -> list[_Step]:
    each = [step for value in values for step in ((_EQUAL, 0, 1, value), _returns(_ALLOW))]
    return [*each, _returns(otherwise)]


def _all_but(*values: int) -> list[_Step]:
    each = [step for value in values for step in ((_EQUAL, 0, 1, value), _returns(_EPERM))]
    return [*each, _returns(_ALLOW)]
