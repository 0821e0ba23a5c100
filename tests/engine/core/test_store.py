"""Machine code is made once and kept; whatever goes wrong, the readable engine plays on.

The real kernels take long to compile: what is kept and when is tried with a kernel of one line.
"""

import os
import resource
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import FunctionType

import pytest

from engine.core import store
from engine.core.compiled import MODULES
from engine.core.store import Store

ROOT = Path(__file__).parents[3]
STAND_IN = """
    import importlib.util, sys
    from pathlib import Path
    from typing import NamedTuple, Any
    from engine.core import compiled, store

    where = Path(sys.argv[1])
    spec = importlib.util.spec_from_file_location("stand_in", where / "stand_in.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["stand_in"] = module
    spec.loader.exec_module(module)
    compiled.MODULES = store.MODULES = (module,)
    compiled.ENTRIES = {"twice": "(int64[::1],)"}
    compiled.RECURSIVE = {}

    class Core(NamedTuple):
        array: Any
        blank: Any
        bytes: Any
        mind: Any
        sums: Any
        twice: Any

    compiled.Core = Core
    kept = store.Store(where / "core")
"""
KERNEL = "def twice(numbers):\n    return 2 * numbers[0]\n"


@pytest.fixture
def stand_in(tmp_path):
    """A checkout whose only kernel is one line, and a way to run code with it."""
    pytest.importorskip("numba")
    (tmp_path / "stand_in.py").write_text(KERNEL)

    def begin(code, **options):
        text = textwrap.dedent(STAND_IN) + textwrap.dedent(code)
        return subprocess.Popen(
            [sys.executable, "-B", "-c", text, str(tmp_path)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
        )  # fmt: skip

    begin.folder = tmp_path
    return begin


def told(process):
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    return out.strip()


BUILD = """
    print(kept.build())
"""
USE = """
    core = kept.current()
    print(core and core.twice(core.array([21])), core and dict(core.twice.stats.cache_hits) != {})
"""


def test_it_is_compiled_once_and_made_anew_where_it_cannot_be_read(stand_in):
    """Each process reads what the one before has left; an unreadable file is given up."""
    before = set(stand_in.folder.iterdir())
    assert told(stand_in(BUILD)) == "True"
    assert told(stand_in(USE)) == "42 True"
    assert set(stand_in.folder.iterdir()) - before == {stand_in.folder / "core"}
    for path in (stand_in.folder / "core").rglob("*.nb[ic]"):
        path.write_bytes(b"")
    assert told(stand_in(USE + BUILD)) == "None None\nTrue"
    assert told(stand_in(USE)) == "42 True"


@pytest.mark.long
def test_of_four_at_once_one_compiles_and_nobody_waits(stand_in):
    slow = """
        import time
        real = store.compiled
        def slowly(folder):
            print("compiles")
            time.sleep(3)
            return real(folder)
        store.compiled = slowly
        kept.build()
    """
    processes = [stand_in(slow) for _ in range(4)]
    assert sorted(told(process) for process in processes) == ["", "", "", "compiles"]
    assert told(stand_in(USE)) == "42 True"


@pytest.mark.long
def test_a_full_disk_leaves_nothing_half_made(stand_in):
    def nothing_fits():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    process = stand_in(BUILD, preexec_fn=nothing_fits)
    assert "CoreError" in process.communicate(timeout=120)[1]
    assert process.returncode == 1
    assert [path.name for path in (stand_in.folder / "core").iterdir()] == ["lock"]
    assert told(stand_in(BUILD)) == "True"


@pytest.mark.long
def test_another_version_replaces_the_one_before(stand_in):
    assert told(stand_in(BUILD)) == "True"
    (stand_in.folder / "stand_in.py").write_text(KERNEL.replace("2 *", "3 *"))
    assert told(stand_in(BUILD)) == "True"
    assert told(stand_in(USE)) == "63 True"
    assert len([path for path in (stand_in.folder / "core").iterdir() if path.is_dir()]) == 1


def test_where_nothing_can_be_written_the_engine_plays_on(tmp_path, caplog, monkeypatch):
    """The folder is a file: the builder ends with a sentence, and nobody asks again."""
    monkeypatch.delenv("TIENLEN_CORE")
    (tmp_path / "core").write_text("in the way")
    kept = Store(tmp_path / "core")
    end = time.monotonic() + 60
    while not caplog.records and time.monotonic() < end:
        assert kept.current() is None
        time.sleep(0.1)
    assert "plays without its compiled core" in caplog.text
    assert kept.current() is None


def test_nobody_has_a_core_who_does_not_want_one(monkeypatch):
    monkeypatch.setattr(store, "_used", [])
    assert store.current() is None
    monkeypatch.setenv("TIENLEN_CORE", "python")
    store.use()
    assert store.current() is None
    assert store.missing() == "TIENLEN_CORE is python"


def test_no_web_process_imports_the_compiler():
    code = """
        import sys
        import config.asgi
        from random import Random
        from engine.bots import make
        from engine.rules.deal import deal
        from engine.rules.game import legal_actions, observe, start
        from engine.rules.ruleset import preset
        rules = preset("thirteen")
        state = start(rules, deal(rules, 4, Random(1)))
        make("dreamer", 1).choose(observe(state, state.turn), legal_actions(state))
        print({"numba", "numpy"} & set(sys.modules))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT, env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "set()", done.stderr


SHIPPED = """
    import re, sys
    from pathlib import Path
    from engine.core import compiled, store
    core = compiled.compiled(store.Store(Path(sys.argv[1])).place)
    for name, signature in compiled.ENTRIES.items():
        getattr(core, name).compile(signature)
"""
COUNTS = r"""
    for name in compiled.ENTRIES:
        [code] = getattr(core, name).inspect_asm().values()
        parts = re.split(r"\n(?=\w[\w.$]*:\n)", code)
        # Python's own calls of an entry give back the references that they took.
        outside = ("_ZN7cpython", "cfunc.", "NRT_")
        kernels = [part for part in parts if not part.startswith(outside)]
        assert len(kernels) > 1, name
        counts = re.compile(r"^\t(lock\b|\w.*\bNRT_)", re.M)
        print(*{name for part in kernels if counts.search(part)})
"""
HITS = """
    print(*[name for name in compiled.ENTRIES if not getattr(core, name).stats.cache_hits])
"""


@pytest.mark.long
def test_what_is_shipped_counts_no_references_and_is_read_by_all(tmp_path):
    """A reader compiles nothing anew: numba would keep it under other types, each time."""
    pytest.importorskip("numba")

    def told(code):
        command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=True
        ).stdout.split()

    assert told(SHIPPED + COUNTS) == []
    assert told(SHIPPED + HITS) == []


def test_no_two_kernels_define_a_function_of_one_name():
    """They are compiled in one namespace, where the later would stand for both."""
    made = [
        name
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    assert sorted(set(made)) == sorted(made)
