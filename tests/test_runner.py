"""The runner itself: what it does with tests that hang, fail now and then, or end their process.

Each test plants some in a folder and runs pytest there with the plugins of tests/plugins that say
so, without Django.
"""

import itertools
import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from launcher.children import wait_until
from tests.plugins import selection, turns
from tests.plugins.limits import LEFT_BEHIND, MARK, NOT_ENDED
from tests.plugins.place import ROOT

sys.path.append(str(ROOT / "script"))  # As scripts find each other.
import checks

INI = """
[pytest]
addopts = -p no:cacheprovider -p xdist.plugin -p tests.plugins.limits -p tests.plugins.told
markers =
    browser
    long
"""
HEAD = """
import os, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import pytest

def first(name):
    path = Path(name)
    known = path.exists()
    path.touch()
    return not known
"""
PROPERTY = "from hypothesis import given, settings, strategies\n"
ACROSS = ("-n2", "--dist=worksteal", "--max-worker-restart=2")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write planted tests into a folder of their own, which is where pytest runs then."""
    for name in os.environ:
        if name.startswith(("PYTEST_", "TIENLEN_", "DJANGO_")) or name == "TOLD":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # Half of each start.
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    (tmp_path / "pytest.ini").write_text(INI)

    def write(code: str, name: str = "test_planted") -> None:
        head = HEAD + PROPERTY * ("@given" in code)
        (tmp_path / f"{name}.py").write_text(head + textwrap.dedent(code))

    return write


@pytest.fixture
def ran(plant: Callable[..., None], tmp_path: Path) -> Run:
    """Run pytest on what was planted; a phase has a second."""

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [*checks.PYTEST, "-q", "--phase-seconds=1", *options]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=50)

    return run


@pytest.fixture
def verdict(plant: Callable[..., None], capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple]:
    """Run what was planted as script/test does: the exit status, and the lines that it printed."""

    def run(*options: str) -> tuple[int, list[str]]:
        status = checks.verdict([*checks.PYTEST, *options], again=checks.PYTEST)
        return status, capfd.readouterr().out.splitlines()

    return run


def test_what_hangs_is_named_with_all_stacks_and_the_rest_goes_on(plant, ran, tmp_path):
    plant("""
        @pytest.fixture(scope="module")
        def world():
            yield
            Path("world-ended").touch()

        @pytest.fixture
        def ended_slowly(world):
            yield
            time.sleep(30)

        @pytest.fixture
        def ended_too():
            yield
            Path("too").touch()

        def test_main(world):
            time.sleep(30)

        def test_pool():
            with ThreadPoolExecutor(1, "swimmer") as pool:
                pool.submit(time.sleep, 5)

        def test_teardown(ended_too, ended_slowly):
            pass

        @settings(database=None)
        @given(strategies.integers())
        def test_property(number):
            time.sleep(30)

        def test_deaf_once():
            try:
                time.sleep(30)
            except BaseException:
                pass

        @pytest.mark.limit(30, reason="it sleeps a little longer")
        def test_patient():
            time.sleep(1.5)

        def test_next():
            pass
    """)
    done = ran()
    assert done.returncode == 1
    for name in ("main", "pool", "property", "deaf_once"):
        assert f"The call of test_planted.py::test_{name} took over 1 s." in done.stderr
    assert "The teardown of test_planted.py::test_teardown took over 1 s." in done.stderr
    assert done.stderr.count("--- MainThread") == 5
    assert "--- swimmer_0" in done.stderr
    assert "time.sleep(30)" in done.stderr
    assert "4 failed, 3 passed, 1 error" in done.stdout
    assert (tmp_path / "world-ended").exists()
    assert (tmp_path / "too").exists()


DEAF = """
    @pytest.fixture(autouse=True)
    def no_bell(monkeypatch):
        from tests.plugins import limits
        monkeypatch.setattr(limits, "RINGS", 2)

    def test_deaf():
        while True:
            try:
                time.sleep(30)
            except BaseException:
                pass

    def test_next():
        pass
