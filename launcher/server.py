"""The main program of script/server, run once the requirements are installed."""

import os
import socket
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from launcher import alarms, edits, logs, moments, network, systemd, upgrade
from launcher.away import AwayPage
from launcher.children import tail
from launcher.errors import LaunchError
from launcher.lan import address as lan_address
from launcher.locations import Locations, locations, private_folder
from launcher.lock import DataLock, holder
from launcher.nightly import Nightly, save_at_stop
from launcher.output import tell
from launcher.postgres import Postgres
from launcher.prepare import UNHEARD
from launcher.programs import Part, parts, stop_parts, web_processes
from launcher.services import embedded_servers
from launcher.supervisor import Stopped, StopSignal, keep_running
from launcher.watchdog import Watchdog

WEB_SECONDS = 60
ONE_DISK = (
    "The backups stand on the same disk as the database. Give them a second place: "
    'TIENLEN_BACKUPS (docs/hosting.md, "Backups").'
)


def run(data: Path, *, port: int, lan: bool, demo: bool) -> int:
    """Run all programs until asked to stop; return the exit status."""
    places = locations(data)
    stop_signal = StopSignal()
    with stop_signal.installed():
        try:
            with ExitStack() as stack:
                _serve(places, port, lan, demo, stop_signal, stack)
        except Stopped:
            tell("Stopped.")
            return 0
        except LaunchError as error:
            print(error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 130
    return 0


def _serve(
    places: Locations, port: int, lan: bool, demo: bool, stop_signal: StopSignal, stack: ExitStack
) -> None:
    started = time.monotonic()
    host = "0.0.0.0" if lan else "127.0.0.1"
    os.environ |= {
        "TIENLEN_DATA": str(places.data),
        "TIENLEN_PORT": str(port),
        "TIENLEN_LAN": "1" if lan else "0",
        "PYTHONUNBUFFERED": "1",
    }
    _own(places, port, stack)
    line = systemd.handed_over() or network.listening(host, port)
    stack.callback(_leave, line, stop_signal)
    away = AwayPage(line)
    stack.callback(away.end)
    away.begin()
    web_count = web_processes()
    _try_outside_servers()
    upgrade.check_space(places)
    private_folder(places.logs)
    logs.put_aside(places)
    if not places.release.exists():
        tell("Making the database (once) ...")
    servers = embedded_servers(places, keeps=True)
    for server in servers:
        stack.callback(server.stop)
        server.start()
        stop_signal.pause(0)
    own_database = any(isinstance(server, Postgres) for server in servers)
    upgrade.refuse_newer_data(places)
    if own_database:
        upgrade.back_up_if_new_release(places)
    note = upgrade.prepare(places, demo=demo, stop_signal=stop_signal)
    if own_database:
        stack.callback(save_at_stop, places)
    web, *others = programs = parts(places, line, web=web_count)
    stack.callback(stop_parts, programs)
    web.start()
    _wait_for_web(web, stop_signal)  # Started alone: pages are served seconds sooner.
    away.end()
    stack.callback(away.begin)
    away.watch([part for part in programs if part.line])
    stack.callback(away.rest)
    for part in others:
        part.start()
    _greet(places, port, lan, demo, note, seconds=time.monotonic() - started)
    running = [*servers, *programs]
    looks = [logs.LogKeeper(places).look, systemd.LifeSigns().look, alarms.Teller(places).look]
    if edits.are_watched():
        looks.append(edits.Edits([part for part in programs if part.line]).look)
    systemd.notify("READY=1")
    if own_database:
        nightly = Nightly(places)
        stack.callback(nightly.stop)
        looks.append(nightly.look)
    keep_running(running, stop_signal, lambda: upgrade.has_room(places), Watchdog(running), looks)


def _own(places: Locations, port: int, stack: ExitStack) -> None:
    private_folder(places.data)
    lock = DataLock(places)
    if not lock.acquire(f"script/server on port {port}"):
        raise LaunchError(
            f"{holder(places)} already works on {places.data}: use that one, end it, "
            "or give this one a folder of its own with --data."
        )
    stack.callback(lock.release)


def _try_outside_servers() -> None:
    """Raise LaunchError if an outside database does not answer.

    Without Valkey it only warns: people can still enter results.
    """
    if problem := network.outside_problem("DATABASE_URL", 5432):
        raise LaunchError(f"{problem}: start the database, or correct the variable.")
    if problem := network.outside_problem("REDIS_URL", 6379):
        tell(f"{problem}: without Valkey no bot plays and no job runs.")


def _leave(line: socket.socket, stop_signal: StopSignal) -> None:
    """Close the listening socket, or hand it to the same server with the code that is there now."""
    if stop_signal.again:
        tell("Stopped to start again ...")
        systemd.start_again(line)
    line.close()


def _wait_for_web(web: Part, stop_signal: StopSignal) -> None:
    deadline = time.monotonic() + WEB_SECONDS
    while not web.answers():
        stop_signal.pause(0.05)
        ended = web.process is not None and web.process.poll() is not None
        if ended or time.monotonic() > deadline:
            raise LaunchError(
                f"The web server does not start; {web.log} ends with: {tail(web.log)}"
            )


def _greet(
    places: Locations, port: int, lan: bool, demo: bool, note: str, *, seconds: float
) -> None:
    lines = ["", f"Tiến Lên League is up, after {seconds:.1f} s:  http://localhost:{port}/"]
    if lan:
        if (address := lan_address()) is None:
            lines.append("This machine has no address in a network: connect it, then start again.")
        else:
            url = f"http://{address}:{port}/"
            lines += [f"Phones in this network open  {url}", network.qr_code(url)]
    if note:
        lines += ["", "Sign in as:" if demo else "The owner sets a password here, once:", note]
    if unheard := (places.data / UNHEARD).read_text("utf-8").strip():
        lines += ["", unheard]
    with suppress(OSError):  # No database of its own, or no backups yet.
        if moments.is_on_one_disk(places):
            lines += ["", ONE_DISK]
    lines += ["", f"Logs: {places.logs}   Ctrl-C stops everything."]
    tell("\n".join(lines))
