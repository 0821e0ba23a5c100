"""Which processes use the compiled core, and where its machine code is kept.

A process says so with `use`; others never import numba. Machine code is made once for each version
of the kernels, of Python and of numba and for each kind of processor, into a folder of its own, by
one process in the background; until it is there, `current` is None and the readable engine plays.
Whatever goes wrong, it goes on playing.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

from engine.core.compiled import MODULES, Core, compiled
from engine.rules.errors import EngineError

_ROOT = Path(__file__).resolve().parents[2]
_READY = "ready"
_log = logging.getLogger(__name__)


def usual_folder() -> Path:
    """Return where machine code is kept unless `use` says otherwise: in the data folder."""
    return Path(os.environ.get("TIENLEN_DATA") or _ROOT / "var") / "core"


def missing() -> str:
    """Return why there can be no core in this process at all, or nothing."""
    if os.environ.get("TIENLEN_CORE") == "python":
        return "TIENLEN_CORE is python"
    try:
        _versions()
    except metadata.PackageNotFoundError as error:
        return f"{error.name} is not installed"
    return ""


class CoreError(EngineError):
    """There is no compiled core, and why."""


class Store:
    """The machine code of one folder, as one process uses it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._core: Core | None = None
        self._given_up = False
        self._builder: subprocess.Popen[bytes] | None = None

    @property
    def place(self) -> Path:
        """The folder of this version of everything."""
        return self._folder / _version()

    def is_ready(self) -> bool:
        """Tell whether the machine code is there."""
        return (self.place / _READY).exists()

    def current(self) -> Core | None:
        """Return the core, or None where it is not there yet: then it is being made."""
        if self._core is None and not self._given_up:
            try:
                if self.is_ready():
                    self._core = self._load()
                else:
                    self._build_in_background()
            except Exception as error:
                self._give_up(error)
        return self._core

    def _load(self) -> Core:
        try:
            return compiled(self.place)
        except Exception:
            # What cannot be read is made anew by the next process that wants it.
            shutil.rmtree(self.place, ignore_errors=True)
            raise

    def build(self) -> bool:
        """Compile, unless another process is at it; tell whether the machine code is there.

        Raises CoreError where that goes wrong.
        """
        try:
            return self._build()
        except Exception as error:
            told = str(error).splitlines() or [type(error).__name__]
            raise CoreError(
                f"the core cannot be compiled into {self._folder}: {told[0]}"
            ) from error

    def _build(self) -> bool:
        self._folder.mkdir(parents=True, exist_ok=True)
        with _alone(self._folder / "lock") as alone:
            if alone and not self.is_ready():
                try:
                    self.place.mkdir(exist_ok=True)
                    compiled(self.place)
                    (self.place / _READY).touch()
                except BaseException:
                    shutil.rmtree(self.place, ignore_errors=True)
                    raise
                self._remove_older()
        return self.is_ready()

    def _build_in_background(self) -> None:
        if self._builder is None:
            self._builder = subprocess.Popen(
                [sys.executable, "-m", "engine", "core", "--folder", str(self._folder)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                cwd=_ROOT,
            )  # fmt: skip
        elif self._builder.poll():
            assert self._builder.stderr is not None
            told = self._builder.stderr.read().decode(errors="replace").splitlines()
            self._give_up(told[-1] if told else "the compiler stopped")

    def _give_up(self, reason: object) -> None:
        self._given_up = True
        _log.warning("The engine plays without its compiled core: %s", reason)

    def _remove_older(self) -> None:
        for other in self._folder.iterdir():
            if other.is_dir() and other != self.place:
                shutil.rmtree(other, ignore_errors=True)


_used: list[Store] = []


def use(folder: Path | None = None) -> None:
    """Let this process play on the core as soon as it is there."""
    if not missing():
        _used[:] = [Store(folder or usual_folder())]


def current() -> Core | None:
    """Return the core where this process uses one and it is there."""
    return _used[0].current() if _used else None


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Hold a lock while the block runs; gives whether no other process has it."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


@cache
def _version() -> str:
    """Return a name for all that machine code depends on."""
    told = [sys.version, platform.machine(), *_versions(), *_processor()]
    for module in MODULES:
        path = Path(str(module.__file__))
        # numba looks at the time itself, and would compile anew.
        told += [path.read_text(encoding="utf-8"), str(path.stat().st_mtime_ns), str(path)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def _versions() -> list[str]:
    return [metadata.version(name) for name in ("numba", "numpy", "llvmlite")]


def _processor() -> list[str]:
    """Return what the system says of the first processor's kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    except OSError:
        return [platform.processor()]
    return [line for line in lines if line.startswith(("model name", "flags", "Features", "CPU "))]
