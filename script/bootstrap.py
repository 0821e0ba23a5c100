"""Makes .venv with exactly what the lock files name. Needs the standard library alone."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "locks.json"
INSTALL_LOG = VENV / "install.log"
NEEDED_MEGABYTES = {"runtime": 800, "dev": 1800}


class Problem(Exception):
    """One sentence that says what is wrong and what the reader can do about it."""


def ensure(kind: str, *, before_install: Callable[[], None] = lambda: None) -> Path:
    """Return the Python of a .venv that has the `runtime` or the `dev` requirements.

    Installs only when a lock file has changed since the last time, so that later starts need no
    network. `before_install` is called when an older set is about to be replaced. Raises Problem.
    """
    with _one_at_a_time():
        installed = _read_stamp()
        if not (installed.get(kind) == _digest(kind) and _works()):
            if installed and _works():
                before_install()
            _install("dev" if installed.get("dev") else kind)
        _run([str(PYTHON), "launcher/catalogues.py"])
    return PYTHON


def enter(kind: str, *, before_install: Callable[[], None] = lambda: None) -> None:
    """Go on in a .venv with these requirements, where the project can be imported.

    Ends the program with the problem's sentence if there is no such .venv.
    """
    try:
        python = ensure(kind, before_install=before_install)
    except Problem as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit(130)
    if Path(sys.prefix) != VENV:
        os.execv(python, [str(python), *sys.argv])
    sys.path.insert(0, str(ROOT))


def _install(kind: str) -> None:
    if VENV.exists() and not os.access(VENV, os.W_OK):
        raise Problem(
            f"{VENV} belongs to another user and is not up to date: start as that user, or clone "
            "into a folder of your own."
        )
    free = shutil.disk_usage(ROOT).free // 1_000_000
    if free < NEEDED_MEGABYTES[kind]:
        raise Problem(
            f"Only {free} MB are free in {ROOT}: "
            f"make room for {NEEDED_MEGABYTES[kind]} MB and start again."
        )
    started = time.monotonic()
    print("Installing what is needed into .venv (once, needs the network) ...", flush=True)
    STAMP.unlink(missing_ok=True)
    if not _works():
        _make_venv()
    if not _install_with_uv(kind):
        _install_with_pip(kind)
    for folder in VENV.glob("lib/python*/site-packages"):
        (folder / "checkout.pth").write_text(f"{ROOT}\n")
    kinds = ["runtime", "dev"] if kind == "dev" else ["runtime"]
    STAMP.write_text(json.dumps({name: _digest(name) for name in kinds}))
    print(f"Installed in {time.monotonic() - started:.0f} s.", flush=True)


def _make_venv() -> None:
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise Problem(
                f"{sys.executable} has no {module} module: install it "
                f"(Debian, Ubuntu: apt install python3-venv) and start again."
            )
    done = _run([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if done.returncode != 0:
        raise Problem(
            f"The folder {VENV} cannot be made: {_last_line(done)} "
            "Clone into a folder of your own and start again."
        )


def _install_with_uv(kind: str) -> bool:
    """Return whether it went well: pip knows of mirrors and settings that uv does not."""
    bootstrap, wanted = (str(_lock_file(name)) for name in ("bootstrap", kind))
    uv = VENV / "bin" / "uv"
    if _logged([*_pip(), "-r", bootstrap], "w").returncode != 0 or not uv.exists():
        return False
    command = [str(uv), "pip", "sync", "--quiet", "--require-hashes"]
    return _logged([*command, f"--python={PYTHON}", bootstrap, wanted], "a").returncode == 0


def _install_with_pip(kind: str) -> None:
    if _logged([*_pip(), "-r", str(_lock_file(kind))], "a").returncode != 0:
        raise Problem(
            f"The requirements cannot be installed: check that the package index is reachable "
            f"and read the end of {INSTALL_LOG}."
        )


def _pip() -> list[str]:
    return [str(PYTHON), "-m", "pip", "install", "--no-input", "--quiet", "--require-hashes"]


def _logged(command: list[str], mode: str) -> subprocess.CompletedProcess[str]:
    with INSTALL_LOG.open(mode) as log:
        return subprocess.run(
            command, stdout=log, stderr=log, text=True, env=_environment(), cwd=ROOT, check=False
        )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, env=_environment(), cwd=ROOT, check=False
    )


def _environment() -> dict[str, str]:
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    if mirror := kept.get("PIP_INDEX_URL"):
        kept.setdefault("UV_DEFAULT_INDEX", mirror)
    # The system's certificates, as pip trusts them; and pip, which follows, is the patient one.
    return {"UV_SYSTEM_CERTS": "1", "UV_HTTP_TIMEOUT": "15", "UV_HTTP_RETRIES": "1"} | kept


def _works() -> bool:
    """Return whether .venv has a Python that is new enough and has pip."""
    if not os.access(PYTHON, os.X_OK):
        return False
    check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    return _run([str(PYTHON), "-c", check]).returncode == 0


def _read_stamp() -> dict[str, str]:
    try:
        return dict(json.loads(STAMP.read_text()))
    except (OSError, ValueError):
        return {}


def _digest(kind: str) -> str:
    return hashlib.sha256(_lock_file(kind).read_bytes()).hexdigest()


def _lock_file(kind: str) -> Path:
    return ROOT / "requirements" / f"{kind}.txt"


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout or "").strip().splitlines()
    return lines[-1] if lines else f"status {done.returncode}."


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let a second start wait until the first has installed."""
    handle = os.open(Path(__file__).parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
