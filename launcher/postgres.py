"""The embedded PostgreSQL: a cluster in the data folder, served on a unix socket."""

import contextlib
import os
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from launcher import identity, network, roles, segment
from launcher.binaries import postgres_major, postgres_program
from launcher.children import spawn, starts, stop, tail, wait_until
from launcher.errors import LaunchError
from launcher.locations import POSTGRES_PORT, Locations, private_folder

NAME = roles.OWNER  # Of the database too.
START_SECONDS = 120  # Recovery after a power cut replays the log first.
PREVIOUS_STOP_SECONDS, ROLES_SECONDS = 15, 30
SETTINGS = (
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "timezone=UTC",
    "max_parallel_workers_per_gather=0",  # Containers give little shared memory.
    "log_lock_waits=on",  # Logs waits of more than a second.
    "log_min_error_statement=panic",  # Statements contain people's texts and cards.
    "log_error_verbosity=terse",  # Details of errors contain emails.
)
LOG_SECONDS = 50  # Between two pieces of the log that is kept, if there was any change.
# For tests: data need not survive a power cut, and statistics that are taken while a test's rows
# are not committed say that its tables are empty.
FAST_SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
)
ASKS_FOR_TLS = struct.pack("!ii", 8, 80877103)  # The shortest request that it answers.


class Postgres:
    """One server process for one data folder. The caller holds the folder's lock.

    With `keeps` its log goes to the folder of the backups (`moments`).
    """

    name = "PostgreSQL"
    last_words = signal.SIGINT  # A clean shutdown.

    def __init__(
        self,
        places: Locations,
        *,
        durable: bool = True,
        keeps: bool = False,
        seconds: float = START_SECONDS,
    ) -> None:
        self.places = places
        self.durable, self.keeps, self.seconds = durable, keeps, seconds
        self.log = places.logs / "postgres.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Create the cluster if it is missing, start the server and return when it is ready."""
        program = postgres_program("postgres")
        private_folder(self.places.sockets)
        private_folder(self.places.logs)
        identity_ = identity.choose(program)
        if not self.places.cluster.exists():
            make_cluster(self.places, identity_, log=self.log, durable=self.durable)
        check_version(self.places.cluster)
        _hand_over(self.places.cluster, identity_.owner)
        _end_previous_server(self.places)
        settings = SETTINGS + self._keeping() + (() if self.durable else FAST_SETTINGS)
        options = [part for setting in settings for part in ("-c", setting)]
        self.process = spawn(
            [program, "-D", self.places.cluster, "-k", self.places.sockets, *options],
            log=self.log,
            env=clean_environment(),
            cwd=self.places.cluster,
            death_signal=signal.SIGINT,  # Its "fast shutdown": clean and immediate.
            face=identity_.face,
        )
        pid = self.process.pid
        if not starts(
            self.process, lambda: is_ready(self.places.cluster, pid=pid), seconds=self.seconds
        ):
            self.stop()
            raise LaunchError(f"PostgreSQL does not start; {self.log} ends with: {tail(self.log)}")
        self._make_roles()

    def _make_roles(self) -> None:
        """Make the roles, which a cluster of an earlier release does not have.

        The settings are read again: only then the log is copied by the clock, for PostgreSQL's
        checkpointer has slept since before the database was ready, for five minutes.
        """
        asked = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--command={roles.made()}"]
        asked += ["--command=SELECT pg_reload_conf()"]
        whose = clean_environment() | {"PGHOST": str(self.places.sockets), "PGUSER": NAME}
        command: list[str | Path] = [postgres_program("psql"), "--dbname=postgres", *asked]
        try:
            done = subprocess.run(
                command,
                env=whose,
                capture_output=True,
                text=True,
                timeout=ROLES_SECONDS,
                check=False,
            )
            problem = done.stderr.strip() if done.returncode else ""
        except subprocess.TimeoutExpired:
            problem = f"no answer for {ROLES_SECONDS} s"
        if problem:
            self.stop()
            raise LaunchError(f"The database's roles cannot be made: {problem}")

    def _keeping(self) -> tuple[str, ...]:
        """Return the settings that keep the log; without them it gets a gap here, which is noted.

        Only the server and the commands about backups know for sure where it is to be kept.
        """
        if not self.keeps:
            self.places.unbroken.unlink(missing_ok=True)
            return ()
        keep = of_segment("keep", "%p", str(log_folder(self.places)), str(self.places.unbroken))
        return ("archive_mode=on", f"archive_timeout={LOG_SECONDS}", f"archive_command={keep}")

    def answers(self) -> bool:
        """Return whether this folder's server accepts connections.

        Another process may have started it.
        """
        if not is_ready(self.places.cluster):
            return False
        path = self.places.sockets / f".s.PGSQL.{POSTGRES_PORT}"
        return network.answer_of(path, ASKS_FOR_TLS, seconds=2) == b"N"

    def stop(self) -> None:
        """Stop cleanly: open transactions are rolled back, nothing committed is lost."""
        if self.process is not None:
            for pid in _processes_in(self.places.cluster):  # Who is stopped cannot end cleanly.
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGCONT)
            stop(self.process, (signal.SIGINT, 10), (signal.SIGQUIT, 5))
            self.process = None


