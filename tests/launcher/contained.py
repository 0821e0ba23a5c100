"""`python contained.py USERS COMMAND...`: run as root of a namespace that allows no further ones.

So a container looks to us: root is root, but may not make user namespaces. USERS is how many user
ids it has: with 1 there is nobody else to become. `65536-bare` is one that gave root's right to
change what capabilities mean away.
"""

import ctypes
import os
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_CAPBSET_DROP, CAP_SETPCAP = 24, 8


def main(users: str, *command: str) -> int:
    entered, mapped = os.pipe(), os.pipe()
    users, _, bare = users.partition("-")
    child = os.fork()
    if child == 0:
        assert ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0
        os.write(entered[1], b"x")
        os.read(mapped[0], 1)
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
        if bare:
            assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SETPCAP, 0, 0, 0) == 0
        os.execvp(command[0], command)
    os.read(entered[0], 1)
    for kind in ("uid_map", "gid_map"):
        Path(f"/proc/{child}/{kind}").write_text(f"0 0 {users}")
    os.write(mapped[1], b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
