"""Twenty-seven ways to go wrong: each has its verdict, and the others lose nothing by it.

The table of tests/data/verdicts.md is this one.
"""

import ctypes
import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from engine import bots
from engine.rules.actions import SeatAction
from engine.rules.ruleset import preset
from engine.sim.faults import Conditions
from engine.sim.simulation import Block, play_block
from league.arena.facts.run_effects import KIND_NAMES
from tables.programs import apart
from tests.engine.sim.test_faults import Breaks as Raises
from tests.engine.sim.test_faults import Mute, Steady
from tests.tables.runs.test_programs import FIELD, SOUND, loop, program

__all__ = ["program"]

FORK = "import subprocess; subprocess.Popen(['sleep', '9'])"
HOLDS = """
import ctypes, mmap
held = []
for _ in range(10):  # What may only be read is not data.
    held.append(mmap.mmap(-1, 50 << 20, mmap.MAP_PRIVATE))
    held[-1].write(bytes(50 << 20))
    place = ctypes.addressof(ctypes.c_char.from_buffer(held[-1]))
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(place), ctypes.c_size_t(50 << 20), 1)
"""
SOCKET = "import socket; socket.create_connection(('127.0.0.1', 5432))"
# In one write, so that both lines are there when the first is read.
TWICE = 'os.write(1, 2 * (json.dumps({"action": turn["legal"][0]}).encode() + b"\\n"))'


@dataclass(frozen=True)
class Way:
    """What a bot does wrong, the verdict and words that this brings, and how it is done."""

    what: str
    kind: str
    words: str
    body: str | type = ""
    seconds: float = 120.0
    cpu_seconds: int = 60


class Cheats(Steady):
    def wrong(self, observation, legal):
        return SeatAction(observation.seat, "lock", (0,))


class Leaves(Steady):
    def wrong(self, observation, legal):
        raise SystemExit(3)


class Exits(Steady):
    def wrong(self, observation, legal):
        os._exit(0)


class Breaks(Steady):
    def wrong(self, observation, legal):
        ctypes.string_at(0)


class Kills(Steady):
    def wrong(self, observation, legal):
        os.kill(os.getpid(), signal.SIGKILL)


class Hangs(Steady):
    """Lets nothing interrupt it, as code in C does."""

    def wrong(self, observation, legal):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(600)


WAYS = [
    Way("plays cards it does not hold", "illegal", "is not in “legal”", 'say({"action": "2H 2H"})'),
    Way("answers with plain text", "protocol", "is not JSON", "print('pass', flush=True)"),
    Way("answers with a list", "protocol", "is not a JSON object", "say([1])"),
    Way("names no action", "protocol", "has no text “action”", 'say({"move": "pass"})'),
    Way("answers with 9,999 bytes", "protocol", "is longer than 4096 bytes",
        "print('x' * 9999, flush=True)"),
    Way("answers with 4,000 brackets", "protocol", "is not JSON",
        "print('[' * 4000, flush=True)"),
    Way("answers twice", "protocol", "It wrote without being asked", TWICE),
    Way("closes its output", "protocol", "It closed its standard output",
        "os.close(1); time.sleep(60)"),
    Way("writes 2 MB of errors", "protocol", "more than 1000000 bytes",
        "sys.stderr.write('x' * 2_000_000); " + SOUND),
    Way("ends itself", "crashed", "It ended with exit status 1", "sys.exit('no idea')"),
    Way("kills itself", "crashed", "signal SIGKILL", "os.kill(os.getpid(), 9)"),
    Way("aborts", "crashed", "signal SIGABRT", "os.abort()"),
    Way("takes 1 GB of memory", "crashed", "MemoryError", "x = bytearray(10**9)"),
    Way("holds memory that is not data", "crashed", "It held more than 256 MB of memory", HOLDS),
    Way("writes a file", "crashed", "‘notes’", "os.open('notes', os.O_CREAT | os.O_RDWR)"),
    Way("starts another program", "crashed", "Operation not permitted", FORK),
    Way("calls the database", "crashed", "Operation not permitted", SOCKET),
    Way("sleeps", "slow", "It gave no answer within 0.05 s", "time.sleep(60)", seconds=0.05),
    Way("stops itself", "slow", "It gave no answer within 0.05 s", "os.kill(os.getpid(), 19)",
        seconds=0.05),
    Way("computes for ever", "slow", "more than 1 s of processor time", "while True: pass",
        cpu_seconds=1),
    Way("a class chooses what it may not", "illegal", "is not among what it may do", Cheats),
    Way("a class chooses nothing", "illegal", "It chose None", Mute),
    Way("a class raises an error", "crashed", "ZeroDivisionError", Raises),
    Way("a class raises SystemExit", "crashed", "It raised SystemExit(3)", Leaves),
    Way("a class calls `os._exit`", "crashed", "It ended its process with status 0", Exits),
    Way("a class breaks its process", "crashed", "signal 11 (SIGSEGV)", Breaks),
    Way("a class kills its process", "crashed", "signal 9 (SIGKILL)", Kills),
    Way("a class hangs and lets nothing stop it", "slow", "let nothing stop it", Hangs),
]  # fmt: skip


def play(first: str) -> Block:
    """One game with money, the bot in question first in the list."""
    field = [first, *FIELD[1:]]
    return apart.play_apart(
        field,
        lambda guard, _alive: play_block(
            preset("mien-nam"), field, "p", 0, 1, "single", conditions=Conditions(guard=guard)
        ),
    )


def of_the_others(block: Block) -> tuple[list[str], list[int]]:
    """The order of the three others by game, and what each of them won."""
    orders = [
        re.sub(r"\((\d)\)", r"\1", text.replace("0", "")) for text in block.tally["deal_orders"]
    ]
    return orders, block.tally["net"][1:]


@pytest.fixture(scope="module")
def sound() -> tuple[list[str], list[int]]:
    return of_the_others(play("lowest"))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.what)
def test_each_way_to_go_wrong_has_its_verdict_and_costs_the_others_nothing(
    way, program, sound, monkeypatch
):
    monkeypatch.setattr(apart, "MOST_SECONDS", 0.5)
    monkeypatch.setattr(apart, "GRACE", 0.0)
    if isinstance(way.body, str):
        program(loop(way.body), memory_mb=256, seconds=way.seconds, cpu_seconds=way.cpu_seconds)
    else:
        monkeypatch.setitem(bots.BOTS, "odd", way.body)
    block = play("odd")
    assert block.tally["effects"]["faults"] == [[0, way.kind, 1]]
    plain = way.words.translate(str.maketrans("“”‘’", "\"\"''"))
    assert plain in block.tally["notes"][0][4]
    assert [line[:2] for line in block.tally["counts"] if line[0] == 0] == [[0, 4]]
    orders, money = of_the_others(block)
    assert orders == sound[0]
    assert all(won >= due for won, due in zip(money, sound[1], strict=True))
    assert block.tally["net"][0] <= 0


def test_the_documentation_has_this_table():
    text = (Path(settings.BASE_DIR) / "tests/data/verdicts.md").read_text(encoding="utf-8")
    rows = [f"| {way.what} | {KIND_NAMES[way.kind]} | {way.words} |" for way in WAYS]
    assert "\n".join(rows) in text
