"""The mark of this release: an opaque hash of its files, the same on every machine."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from launcher.locations import ROOT

HEADER = "Tien-Len-Release"
"""The header that carries the mark: on every answer, and on every request of a page's scripts."""
FOLDERS = (
    "accounts", "config", "engine", "launcher", "league", "locale", "static", "tables", "templates",
)  # fmt: skip
MADE = (".*", "*~", "*.mo", "*.egg-info", "__pycache__", "build")
"""Names of what tools and editors leave beside the sources, on one machine and not on another."""


@cache
def mark() -> str:
    """Return the mark; the first call reads every file, in a tenth of a second."""
    digest = hashlib.sha256()
    for path in _files():
        content = Path(ROOT, path).read_bytes()
        digest.update(f"{path} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _files() -> Iterator[str]:
    """Yield the paths of the files in order, without what is made from them."""
    yield "requirements/runtime.txt"
    for top in FOLDERS:
        for folder, inner, names in os.walk(ROOT / top):
            inner[:] = _sources(inner)
            place = Path(folder).relative_to(ROOT).as_posix()
            yield from (f"{place}/{name}" for name in _sources(names))


def _sources(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if not any(fnmatch(name, made) for made in MADE))