"""


def test_a_process_that_hears_no_bell_is_ended(plant, ran, verdict):
    plant(DEAF)
    done = ran()
    assert done.returncode == NOT_ENDED
    assert "The call of test_planted.py::test_deaf took over 1 s: the process is ended." in (
        done.stderr
    )
    status, lines = verdict("--phase-seconds=1")
    assert status == NOT_ENDED
    assert lines[-1] == f"pytest ended with {NOT_ENDED} and did not say what became of the tests."


def test_the_others_go_on_where_one_of_xdists_processes_is_ended(plant, ran):
    plant(DEAF)
    plant("def test_elsewhere(): time.sleep(0.1)", "test_other")
    plant("def pytest_sessionfinish(): time.sleep(4)", "conftest")  # No phase of a test.
    done = ran(*ACROSS)
    assert done.returncode == 1
    assert "crashed while running 'test_planted.py::test_deaf'" in done.stdout
    assert "1 failed, 2 passed" in done.stdout


def test_the_whole_run_has_a_limit_and_says_what_was_running(plant, ran):
    plant("def test_long(): time.sleep(7)")
    plant("def test_longer(): time.sleep(7)", "test_other")
    for options, names in ((ACROSS, ("planted.py::test_long", "other.py::test_longer")), ((), ())):
        done = ran("--phase-seconds=40", "--run-seconds=3", *options)
        assert done.returncode == pytest.ExitCode.INTERRUPTED
        assert "The run took over 0.05 minutes" in done.stderr
        for name in names:
            assert f"s: test_{name}" in done.stderr


def command_of(pid: str) -> str:
    """Return the command of a process; nothing of one that has ended, whoever waits for it."""
    file = Path(f"/proc/{pid}/cmdline")
    return file.read_text() if file.exists() else ""


def test_what_a_test_leaves_running_is_ended_named_and_a_failure(plant, ran):
    plant("""
        def test_careless():
            subprocess.Popen(["sleep", "61"], start_new_session=True)
    """)
    for options in ((), ACROSS):
        done = ran(*options)
        assert done.returncode == LEFT_BEHIND
        (line,) = [line for line in done.stdout.splitlines() if "sleep 61" in line]
        assert line.startswith("test_planted.py::test_careless left process ")
        pid = line.partition("process ")[2].partition(":")[0]
        assert wait_until(lambda: not command_of(pid), seconds=5)  # noqa: B023


def test_what_passes_by_itself_is_unsteady_and_listed(plant, verdict):
    plant("""
        def test_now_and_then():
            assert not first("seen"), "now and then"

        def test_steady():
            pass

        @pytest.mark.skip
        def test_skipped():
            pass
    """)
    for options in ((), ACROSS):
        Path(checks.ROOT, "seen").unlink(missing_ok=True)
        status, lines = verdict(*options)
        assert status == 0
        assert lines[-2].startswith("unsteady: test_planted.py::test_now_and_then: call: ")
        assert "now and then" in lines[-2]
        assert lines[-1] == "2 passed, 0 failed, 1 skipped"


@pytest.fixture(params=(signal.default_int_handler, signal.SIG_IGN), ids=("usual", "background"))
def interrupted(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a shell starts in the background begins with an interrupt that is ignored."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupted")
def test_types_that_are_wrong_end_the_tests(plant, tmp_path, capfd):
    plant("""
        def test_long():
            Path("begun").touch()
            time.sleep(50)
        """)
    types: Future[bool] = Future()
    with ThreadPoolExecutor() as pool:
        told = pool.submit(checks.verdict, [*checks.PYTEST, "--phase-seconds=50"], types=types)
        assert wait_until((tmp_path / "begun").exists, seconds=30)
        types.set_result(False)
        assert told.result(timeout=30) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "Failed: mypy. pytest was ended."


def test_what_fails_twice_fails_and_is_shown_when_it_comes(plant, verdict):
    plant("""
        def test_wrong():
            assert 1 == 2

        def test_now_and_then():
            assert not first("seen")
    """)
    status, lines = verdict("-v")
    assert status == 1
    assert lines[-1] == "1 passed, 1 failed, 0 skipped"
    text = "\n".join(lines)
    assert text.index("assert 1 == 2") < text.index("test_planted.py::test_now_and_then")


@pytest.mark.parametrize("marker", ["@pytest.mark.once", "@given(strategies.none())"])
def test_no_second_look_at_what_may_find_a_fault_only_once(plant, verdict, marker):
    given = "none" if marker.startswith("@given") else ""
    plant(f"""
        {marker}
        def test_race({given}):
            assert not first("seen")
    """)
    status, lines = verdict()
    assert status == 1
    assert not any(line.startswith("A second look") for line in lines)
    assert lines[-1] == "0 passed, 1 failed, 0 skipped"


UNSTEADY = """
    def test_now_and_then():
        assert not first("seen")
"""
FOUR = "@pytest.mark.parametrize('n', range({}))\ndef test_m(n): assert not first(str(n))"
SKIPPED = """
    @pytest.mark.parametrize("n", range(2))
    def test_s(n):
        first("s") or pytest.skip()
        assert n == 7
