"""The administrator's file of bots: the classes and programs that play here, and their limits."""

import logging
import sys
import sysconfig
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from engine import bots as engine_bots
from engine.bots import LADDER, register
from engine.bots.plugins import GROUP, Plugged, PluggedError, installed
from tables.programs import hosted
from tables.programs.process import Limits
from tables.programs.program import Program

log = logging.getLogger(__name__)

PROBLEMS: list[str] = []
"""Problems of the file as texts, shown by `manage.py bot list`."""
_registered: list[str] = []
_NUMBERS = {
    "version": (0, 999_999_999, int),
    "seconds": (0.01, 10.0, float),
    "cpu_seconds": (1, 3600, int),
    "memory_mb": (16, 8192, int),
}
_KEYS = ("folder", "read", "trusted", "memory", *_NUMBERS)
_EITHER = 'say either python = "module:Class" or command = ["program", …]'
_TRUST = (
    "say trusted = true if you vouch for whoever wrote it, since it then runs with all rights of "
    "the product; or say its version, and it is shut in and plays in tournaments"
)


def register_all(path: Path, *, needed: bool) -> None:
    """Register the bots of the file; a faulty entry does not affect the others.

    A missing file is a problem only if `needed`. Classes of installed packages are registered if
    the file names them.
    """
    global _seen
    _seen = path, needed, _changed_at(path)
    PROBLEMS.clear()
    _registered.clear()
    entries = _entries(path, needed=needed)
    packaged = {name: bot for name, bot in installed().items() if name not in LADDER}
    for name in packaged:
        engine_bots.BOTS.pop(name, None)  # Its code would run with all our rights.
    for name, table in entries.items():
        try:
            register(name, read(name, table, path.parent, packaged.pop(name, None)))
            _registered.append(name)
        except (PluggedError, ValueError, OSError) as error:
            _problem(f"{path}: {name[:40]}: {error}")
    for name in packaged:
        _problem(f"{name}, of an installed package, is not offered. {path}: {name}: {_TRUST}")


_seen: tuple[Path, bool, int] | None = None


def refresh() -> None:
    """Read the file again if it has changed: new and changed bots play, others are gone."""
    if _seen is None or _changed_at(_seen[0]) == _seen[2]:
        return
    for name in _registered:
        engine_bots.BOTS.pop(name, None)
    register_all(_seen[0], needed=_seen[1])


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _entries(path: Path, *, needed: bool) -> dict[str, Any]:
    try:
        bots = tomllib.loads(path.read_text(encoding="utf-8")).get("bots")
        if not isinstance(bots, dict):
            raise ValueError("it has no table [bots.NAME]")
    except FileNotFoundError:
        if needed:
            _problem(f"{path} is not there")
        return {}
    except (OSError, ValueError) as error:
        _problem(f"{path}: {error}")
        return {}
    return bots


def read(name: str, entry: Any, folder: Path, packaged: Plugged | None = None) -> Program | Plugged:
    """Return the bot that one TOML table describes; raise `ValueError` with a readable message.

    `packaged` is the class that an installed package offers under this name.
    """
    if not isinstance(entry, dict):
        raise ValueError(_EITHER)
    if packaged is not None and not {"python", "command"} & set(entry):
        entry = entry | {"python": packaged.entry.value}
    if ("python" in entry) == ("command" in entry):
        raise ValueError(_EITHER)
    if unknown := set(entry) - {"python", "command", *_KEYS}:
        raise ValueError(f"{sorted(unknown)[0]} is not known: choose {', '.join(_KEYS)}")
    trusted = _flag("trusted", entry)
    if "command" in entry:
        command = _texts("command", entry["command"], '["node", "counter.js"]')
        if not command:
            raise ValueError("command is an empty list of texts")
        return _program(name, command, entry, folder)
    if not isinstance(entry["python"], str):
        raise ValueError('a class is python = "module:Class"')
    if not trusted:
        return _hosted(name, entry, folder, packaged)
    if set(entry) != {"python", "trusted"}:
        raise ValueError('a trusted class is python = "module:Class" and nothing else')
    if str(folder) not in sys.path:
        sys.path.append(str(folder))  # At the end, so that it shadows no module of ours.
    return Plugged(EntryPoint(name, entry["python"], GROUP))


def _program(name: str, command: Sequence[str], entry: dict[str, Any], folder: Path) -> Program:
    numbers = {key: _number(key, entry[key]) for key in _NUMBERS if key in entry}
    if "version" not in numbers:
        raise ValueError("version is missing: a whole number that changes whenever its play may")
    version = int(numbers.pop("version"))
    own, *seen = [
        folder / path
        for path in (
            *_texts("folder", [entry.get("folder", ".")], '"mine"'),
            *_texts("read", entry.get("read", []), '["/opt/jdk"]'),
        )
    ]
    for path in (own, *seen):
        if not path.exists():
            raise ValueError(f"{path} is not there")
    return Program(
        name,
        tuple(command),
        own,
        version,
        Limits(**numbers),  # type: ignore[arg-type]
        memory=_flag("memory", entry),
        trusted=_flag("trusted", entry),
        read=tuple(seen),
    )


def _hosted(name: str, entry: dict[str, Any], folder: Path, packaged: Plugged | None) -> Program:
    """Return an untrusted class as a program, since it plays in the jail."""
    if "version" not in entry:
        raise ValueError(_TRUST)
    packages = [] if packaged is None else [Path(sysconfig.get_path("purelib"))]
    made = _program(name, ("python",), entry, folder)
    return replace(
        made,
        command=hosted.command(entry["python"], [made.folder, *made.read, *packages]),
        read=(*made.read, *packages, *hosted.READ),
        question=hosted.question,
    )


def _flag(key: str, entry: dict[str, Any]) -> bool:
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{key} is true or false")
    return value


def _texts(key: str, value: Any, example: str) -> list[str]:
    if not isinstance(value, list) or not all(
        isinstance(word, str) and word and "\0" not in word for word in value
    ):
        raise ValueError(f"{key} is a list of texts, as in {example}")
    return value


def _number(key: str, value: Any) -> float:
    least, most, kind = _NUMBERS[key]
    whole = kind is int and not isinstance(value, int)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or whole:
        raise ValueError(f"{key} must be a {'whole ' if kind is int else ''}number")
    if not least <= value <= most:
        raise ValueError(f"{key} must be between {least} and {most}")
    return value


def _problem(text: str) -> None:
    PROBLEMS.append(text)
    log.error("Bots: %s", text)
