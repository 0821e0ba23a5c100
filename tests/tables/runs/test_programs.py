"""Programs outside: asked in JSON lines, held to their limits, gone when their game is over."""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from engine import bots
from engine.bots.plugins import GROUP, Plugged
from engine.rules.ruleset import preset
from engine.sim.faults import BotFault, Conditions, OurFault
from engine.sim.simulation import play_block
from tables.programs import config
from tables.programs.own_seconds import waited_here
from tables.programs.process import Limits, Process
from tables.programs.program import Program
from tables.programs.watch import watch

EXAMPLES = Path(settings.BASE_DIR) / "docs" / "examples" / "bots"
FIELD = ["odd", "lowest", "greedy", "random"]
LOOP = """
import json, os, sys, time
def say(value): print(json.dumps(value), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello": say({"type": "ready"})
    if message["type"] == "turn":
        turn = message
        BODY
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Offers a Python program as the bot `odd`; returns what makes it."""

    def offer(source: str, **limits) -> Program:
        path = tmp_path / "odd.py"
        path.write_text(source)
        tmp_path.chmod(0o755)  # Where the worker is root, programs are nobody.
        said = {key: limits.pop(key) for key in ("memory", "trusted") if key in limits}
        made = Program(
            "odd", (sys.executable, "-S", "-E", "odd.py"), tmp_path, 1,
            Limits(**{"seconds": 120.0} | limits), **said,
        )  # fmt: skip
        monkeypatch.setitem(bots.BOTS, "odd", made)
        return made

    return offer


def loop(body: str) -> str:
    return LOOP.replace("BODY", textwrap.indent(body, " " * 8).strip())


def play(deals=1, design="single", field=FIELD, key="tien-len"):
    return play_block(preset(key), field, "p", 0, deals, design, conditions=Conditions())


def verdict(block):
    (fault,) = block.tally["effects"]["faults"]
    return fault[1], block.tally["notes"][0][4]


def running(*command: str) -> list[int]:
    """The processes that run a command."""
    wanted, found = "\0".join(command).encode() + b"\0", []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "cmdline").read_bytes() == wanted:
                found.append(int(folder.name))
    return found


SOUND = 'say({"action": turn["legal"][0]})'


def test_a_program_plays_whole_games(program):
    program(loop(SOUND))
    block = play(deals=2, design="rotations")
    assert (block.games, block.tally["effects"]["faults"]) == (8, [])


def test_it_is_told_what_its_seat_may_know_and_no_more(program, tmp_path):
    seen = "assert set(turn) == {'type', 'phase', 'hand', 'counts', 'to_beat', 'to_beat_by', "
    seen += "'forward', 'trick_locked', 'locked_out', 'placings', 'must_include', 'opening', "
    seen += "'lowest_cards', 'chops', 'payments', 'history', 'legal'}, sorted(turn)\n"
    seen += "cards = set(turn['hand'].split())\n"
    seen += "assert len(cards) == turn['counts'][game['seat']]\n"
    seen += (
        "assert all(set(t.split()) <= cards for t in turn['legal'] if t[0] in '3456789TJQKA2')\n"
    )
    program(loop(seen + SOUND).replace(
        'if message["type"] == "hello"',
        'if message["type"] == "game": game = message\n    if message["type"] == "hello"',
    ))  # fmt: skip
    assert play(deals=3).tally["effects"]["faults"] == []


def test_a_program_may_be_ready_before_it_is_asked(program, monkeypatch):
    """Also where it is quicker than the worker; then it reads nothing and is too slow."""
    ask = Process.ask

    def later(process, *args, **options):
        time.sleep(0.2)
        return ask(process, *args, **options)

    monkeypatch.setattr(Process, "ask", later)
    program('print(\'{"type": "ready"}\', flush=True)\nimport time; time.sleep(60)', seconds=0.1)
    assert verdict(play())[0] == "slow"


def test_a_program_that_is_not_ready_has_its_verdict(program):
    program('print(\'{"type": "what?"}\')')
    found, text = verdict(play())
    assert (found, 'It must answer "hello"' in text) == ("protocol", True)