def make_cluster(
    places: Locations, identity_: identity.Identity, *, log: Path, durable: bool = True
) -> None:
    """Create the cluster and its empty database under another name, then rename: all or nothing."""
    for unfinished in places.data.glob("postgres.new*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    # A unique name: a child of a killed predecessor may still write to its own folder.
    fresh = Path(tempfile.mkdtemp(prefix="postgres.new.", dir=places.data))
    if identity_.owner != os.geteuid():
        os.chown(fresh, identity_.owner, -1)
    program, postgres = postgres_program("initdb"), postgres_program("postgres")
    initdb: list[str | Path] = [
        program,
        f"--pgdata={fresh}",
        f"--username={NAME}",
        "--auth=trust",  # Only the owner can reach the socket's 0700 folder.
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",  # The same on every system and after its updates.
        "--builtin-locale=C.UTF-8",
        "--wal-segsize=1",  # A piece of the log that is kept every minute is filled up.
        "--no-instructions",
        "--no-sync",
    ]
    _run(initdb, identity_, log=log)
    create = f"CREATE DATABASE {NAME} OWNER {NAME};\n"
    single: list[str | Path] = [postgres, "--single", "-c", "fsync=off", "-D", fresh, "postgres"]
    _run(single, identity_, log=log, sql=create)
    if durable:  # One sync at the end is quicker than one per step.
        _run([program, "--sync-only", f"--pgdata={fresh}"], identity_, log=log)
    fresh.rename(places.cluster)


def log_folder(places: Locations) -> Path:
    """Return the folder for the log of the cluster, named by its system identifier."""
    control = (places.cluster / "global" / "pg_control").read_bytes()
    return places.backups / "moments" / str(struct.unpack_from("=Q", control)[0])


def of_segment(*words: str) -> str:
    """Return a command of `segment` for PostgreSQL, which puts names for %f and %p."""
    command = [sys.executable, "-I", str(Path(segment.__file__).resolve()), *words]
    return " ".join(
        word if word in ("%f", "%p") else shlex.quote(word).replace("%", "%%") for word in command
    )


def check_version(cluster: Path) -> None:
    """Raise LaunchError if another major version of PostgreSQL wrote the cluster."""
    written_by = (cluster / "PG_VERSION").read_text().strip() if cluster.is_dir() else "?"
    if written_by != str(postgres_major()):
        raise LaunchError(
            f"{cluster} was written by PostgreSQL {written_by} and this release brings "
            f"{postgres_major()}: go back to the release that wrote it, or move the folder away, "
            'start again and restore the newest backup (docs/hosting.md, "A new PostgreSQL").'
        )


def is_ready(cluster: Path, *, pid: int | None = None) -> bool:
    """Return whether the cluster's server reports that it is ready, if it is process `pid`."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except (OSError, ValueError):
        return False
    mine = pid is None or lines[:1] == [str(pid)]
    return mine and len(lines) > 7 and lines[7].strip() == "ready"


def clean_environment() -> dict[str, str]:
    """Return the environment without variables that point PostgreSQL's programs elsewhere."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_"))
    } | {"LC_ALL": "C", "PGPORT": str(POSTGRES_PORT)}


def _hand_over(cluster: Path, owner: int) -> None:
    """Give root's cluster to the user it runs as, which depends on user namespaces."""
    if os.geteuid() != 0 or cluster.stat().st_uid == owner:
        return
    for folder, _, names in os.walk(cluster):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, owner, -1, follow_symlinks=False)


def _end_previous_server(places: Locations) -> None:
    """Wait for a killed predecessor's processes, or end them, and remove its stale files."""
    for number in (None, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        left = _processes_in(places.cluster)
        if number is not None:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
        seconds = PREVIOUS_STOP_SECONDS if number is None else 5
        if not left or wait_until(lambda: not _processes_in(places.cluster), seconds=seconds):
            break
    if Path("/proc/self/cwd").exists():
        # These files are stale, and PostgreSQL would trust them if another program of this user
        # now has the process id in them.
        socket_file = places.sockets / f".s.PGSQL.{POSTGRES_PORT}"
        for stale in (places.cluster / "postmaster.pid", socket_file, Path(f"{socket_file}.lock")):
            stale.unlink(missing_ok=True)


def _processes_in(cluster: Path) -> list[int]:
    """Return the ids of the processes that run in this folder, as all of PostgreSQL's do."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.path.samefile(entry / "cwd", cluster):
                found.append(int(entry.name))
    return found


def _run(
    command: list[str | Path], identity_: identity.Identity, *, log: Path, sql: str = ""
) -> None:
    process = spawn(
        command, log=log, env=clean_environment(), cwd=Path("/"), face=identity_.face, stdin=sql
    )
    if process.wait() != 0:
        raise LaunchError(f"The database cannot be made; {log} ends with: {tail(log)}")
