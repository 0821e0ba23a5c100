"""Paths of one installation, derived from its data folder; TIENLEN_BACKUPS moves its backups."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from launcher.errors import LaunchError

ROOT = Path(__file__).resolve().parent.parent
POSTGRES_PORT = 5432  # Part of the socket's file name only: nothing listens on TCP.
SOCKET_PATH_LIMIT = 107  # sun_path of unix(7) holds 108 bytes with the closing zero.
PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")  # Needs no quoting in libpq, PostgreSQL or a redis URL.


@dataclass(frozen=True)
class Locations:
    """The paths of one data folder; `sockets` is in /tmp if its path is too long or not plain."""

    data: Path

    @property
    def cluster(self) -> Path:
        return self.data / "postgres"

    @property
    def sockets(self) -> Path:
        own = self.data / "run"
        longest = os.fsencode(own / f".s.PGSQL.{POSTGRES_PORT}")
        if len(longest) <= SOCKET_PATH_LIMIT and PLAIN.fullmatch(str(own)):
            return own
        name = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]
        # Not TMPDIR, which may differ: all processes of an installation must find the same path.
        return Path("/tmp") / f"tienlen-{os.getuid()}-{name}"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def logs(self) -> Path:
        return self.data / "log"

    @property
    def backups(self) -> Path:
        chosen = os.environ.get("TIENLEN_BACKUPS", "").strip()
        return Path(os.path.abspath(chosen)) if chosen else self.data / "backups"

    @property
    def unbroken(self) -> Path:
        """The note that the log kept beside the backups has no gap since its newest base."""
        return self.data / "unbroken"

    @property
    def lock(self) -> Path:
        return self.data / "lock"

    @property
    def pulse(self) -> Path:
        return self.data / "pulse"

    @property
    def guests(self) -> Path:
        return self.data / "guests"

    @property
    def secret_key(self) -> Path:
        return self.data / "secret-key"

    @property
    def release(self) -> Path:
        return self.data / "release"


def locations(data_dir: str | os.PathLike[str]) -> Locations:
    """Return the paths of a data folder; nothing is created."""
    return Locations(Path(os.path.realpath(data_dir)))


def default_data_dir() -> Path:
    """Return `TIENLEN_DATA` of the environment, else `var/` in the checkout."""
    return Path(os.environ.get("TIENLEN_DATA") or ROOT / "var")


def private_folder(path: Path) -> Path:
    """Create a folder that only its owner may enter, and return it.

    Raises LaunchError if the path is a link or belongs to someone else, as a trap in /tmp would.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise LaunchError(
            f"The folder {path} cannot be made ({error.strerror}): "
            "choose another place with --data or TIENLEN_DATA."
        ) from error
    if not stat.S_ISDIR(found.st_mode):
        raise LaunchError(f"{path} is not a folder: move it away and start again.")
    if found.st_uid != os.geteuid():
        raise LaunchError(
            f"The folder {path} belongs to {user_name(found.st_uid)}: run this as that user, "
            "or choose another folder with --data or TIENLEN_DATA."
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o700)
    return path


def user_name(uid: int) -> str:
    """Return the name of a user, or `user 1234` if the system has none."""
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