def test_a_program_that_is_not_there_is_our_own_fault(monkeypatch, tmp_path):
    monkeypatch.setitem(bots.BOTS, "odd", Program("odd", ("./nothing",), tmp_path, 1))
    with pytest.raises(OurFault, match="cannot be started"):
        play()


def test_nothing_of_our_environment_reaches_it(program, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "sesame")
    program(loop(f"assert not set(os.environ) & {{'SECRET_KEY', 'HOME'}}, os.environ\n{SOUND}"))
    assert play().tally["effects"]["faults"] == []


GAMES = """
games = 0
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello": print('{"type": "ready"}', flush=True)
    if message["type"] == "game": games += 1
    if message["type"] == "turn":
        assert games == 1, f"{games} games"
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""


def test_each_game_has_a_process_of_its_own_unless_the_bot_remembers(program):
    program(GAMES)
    assert play(deals=3).tally["effects"]["faults"] == []
    program(GAMES, memory=True)
    found = play(deals=3)
    assert found.tally["effects"]["faults"] == [[0, "crashed", 1]]
    assert "2 games" in found.tally["notes"][0][4]


CHILD = """
import subprocess
if 'begun' not in globals():
    begun = True
    subprocess.Popen(['sleep', 'SECONDS'])
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: os.execlp('sleep', 'sleep', 'SECONDS')
        os._exit(0)
    os.wait()
"""


@pytest.mark.parametrize("memory", [False, True])
def test_a_trusted_program_and_what_it_started_are_gone_afterwards(program, memory):
    seconds = f"600.{os.getpid()}"
    started = CHILD.replace("SECONDS", seconds) + SOUND
    program(loop(started), memory=memory, trusted=True)
    assert play(deals=2).tally["effects"]["faults"] == []
    assert running("sleep", seconds) == []


def test_a_program_that_is_not_trusted_starts_nothing(program):
    program(loop(CHILD + SOUND))
    found, text = verdict(play())
    assert (found, "Operation not permitted" in text) == ("crashed", True)


def test_a_trusted_program_has_its_limits_too(program):
    program(loop("os.write(os.open('notes', os.O_CREAT | os.O_RDWR), b'3S')"), trusted=True)
    found, text = verdict(play())
    assert (found, "File too large" in text) == ("crashed", True)


def test_two_entries_of_a_program_that_remembers_have_a_process_each(program, monkeypatch):
    made = program(loop(SOUND), memory=True)
    both = play(field=["odd", "odd", "greedy", "random"])
    assert both.tally["effects"]["faults"] == []
    assert made._idle == []


def test_a_bot_that_hangs_in_this_process_is_stopped():
    def hang():
        with watch(lambda: None, 0.05):
            while True:
                pass

    with pytest.raises(BotFault, match=r"more than 0\.05 s"):
        hang()


BUSY = """
import os, time
os.sched_setaffinity(0, {CPU})
while True: pass
"""


@pytest.fixture
def crowded() -> Iterator[int]:
    """A processor on which others always have something to do."""
    cpu = max(os.sched_getaffinity(0))
    command = [sys.executable, "-S", "-c", BUSY.replace("CPU", str(cpu))]
    # Each in a session of its own: Linux shares a processor among sessions first.
    others = [subprocess.Popen(command, start_new_session=True) for _ in range(5)]
    yield cpu
    for other in others:
        other.kill()
        other.wait()


WORK = """
def waited():
    with open("/proc/self/schedstat") as file:
        return int(file.read().split()[1]) / 1e9
if len(turn["legal"]) > 1 and not os.environ.get("done"):
    os.environ["done"] = "yes"
    os.sched_setaffinity(0, {CPU})
    end = waited() + LIMIT
    while waited() < end: pass
