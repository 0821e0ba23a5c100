"""The servers for `manage.py` commands that need them."""

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from launcher.binaries import postgres_program
from launcher.errors import LaunchError
from launcher.locations import default_data_dir
from launcher.services import services

# All other commands read or write the database.
WITHOUT_SERVERS = {
    "check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "help",
    "makemessages", "seating", "startapp", "startproject", "tell_alarm", "test",
    "version",
}  # fmt: skip


def needs_servers(argv: Sequence[str]) -> bool:
    """Return whether `manage.py` with these arguments (its own name first) needs a database."""
    if len(argv) < 2 or argv[1].startswith("-") or {"-h", "--help"} & set(argv):
        return False
    if argv[1:3] == ["bot", "list"]:
        return False
    return argv[1] not in WITHOUT_SERVERS or "--database" in argv


@contextmanager
def services_for_command(argv: Sequence[str]) -> Iterator[None]:
    """Attach `manage.py` to the running servers, or run its own, if the command needs any.

    Ends the process with one sentence if they are not available.
    """
    if not needs_servers(argv):
        yield
        return
    if argv[1] == "dbshell" and not os.environ.get("DATABASE_URL"):
        folder = str(postgres_program("psql").parent)
        os.environ["PATH"] = os.pathsep.join([folder, os.environ.get("PATH", "")])
    with ExitStack() as stack:
        try:
            what = shlex.join(["manage.py", *argv[1:2]])
            stack.enter_context(services(default_data_dir(), what=what))
        except LaunchError as error:
            raise SystemExit(str(error)) from None
        yield
