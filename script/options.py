"""The options of script/server, understood before anything is installed."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return port, data (an absolute Path), demo, lan, again; wrong options end the process."""
    parser = argparse.ArgumentParser(
        prog="script/server",
        description="Starts the database, the web server and the workers. Ctrl-C stops them all.",
        epilog="DATABASE_URL and REDIS_URL in the environment replace the embedded servers. "
        "More in docs/hosting.md.",
    )
    parser.add_argument(
        "--port", type=_port, default=8000, help="where the web server listens (default 8000)"
    )
    parser.add_argument(
        "--data",
        type=_folder,
        default=os.environ.get("TIENLEN_DATA") or str(ROOT / "var"),
        metavar="DIR",
        help="folder of the database, logs and backups (default: TIENLEN_DATA, else var/)",
    )
    parser.add_argument(
        "--no-demo",
        dest="demo",
        action="store_false",
        help="start empty, with a one-time link for the owner's account",
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help="let phones in the same network in; prints the address and a QR code",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="let the server that runs start again, as for a newer release: nobody is refused",
    )
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = 0
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 1 to 65535")
    return port


def _folder(text: str) -> Path:
    path = Path(os.path.abspath(os.path.expanduser(text)))
    if path.exists() and not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is a file: give a folder, or one still to make")
    return path
