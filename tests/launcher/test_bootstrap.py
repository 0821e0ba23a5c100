"""What script/server and script/test do before there is a .venv: in a checkout without packages."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from launcher.locations import ROOT
from tests.launcher.conftest import user_environment

Ensure = Callable[..., subprocess.CompletedProcess[str]]
CALL = "bootstrap.ensure(sys.argv[1], before_install=lambda: print('before'))"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which nothing but the environment was made: pip alone takes some seconds."""
    folder = bare_checkout(tmp_path_factory.mktemp("made"))
    done = ensure_in(folder, "runtime")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Installing what is needed into .venv")
    assert "before" not in done.stdout
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    return bare_checkout(tmp_path)


def bare_checkout(folder: Path) -> Path:
    """The project's scripts, with lock files that name nothing: no network is needed."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "script", folder / "script", ignore=ignored)
    (folder / "requirements").mkdir()
    for name in ("bootstrap", "runtime", "dev"):
        (folder / "requirements" / f"{name}.txt").write_text("# nothing\n")
    return folder


@pytest.fixture
def installed(bare: Path, made: Path) -> Path:
    """The same with an environment."""
    shutil.copytree(made / ".venv", bare / ".venv", symlinks=True)
    return bare


@pytest.fixture
def checkout(installed: Path) -> Path:
    """The same with an environment in which nothing is installed yet."""
    (installed / ".venv" / "locks.json").unlink()
    return installed


@pytest.fixture
def ensure(bare: Path) -> Ensure:
    return partial(ensure_in, bare)


def ensure_in(folder: Path, kind: str, *, first: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys\n{first}\nimport bootstrap\n"
    code += f"try:\n    {CALL}\nexcept bootstrap.Problem as problem:\n    sys.exit(str(problem))"
    return subprocess.run(
        [sys.executable, "-c", code, kind],
        env=user_environment() | {"PYTHONPATH": str(folder / "script")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_it_installs_once_and_again_when_a_lock_has_changed(
    installed: Path, ensure: Ensure
) -> None:
    again = ensure("runtime")
    assert (again.returncode, again.stdout) == (0, "")

    (installed / "requirements" / "runtime.txt").write_text("# something else\n")
    third = ensure("runtime")
    assert third.stdout.startswith("before\nInstalling")
    assert ensure("runtime").stdout == ""


def test_the_tools_of_a_contributor_stay_when_the_product_is_started(
    checkout: Path, ensure: Ensure
) -> None:
    assert ensure("dev").returncode == 0
    assert ensure("runtime").stdout == ""
    (checkout / "requirements" / "runtime.txt").write_text("# something else\n")
    ensure("runtime")
    locks = set(json.loads((checkout / ".venv" / "locks.json").read_text()))
    assert locks == {"runtime", "dev"}


def test_a_broken_environment_is_made_anew(installed: Path, ensure: Ensure) -> None:
    (installed / ".venv" / "bin" / "python").unlink()
    makes = "import bootstrap\nbootstrap._make_venv = lambda: sys.exit('makes it')"
    assert ensure("runtime", first=makes).stderr == "makes it\n"


def test_an_environment_of_another_user_is_one_sentence(bare: Path, ensure: Ensure) -> None:
    (bare / ".venv").mkdir()
    done = ensure("runtime", first="import os\nos.access = lambda path, mode: False")
    assert (done.returncode, done.stdout) == (1, "")
    assert ".venv belongs to another user and is not up to date" in done.stderr


def test_a_refused_folder_gives_no_advice_about_packages(bare: Path, ensure: Ensure) -> None:
    (bare / ".venv").symlink_to("/proc/club")
    done = ensure("runtime")
    assert done.returncode == 1
    assert done.stderr.endswith(" Clone into a folder of your own and start again.\n")
    assert "python3-venv" not in done.stderr


def test_a_python_without_venv_is_one_sentence(ensure: Ensure) -> None:
    hide = (
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name: None if name == 'ensurepip' else real(name)"
    )
    done = ensure("runtime", first=hide)
    assert done.returncode == 1
    assert done.stderr.endswith(
        "has no ensurepip module: install it (Debian, Ubuntu: apt install python3-venv) "
        "and start again.\n"
    )


def test_requirements_that_cannot_be_had_are_one_sentence(checkout: Path, ensure: Ensure) -> None:
    (checkout / "requirements" / "runtime.txt").write_text(
        "no-such-package==1 --hash=sha256:" + "0" * 64 + "\n"
    )
    done = ensure("runtime", first="import os; os.environ['PIP_NO_INDEX'] = '1'")
    assert done.returncode == 1
    assert done.stderr == (
        "The requirements cannot be installed: check that the package index is reachable "
        f"and read the end of {checkout / '.venv' / 'install.log'}.\n"
    )
    assert not (checkout / ".venv" / "locks.json").exists()
