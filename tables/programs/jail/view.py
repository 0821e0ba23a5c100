"""A program's view of files: the system's programs and libraries, its folder, none of our data."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime", "/etc/ssl/openssl.cnf",
    # Not /dev/zero: its shared maps are memory that no limit counts.
    "/dev/null", "/dev/urandom", "/dev/random",
)  # fmt: skip
_MOST_LINKS = 40
_BESIDE_BIN = ("lib", "lib64", "pyvenv.cfg")


def program_at(name: str, folder: Path, path: str) -> str:
    """Return the path of a program; raise `OSError` if there is none."""
    if "/" in name:
        return str(folder / name)
    found = shutil.which(name, path=path)
    if found is None:
        raise FileNotFoundError(f"there is no program {name!r}")
    return found


def shown(program: str, folder: Path, read: Iterable[Path], hidden: Iterable[Path]) -> list[str]:
    """Return all paths the program sees; raise `OSError` if they would expose a `hidden` one."""
    wanted = [*SYSTEM, os.path.realpath(folder), *map(os.path.realpath, read)]
    links = [program]
    while os.path.islink(links[-1]) and len(links) < _MOST_LINKS:
        links.append(os.path.join(os.path.dirname(links[-1]), os.readlink(links[-1])))
    for address in map(os.path.abspath, links):
        above = os.path.dirname(os.path.dirname(address))
        wanted += [address, *(os.path.join(above, name) for name in _BESIDE_BIN)]
    seen = [path for path in dict.fromkeys(wanted) if os.path.exists(path)]
    for path in seen:
        for secret in map(os.path.realpath, hidden):
            if Path(secret).is_relative_to(os.path.realpath(path)):
                raise PermissionError(
                    f"it would see {path}, and there lies the data of this installation: "
                    "give the program a folder of its own"
                )
    return seen
