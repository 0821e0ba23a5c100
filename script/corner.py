"""Guesses which tests see a changed file. Needs the standard library alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 10


def guessed(words: Iterable[str]) -> list[str]:
    """Return the words with each of our own files replaced by the tests that likely see it.

    Of Python those are the tests of its name and those that import it, else of whatever imports
    it; of other files those of its room. Tests in a browser are left out.
    """
    found: dict[str, None] = {}
    for word in words:
        path = (Path.cwd() / word).resolve()
        ours = path.is_file() and ROOT in path.parents and ROOT / "tests" not in path.parents
        for test in _of_file(path.relative_to(ROOT)) if ours else [word]:
            found[test] = None
    return list(found)


def _of_file(path: Path) -> list[str]:
    room = _room(path)
    if path.suffix != ".py":
        return [str(room.relative_to(ROOT))]
    tests = _naming(path, [ROOT / "tests"]) | {*room.rglob(f"test_{path.stem}*.py")}
    if not tests:
        for above in _naming(path, [ROOT / path.parts[0]]):
            tests |= _naming(above.relative_to(ROOT), [ROOT / "tests"])
    names = [str(test.relative_to(ROOT)) for test in tests or {room}]
    return sorted(sorted(names, key=lambda name: _distance(name, path))[:MOST])


def _distance(test: str, path: Path) -> tuple[bool, int]:
    """Return how far a test is from a file: the name first, then the folders they do not share."""
    shared = set(Path(test).parts) & set(path.parts)
    return path.stem not in Path(test).stem, -len(shared)


def _room(path: Path) -> Path:
    """Return the folder of tests that mirrors a file of the sources, or of their templates."""
    parts = path.parts[1:-1] if path.parts[0] in ("templates", "static") else path.parts[:-1]
    folders = [ROOT.joinpath("tests", *parts[:length]) for length in range(len(parts), -1, -1)]
    return next(folder for folder in folders if folder.is_dir())


def _naming(path: Path, folders: list[Path]) -> set[Path]:
    """Return the Python files of these folders that import the module at `path`."""
    package, _, name = ".".join(path.with_suffix("").parts).rpartition(".")
    whole = rf"(?:from|import) {re.escape(package)}\.{name}\b"
    part = rf"from {re.escape(package)} import (?:\([^)]*?|[^\n(]*?)\b{name}\b"
    imports = re.compile(f"{whole}|{part}")
    return {
        file
        for folder in folders
        for file in folder.rglob("*.py")
        if folder != ROOT / "tests" or (file.name[:5] == "test_" and "browser" not in file.parts)
        if imports.search(file.read_text(encoding="utf-8"))
    }