"""
WHOLE = {
    "nothing is missing": ("", (), True),
    "a file cannot be read": ("import nothing_of_this_name", (), False),
    "a file cannot be read by two": ("import nothing_of_this_name", ACROSS, False),
    "two read different tests": (
        "def collected(): return os.environ['PYTEST_XDIST_WORKER']\n"
        "@pytest.mark.parametrize('n', [collected()])\ndef test_m(n): pass", ACROSS, False,
    ),
    "a process ends": ("def test_end(): assert not first('end') or os._exit(9)", ACROSS, False),
    "it was stopped": ("def test_wrong(): assert not first('x')", ("--maxfail=1",), False),
    "it was stopped in two": (FOUR.format(9), ("--maxfail=1", *ACROSS), False),
    "four are unsteady": (FOUR.format(3), (), False),
    "many failed": (FOUR.format(20), (), False),
    "it is skipped": (SKIPPED, (), False),
}  # fmt: skip


@pytest.mark.parametrize("case", WHOLE)
def test_a_second_look_makes_green_only_what_ran_as_a_whole(plant, verdict, case):
    code, options, green = WHOLE[case]
    plant(UNSTEADY)
    plant(code, "test_second")
    status, lines = verdict(*options)
    assert (status == 0) == green, lines
    assert lines[-1].endswith(" skipped")
    assert (", 0 failed, " in lines[-1]) == green, lines[-3:]


def test_a_crashed_single_process_is_red_and_has_said_nothing(plant, verdict):
    plant("def test_end(): os._exit(0)")
    status, lines = verdict()
    assert status == 1
    assert lines[-1] == "pytest ended with 0 and did not say what became of the tests."


def test_a_longer_limit_needs_a_reason(plant, ran):
    plant("@pytest.mark.limit(120)\ndef test_vague(): pass")
    done = ran()
    assert done.returncode == 1
    assert "missing 1 required keyword-only argument: 'reason'" in done.stdout


class Planted:
    """What the order of tests asks of each of them."""

    def __init__(self, nodeid: str, *fixtures: str, limit: bool = False) -> None:
        self.nodeid, self.fixturenames, self.limit = nodeid, fixtures, limit

    def get_closest_marker(self, name: str) -> bool:
        return name == "limit" and self.limit


def test_quick_tests_begin_the_share_of_each_process_and_dear_ones_come_next():
    rows = [Planted(f"tests/league/test_a.py::test_{n}", "db") for n in range(4)]
    dear = Planted("tests/test_b.py::test_dear", "db", limit=True)
    program = Planted("tests/launcher/test_c.py::test_program")
    quick = [Planted(f"tests/rules/test_d.py::test_{n}") for n in range(4)]
    found = selection.dealt([*rows, dear, program, *quick], 2)
    assert found == [*quick[:2], dear, program, rows[0], *quick[2:], *rows[1:]]
    assert selection.dealt([*rows, *quick], 1) == [*quick, *rows]


def test_a_shuffle_keeps_modules_together_and_real_transactions_after_the_others():
    kinds = [("db",), ("db", "transactional_db"), ()]
    items = [
        Planted(f"tests/test_{file}.py::test_{n}", *kind)
        for kind in kinds
        for file in range(5)
        for n in range(4)
    ]
    found = selection.shuffled([*items], "7")
    assert found == selection.shuffled([*items], "7") != selection.shuffled([*items], "8")
    assert [selection.segment(item) for item in found] == [0] * 20 + [1] * 20 + [2] * 20
    files = [item.nodeid.partition("::")[0] for item in found]
    assert len([*itertools.groupby(files)]) <= 15
    assert files != sorted(files)


@pytest.mark.parametrize("first", ["seating", "tables", "-k", "tests", "a.py::b", "@f", "no/a"])
def test_a_word_is_the_first_argument_unless_it_is_a_path_or_an_option(first):
    assert checks._word([first, "-x"]) == (first if first in ("seating", "tables") else "")
    assert checks._word([]) == ""


def test_this_runs_processes_carry_its_mark():
    command = [sys.executable, "-c", f"import os; print(os.environ['{MARK}'])"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.strip().endswith("::test_this_runs_processes_carry_its_mark")


class Dear(Planted):
    """A test with markers, as long as tests/data/seconds.tsv would say."""

    def __init__(self, nodeid: str, *markers: str) -> None:
        super().__init__(nodeid)
        self.markers = markers

    def get_closest_marker(self, name: str) -> bool:
        return name in self.markers


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, float]]:
    """What tests took, in a list of their own."""
    monkeypatch.setattr(turns, "SECONDS", tmp_path / "seconds.tsv")
    turns.SECONDS.touch()
    found = {f"a.py::test_{n}[{n}\\u1ebf]": 3.0 + n for n in range(80)}
    turns.seconds.cache_clear()
    turns.write_seconds({**found, "a.py::test_quick": 0.9})
    turns.seconds.cache_clear()
    yield found
    turns.seconds.cache_clear()


def test_each_dear_test_runs_at_one_of_a_few_commits_and_wherever_it_is_asked_for(taken):
    dear, quick = [Dear(name) for name in taken], Dear("a.py::test_quick")
    always = Dear("a.py::test_0[0\u1ebf]", "always")
    ran: Counter[str] = Counter()
    costs = []
    for turn in range(turns.DEAR):
        waits = turns.reasons_to_wait([*dear, quick], turn)
        assert set(waits.values()) == {"dear: it waits for its turn"}
        shares = [name for name in taken if name not in waits]
        ran.update(shares)
        costs.append(sum(taken[name] for name in shares))
        assert quick.nodeid not in waits
        assert turns.reasons_to_wait([always], turn) == {}
    assert ran == dict.fromkeys(taken, 1)
    assert max(costs) - min(costs) <= max(taken.values())
    assert turns.reasons_to_wait(dear, None) == {}


def test_what_is_long_has_its_turn_too_unless_it_takes_too_long_for_one(taken):
    short, *_others, long = taken
    waits = [turns.reasons_to_wait([Dear(short, "long")], turn) for turn in range(turns.LONG)]
    assert waits.count({}) == 1
    assert turns.reasons_to_wait([Dear(short, "long")], None) == {
        short: "long: script/test --long runs it"
    }
    for item in (
        Dear(long, "long"),
        Dear(short, "long", "limit"),
        Dear("a.py::test_quick", "long"),
    ):
        assert all(turns.reasons_to_wait([item], turn) for turn in range(turns.LONG))


def test_the_list_of_seconds_names_tests_that_exist():
    texts: dict[str, str] = {}
    for name in turns.seconds():
        file, _, rest = name.partition("::")
        if file not in texts:
            texts[file] = (ROOT / file).read_text(encoding="utf-8")
        function = rest.partition("[")[0].rpartition("::")[2]
        assert f"def {function}(" in texts[file], name


def test_a_measured_test_replaces_what_it_took_and_a_quick_one_leaves_the_list(taken):
    first, second, *rest = taken
    turns.write_seconds({first: 9.0, second: 0.5})
    turns.seconds.cache_clear()
    assert turns.seconds() == {first: 9.0, **{name: taken[name] for name in rest}}


@pytest.mark.parametrize(
    ("asked", "is_chosen"),
    [([], True), (["--long"], False), (["--times"], False), (["tests/test_a.py"], False)],
    ids=["whole", "long", "times", "a file"],
)
def test_only_a_whole_run_leaves_tests_to_other_commits(monkeypatch, asked, is_chosen):
    told = []
    monkeypatch.setattr(checks, "verdict", lambda command, **options: told.append(command) or 0)
    monkeypatch.setattr(checks, "_turn", lambda: 41)
    assert checks.run(*checks.parse(["--fast", *asked])) == 0
    (command,) = told
    assert ({"--turn=41", "--shuffle=41"} <= {*command}) == is_chosen
    assert is_chosen or not any(one.startswith("--shuffle") for one in command)


class Asked(NamedTuple):
    """A run's options, as a configuration tells them."""

    options: dict[str, Any]

    def getoption(self, name: str) -> Any:
        return self.options.get(name, "")


def test_a_second_look_runs_what_failed_whoever_elses_turn_it_is(taken, monkeypatch):
    """It collects one test of many, which by itself would be given another turn."""
    told = []
    monkeypatch.setattr(checks, "verdict", lambda _command, **options: told.append(options) or 0)
    assert checks.run(*checks.parse(["--fast"])) == 0
    assert "--again" in told[0]["again"]
    for again in (False, True):
        skipped = []
        for turn in range(turns.DEAR):
            item = Dear([*taken][-1])
            item.add_marker = skipped.append
            config = Asked({"--again": again, "--turn": turn, "--long": False})
            selection.pytest_collection_modifyitems(config, [item])
        assert len(skipped) == (0 if again else turns.DEAR - 1)