"""
LIMIT = 2.0
"""Seconds of its own that a bot has, who waits as long for the processor: five others share it."""


def test_the_time_in_which_others_have_the_processor_is_not_its_own(program, crowded):
    work = WORK.replace("CPU", str(crowded)).replace("LIMIT", str(LIMIT))
    program(loop(work + SOUND), seconds=LIMIT, trusted=True)
    began = time.monotonic()
    assert play().tally["effects"]["faults"] == []
    assert time.monotonic() - began > LIMIT


def test_who_sleeps_on_a_crowded_processor_is_slow(program, crowded):
    """However late it is noticed, it sleeps on."""
    work = WORK.replace("CPU", str(crowded)).replace("LIMIT", str(LIMIT))
    asleep = work.replace("while waited() < end: pass", "time.sleep(60)")
    program(loop(asleep + SOUND), seconds=0.6, trusted=True)
    assert verdict(play())[0] == "slow"


def test_a_class_has_its_own_seconds_too(crowded):
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {crowded})
    try:
        with watch(lambda: None, LIMIT, waited_here):
            end = waited_here() + LIMIT
            while waited_here() < end:
                pass
        with pytest.raises(BotFault), watch(lambda: None, 0.2, waited_here):
            time.sleep(60)
    finally:
        os.sched_setaffinity(0, before)


def test_what_fails_in_our_own_process_is_no_verdict(program, monkeypatch):
    def interrupted(*_args, **_options):
        raise SoftTimeLimitExceeded

    program(loop(SOUND))
    monkeypatch.setattr(Process, "_line", interrupted)
    with pytest.raises(OurFault, match="SoftTimeLimitExceeded"):
        play()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('print(\'{"action":\' + "[" * 400 + "]" * 400 + "}", flush=True)', "protocol"),
        ("os.kill(os.getpid(), 40)", "crashed"),
    ],
)
def test_nothing_that_a_program_does_is_taken_for_ours(program, body, kind):
    """Brackets too deep to be shown, and a signal without a name."""
    program(loop(body))
    assert verdict(play())[0] == kind


def test_a_watch_says_that_somebody_is_asked_and_lets_answers_through():
    asked = Counter()
    with watch(lambda: asked.update("a")):
        pass
    assert asked["a"] == 1


@pytest.fixture
def registry(monkeypatch):
    """The register of bots and the problems, put back afterwards."""
    monkeypatch.setattr(bots, "BOTS", dict(bots.BOTS))
    monkeypatch.setattr(config, "PROBLEMS", [])
    monkeypatch.setattr(sys, "path", list(sys.path))
    return bots.BOTS


def test_the_examples_of_the_documentation_are_offered(registry):
    config.register_all(EXAMPLES / "bots.toml", needed=True)
    assert config.PROBLEMS == []
    assert [name for name in registry if name not in bots.LADDER] == ["miser", "shedder"]
    assert bots.version_of("miser") == bots.version_of("shedder") == 1
    assert (bots.is_outside("miser"), bots.is_outside("shedder")) == (False, True)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("key", ["family", "mien-nam"])
def test_the_examples_of_the_documentation_play_without_fault(registry, monkeypatch, key):
    config.register_all(EXAMPLES / "bots.toml", needed=True)
    monkeypatch.setattr("engine.sim.simulation.BOTS", registry)
    registry["shedder"].limits = Limits(seconds=120.0)
    block = play(field=["miser", "shedder", "greedy", "shedder"], key=key)
    assert block.tally["effects"]["faults"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[bots", "Expected"),
        ("x = 1", "no table"),
        ("[bots]\nodd = 3", "say either python"),
        ("[bots.odd]\nversion = 1", "say either python"),
        ('[bots.odd]\npython = "m:C"\ntrusted = true\nversion = 1', "and nothing else"),
        ('[bots.odd]\npython = "m:C"', "say trusted = true"),
        ('[bots.odd]\npython = 3\nversion = 1', 'python = "module:Class"'),
        ('[bots.odd]\npython = "m:C"\ntrusted = 1', "trusted is true or false"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1\ntrusted = "yes"', "true or false"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1\nread = "/opt"', "list of texts"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1\nfolder = "none"', "is not there"),
        (f'[bots.odd]\ncommand = ["node"]\nversion = 1\nfolder = "{"a" * 300}"', "too long"),
        ('[bots.odd]\ncommand = "node x.js"\nversion = 1', "list of texts"),
        ('[bots.odd]\ncommand = []\nversion = 1', "list of texts"),
        ('[bots.odd]\ncommand = ["node"]', "version is missing"),
        ('[bots.odd]\ncommand = ["node"]\nversion = true', "whole number"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1.5', "whole number"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1\nseconds = 99', "between 0.01 and 10"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1\nshell = true', "shell is not known"),
        ('[bots.odd]\ncommand = ["node"]\nversion = 1\nmemory = 3', "true or false"),
        ('[bots.greedy]\ncommand = ["node"]\nversion = 1', "choose another name"),
        ('[bots."Ộ d d"]\ncommand = ["node"]\nversion = 1', "no name of a bot"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_file_is_said_and_leaves_the_rest(registry, tmp_path, text, words):
    path = tmp_path / "bots.toml"
    good = '\n[bots.good]\ncommand = ["node"]\nversion = 2\n' if "bots." in text else ""
    path.write_text(text + good)
    config.register_all(path, needed=True)
    (problem,) = config.PROBLEMS
    assert words in problem
    assert ("good" in registry) == bool(good)


def test_a_file_that_is_not_there_is_a_problem_only_where_it_was_named(registry, tmp_path):
    config.register_all(tmp_path / "bots.toml", needed=False)
    assert config.PROBLEMS == []
    config.register_all(tmp_path / "bots.toml", needed=True)
    assert "is not there" in config.PROBLEMS[0]


CLASS = """
import os, sys
from engine.bots import make
class Odd:
    version = 1
    def __init__(self, seed): self.inner = make("lowest", seed)
    def choose(self, observation, legal):
        BODY
        return self.inner.choose(observation, legal)
