"""The compiled core of this process, and the folder that holds its machine code.

A process of the product opts in with `use`; others never import numba. The installed package uses
the core wherever numba is. Machine code is compiled once for each
version of the kernels, of Python and of numba and for each kind of processor, into its own folder,
by one process in the background. Until then, and after any error, `current` is None and the
readable engine plays.
"""

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

from ..rules.errors import EngineError
from .compiled import MODULES, Core, compiled

_ROOT = Path(__file__).absolute().parents[2]
_PACKAGE = __name__.partition(".")[0]
_IS_INSTALLED = _PACKAGE != "engine"  # The distribution's name: the product imports the folder's.
_READY = "ready"
_log = logging.getLogger(__name__)


def usual_folder() -> Path:
    """Return the default folder of the machine code: the product's, or the user's for packages."""
    if _IS_INSTALLED:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return cache / "tien-len" / "core"
    return Path(os.environ.get("TIENLEN_DATA") or _ROOT / "var") / "core"


def missing() -> str:
    """Return why this process cannot have a core, or an empty text."""
    if os.environ.get("TIENLEN_CORE") == "python":
        return "TIENLEN_CORE is python"
    try:
        _versions()
    except metadata.PackageNotFoundError as error:
        return f"{error.name} is not installed"
    return ""


class CoreError(EngineError):
    """The core could not be compiled; the text says why."""


class Store:
    """The machine code of one folder, as one process uses it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._core: Core | None = None
        self._given_up = False
        self._builder: subprocess.Popen[bytes] | None = None

    @property
    def place(self) -> Path:
        """The folder of the current versions and processor."""
        return self._folder / _version()

    def is_ready(self) -> bool:
        return (self.place / _READY).exists()

    def current(self) -> Core | None:
        """Return the core, or None while it is being compiled or after an error.

        The first call without machine code starts a compiler in the background.
        """
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
            # The next process that wants the unreadable code compiles it again.
            shutil.rmtree(self.place, ignore_errors=True)
            raise

    def build(self, *, wait: bool = False) -> bool:
        """Compile, unless another process does; return whether the machine code is ready.

        With `wait` it is: this process waits for the other.

        Raises CoreError if compiling fails.
        """
        try:
            return self._build(wait)
        except Exception as error:
            lines = str(error).splitlines() or [type(error).__name__]
            raise CoreError(
                f"the core cannot be compiled into {self._folder}: {lines[0]}"
            ) from error

    def _build(self, wait: bool) -> bool:
        self._folder.mkdir(parents=True, exist_ok=True)
        with _alone(self._folder / "lock", wait) as alone:
            if alone and not self.is_ready():
                try:
                    self.place.mkdir(exist_ok=True)
                    compiled(self.place)
                    (self.place / _READY).touch()
                except BaseException:
                    shutil.rmtree(self.place, ignore_errors=True)
                    raise
                for other in self._folder.iterdir():
                    if other.is_dir() and other != self.place:
                        shutil.rmtree(other, ignore_errors=True)
        return self.is_ready()

    def _build_in_background(self) -> None:
        if self._builder is None:
            self._builder = subprocess.Popen(
                [sys.executable, "-m", _PACKAGE, "core", "--folder", str(self._folder)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                cwd=_ROOT,
            )  # fmt: skip
        elif self._builder.poll():
            assert self._builder.stderr is not None
            lines = self._builder.stderr.read().decode(errors="replace").splitlines()
            self._give_up(lines[-1] if lines else "the compiler stopped")

    def _give_up(self, reason: object) -> None:
        self._given_up = True
        _log.warning("The engine plays without its compiled core: %s", reason)


_used: list[Store] = []


def use(folder: Path | None = None) -> None:
    """Make this process use the core as soon as it is ready."""
    if not missing():
        _used[:] = [Store(folder or usual_folder())]


def required() -> Core:
    """Return the core, compiled now if need be; raises CoreError where there can be none."""
    if reason := missing():
        raise CoreError(f"there is no compiled core: {reason}")
    if not _used:
        use()
    if not _used[0].is_ready():
        _log.warning("Compiling the core, once, which takes a minute ...")
        _used[0].build(wait=True)
    core = _used[0].current()
    if core is None:
        raise CoreError("the compiled core cannot be read")
    return core


def current() -> Core | None:
    """Return the core if this process uses one and it is ready, else None."""
    return _used[0].current() if _used else None


@contextmanager
def _alone(path: Path, wait: bool) -> Iterator[bool]:
    """Hold a lock while the block runs; yield whether this process got it."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
            return
        yield True


@cache
def _version() -> str:
    """Return a hash of everything that the machine code depends on."""
    parts = [sys.version, platform.machine(), *_versions(), *_processor()]
    sources = [Path(str(module.__file__)) for module in MODULES]
    for path in [*sources, Path(__file__).with_name("compiled.py")]:
        # numba checks the modification time too, and would compile again.
        parts += [path.read_text(encoding="utf-8"), str(path.stat().st_mtime_ns), str(path)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _versions() -> list[str]:
    return [metadata.version(name) for name in ("numba", "numpy", "llvmlite")]


def _processor() -> list[str]:
    """Return the system's description of the first processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    except OSError:
        return [platform.processor()]
    return [line for line in lines if line.startswith(("model name", "flags", "Features", "CPU "))]


if _IS_INSTALLED:
    use()
