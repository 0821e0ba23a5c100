"""``tien-len push``: send a bot to a club, wait for its check, play a test match, show the ladder.

It needs nothing but the HTTP API of the server (docs/api.md).
"""

import argparse
import base64
import io
import json
import os
import time
import urllib.error
import urllib.request
import zipfile
from http.client import HTTPException
from pathlib import Path
from typing import Any

from .rules.errors import EngineError

_SECONDS = 30  # for one answer of the server


def add_push(push: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    push.add_argument("bot", type=Path, metavar="FILE", help="bot.py, a folder or a ZIP file")
    push.add_argument("--name", required=True, help="of the bot; a version is added to it")
    push.add_argument("--entry-point", default="", metavar="MODULE:CLASS", help="if not bot:Bot")
    push.add_argument(
        "--club",
        default=os.environ.get("CLUB", ""),
        metavar="ADDRESS",
        help="https://SERVER/api/v1/clubs/CLUB, else $CLUB; a token is read from $TOKEN",
    )
    push.add_argument("--wait", type=float, default=1800, metavar="SECONDS", help="at most")


def run(arguments: argparse.Namespace) -> int:
    """Send the bot and print what comes of it; return 1 if it fails its check or its match."""
    club = _Club(arguments.club, os.environ.get("TOKEN", ""), arguments.wait)
    body = base64.b64encode(packed(arguments.bot)).decode()
    sent = {"name": arguments.name, "zip": body, "entry_point": arguments.entry_point}
    bot = club.ask("bots/", sent)
    name = bot["name"]
    print(f"{name}: sent, being checked ...", flush=True)
    bot = club.wait_for(f"bots/{name}/", lambda found: found["state"] != "waiting")
    if bot["state"] != "sound":
        print(f"{name}: {bot['state']}\n{bot['report']}".rstrip())
        return 1
    print(f"{name}: may play; a test match begins ...", flush=True)
    club.ask(f"bots/{name}/tests/", {})
    test = club.wait_for(f"bots/{name}/tests/", lambda found: found[0]["is_over"])[0]
    beaten = "-" if test["beaten"] is None else f"{test['beaten']:.0f}%"
    print(f"{name}: {test['games']} games against {test['opponent']}, {beaten} of opponents beaten")
    for fault in test["faults"]:
        print(json.dumps(fault, ensure_ascii=False))
    _print_ladder(club.ask("ladder/"), arguments.name)
    return 1 if test["faults"] else 0


def packed(path: Path) -> bytes:
    """Return a bot as a ZIP file: a file alone, or all files of a folder but hidden ones."""
    if path.suffix == ".zip":
        return path.read_bytes()
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    base, made = path if path.is_dir() else path.parent, io.BytesIO()
    # Images and stores of packages date their files 1970.
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for file in files:
            inside = file.relative_to(base)
            if not any(part.startswith((".", "__pycache__")) for part in inside.parts):
                archive.write(file, inside)
    return made.getvalue()


def _print_ladder(ladder: dict[str, Any], base: str) -> None:
    if not ladder["rows"]:
        print("The club has no ladder yet.")
        return
    print(f"The ladder of {ladder['ruleset']}:")
    for place, row in enumerate(ladder["rows"], start=1):
        rating = "-" if row["rating"] is None else f"{row['rating']:.0f}"
        mine = "<" if row["bot"].rpartition("-")[0] == base else ""
        print(f"{place:>3} {row['bot']:<30} {rating:>6} {row['games']:>8} games {mine}".rstrip())


class _Club:
    """A club's part of the API, with the token that opens it."""

    def __init__(self, address: str, token: str, wait: float) -> None:
        if not address.startswith(("http://", "https://")):
            raise EngineError("give --club https://SERVER/api/v1/clubs/CLUB, or $CLUB")
        if not token:
            raise EngineError("put a token with the scope arena, from /api/tokens/, into $TOKEN")
        self._address, self._token = address.rstrip("/") + "/", token
        self._until = time.monotonic() + wait

    def ask(self, path: str, body: object = None) -> Any:
        """Return the JSON of the answer; raises EngineError with the server's reason."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            request = urllib.request.Request(self._address + path, data=data, headers=headers)
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise EngineError(_reason(error)) from None
        except (OSError, ValueError, HTTPException) as error:
            raise EngineError(f"{self._address}{path}: {error}") from None

    def wait_for(self, path: str, is_done: Any) -> Any:
        """Ask again until it is done; raises EngineError once the time is up."""
        pause = 0.2
        while not is_done(found := self.ask(path)):
            if time.monotonic() > self._until:
                raise EngineError("this takes too long: look at the bot's page later")
            time.sleep(pause)
            pause = min(2 * pause, 5.0)
        return found


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        problem = json.load(error)
        details = [each["detail"] for each in problem.get("errors", [])]
        return f"{error.code}: {' '.join(details) or problem.get('detail') or problem['title']}"
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{error.code}: {error.reason}"