"""
ODD = '[bots.odd]\npython = "odd_class:Odd"\n'


@pytest.fixture
def enter_class(registry, monkeypatch, tmp_path):
    """Enters a class as the bot `odd`, with what its table says."""
    monkeypatch.setattr("engine.sim.simulation.BOTS", registry)
    tmp_path.chmod(0o755)

    def offer(body: str, told: str) -> None:
        (tmp_path / "odd_class.py").write_text(CLASS.replace("BODY", body))
        (tmp_path / "bots.toml").write_text(ODD + told)
        sys.modules.pop("odd_class", None)
        config.register_all(tmp_path / "bots.toml", needed=True)
        assert config.PROBLEMS == []
        if isinstance(registry["odd"], Program):
            registry["odd"].limits = Limits(seconds=120.0)

    return offer


@pytest.mark.parametrize("key", ["family", "killa"])
def test_a_class_plays_the_same_games_shut_in_as_it_does_trusted(enter_class, key):
    enter_class("print('thinking')", "trusted = true")
    assert not bots.is_outside("odd")
    trusted = play(deals=2, key=key)
    enter_class("print('thinking')", "version = 1")
    assert bots.is_outside("odd")
    shut_in = play(deals=2, key=key)
    assert shut_in.tally["effects"]["faults"] == trusted.tally["effects"]["faults"] == []
    assert shut_in.digest == trusted.digest


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise ValueError('no idea')", "ValueError: no idea"),
        ("open('/etc/passwd')", "'/etc/passwd'"),
        ("os.fork()", "Operation not permitted"),
        ("os.environ['SECRET_KEY']", "KeyError"),
    ],
)
def test_a_class_that_is_not_trusted_gets_no_further_than_a_program(enter_class, body, words):
    enter_class(body, "version = 1")
    found, text = verdict(play())
    assert (found, words in text) == ("crashed", True), text
    assert str(settings.BASE_DIR) not in text


def test_a_class_that_chooses_nothing_is_told_so(enter_class):
    enter_class("return None", "version = 1")
    assert verdict(play())[1].startswith('It chose "None", which is not in')


def test_a_class_of_a_package_is_offered_as_the_file_says(registry, tmp_path, monkeypatch):
    packaged = Plugged(EntryPoint("odd", "odd_class:Odd", GROUP))
    monkeypatch.setattr(config, "installed", lambda: {"odd": packaged})
    for told, kind in (
        ("", None),
        ("[bots.odd]\n", None),
        ("[bots.odd]\nversion = 3\n", Program),
        ("[bots.odd]\ntrusted = true\n", Plugged),
    ):
        registry["odd"] = packaged
        (tmp_path / "bots.toml").write_text("[bots]\n" + told)
        config.register_all(tmp_path / "bots.toml", needed=True)
        offered = registry.get("odd")
        assert offered is None if kind is None else isinstance(offered, kind)
        assert [("say trusted = true" in problem) for problem in config.PROBLEMS] == (
            [True] if kind is None else []
        )
