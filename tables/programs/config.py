"""The owner's file of bots: which classes and programs play here, and within which limits."""

from __future__ import annotations

import logging
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from engine.bots import register
from engine.bots.plugged import GROUP, Plugged, PluggedError
from tables.programs.process import Limits
from tables.programs.program import Program

log = logging.getLogger(__name__)

PROBLEMS: list[str] = []
"""What is wrong with the file, in words; `manage.py bot list` shows it."""
_NUMBERS = {
    "version": (0, 999_999_999, int),
    "seconds": (0.01, 10.0, float),
    "cpu_seconds": (1, 3600, int),
    "memory_mb": (16, 8192, int),
}


def register_all(path: Path, *, needed: bool) -> None:
    """Offer the bots of the file; what is wrong with one leaves the others as they are.

    A file that is not there is no problem unless it is `needed`.
    """
    PROBLEMS.clear()
    try:
        text = path.read_text(encoding="utf-8")
        bots = tomllib.loads(text).get("bots")
        if not isinstance(bots, dict):
            raise ValueError("it has no table [bots.NAME]")
    except FileNotFoundError:
        if needed:
            _problem(f"{path} is not there")
        return
    except (OSError, ValueError) as error:
        _problem(f"{path}: {error}")
        return
    for name, told in bots.items():
        try:
            register(name, read(name, told, path.parent))
        except (PluggedError, ValueError) as error:
            _problem(f"{path}: {name[:40]}: {error}")


def read(name: str, told: Any, folder: Path) -> Program | Plugged:
    """The bot that one table of the file describes; ValueError, in words, where it is none."""
    if not isinstance(told, dict) or ("python" in told) == ("command" in told):
        raise ValueError('say either python = "module:Class" or command = ["program", …]')
    if "python" in told:
        if set(told) != {"python"} or not isinstance(told["python"], str):
            raise ValueError('a class is python = "module:Class" and nothing else')
        if str(folder) not in sys.path:
            sys.path.append(str(folder))  # At the end: it hides nothing of ours.
        return Plugged(EntryPoint(name, told["python"], GROUP))
    if unknown := set(told) - {"command", "memory", *_NUMBERS}:
        raise ValueError(f"{sorted(unknown)[0]} is not known: choose {', '.join(_NUMBERS)}, memory")
    command = told["command"]
    if not isinstance(command, list) or not command or not all(_is_word(w) for w in command):
        raise ValueError('command is a list of texts, as in ["node", "counter.js"]')
    if not isinstance(told.get("memory", False), bool):
        raise ValueError("memory is true or false")
    numbers = {key: _number(key, told[key]) for key in _NUMBERS if key in told}
    if "version" not in numbers:
        raise ValueError("version is missing: a whole number that changes whenever its play may")
    version = int(numbers.pop("version"))
    limits = Limits(**numbers)  # type: ignore[arg-type]
    return Program(name, tuple(command), folder, version, limits, told.get("memory", False))


def _is_word(word: Any) -> bool:
    return isinstance(word, str) and bool(word) and "\0" not in word


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
