"""The engine's command line, as docs/records.md describes it."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from .push import add_push
from .push import run as run_push
from .records import deals
from .records.record import MOST_BYTES, legal, parse, replay
from .rules.errors import EngineError, RecordError
from .rules.ruleset import preset, preset_keys, to_json
from .sim.designs import DESIGNS

ANSWERS: dict[str, Callable[[object], dict[str, Any]]] = {"legal": legal, "replay": replay}
_EPILOG = """\
A wrong record gives one line on standard error that names the action (counted from 1), the seat
and the reason, and exit status 2. docs/records.md describes records and answers."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 1 for a wrong deal or answer, 2 for wrong input."""
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except (EngineError, OSError, EOFError) as error:
        if isinstance(error, BrokenPipeError):
            sys.stdout = open("/dev/null", "w")  # noqa: SIM115 - nobody reads on
            return 0
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}", description="The rules of Tiến Lên.", epilog=_EPILOG
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in (
        ("legal", "print what the seat to act may do after the last action of a record"),
        ("replay", "play a record through and print its outcome"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("file", metavar="FILE", help="a record as JSON; - is standard input")
        command.set_defaults(run=_one)
    batch = commands.add_parser("batch", help="answer one record per line of standard input")
    batch.add_argument("answer", choices=sorted(ANSWERS))
    batch.set_defaults(run=_batch)
    check = commands.add_parser(
        "check-deal", help="check that a saved game was dealt by its secret and its players' parts"
    )
    check.add_argument("file", metavar="FILE", help="the record of a table's game; - as above")
    check.set_defaults(run=_check_deal)
    conformance = commands.add_parser(
        "conformance", help="print records with their answers, or hold an engine against them"
    )
    conformance.add_argument(
        "--program", metavar="COMMAND", help="started with legal or replay, as batch is"
    )
    conformance.set_defaults(run=_conformance)
    rules = commands.add_parser("rules", help="list the rulesets, or show one as JSON")
    kinds = rules.add_subparsers(dest="kind", required=True, metavar="list|show")
    kinds.add_parser("list", help="print the keys of all presets").set_defaults(run=_list_rules)
    show = kinds.add_parser("show", help="print every field of a preset as JSON")
    show.add_argument("key", metavar="KEY")
    show.set_defaults(run=_show_rules)
    push = commands.add_parser("push", help="send a bot to a club, test it and show the ladder")
    add_push(push)
    push.set_defaults(run=run_push)
    _add_measuring(commands)
    return parser


def _add_measuring(commands: Any) -> None:
    simulate = commands.add_parser("simulate", help="let bots play and print how they placed")
    add_simulation(simulate)
    simulate.set_defaults(run=_simulate)
    bench = commands.add_parser("bench", help="measure games per second")
    bench.add_argument(
        "--ruleset", action="append", metavar="KEY", help="only this one; repeatable"
    )
    bench.add_argument("--seconds", type=float, default=1.0, help="time for each figure")
    bench.set_defaults(run=_bench)
    core = commands.add_parser(
        "core", help="compile the core that simulations play on, where it is not there yet"
    )
    core.add_argument(
        "--folder", type=Path, metavar="DIR", help="keep it here, not in the data folder"
    )
    core.set_defaults(run=_core)
    dataset = commands.add_parser("dataset", help="write games of every ruleset, and baselines")
    dataset.add_argument("folder", type=Path, metavar="FOLDER")
    dataset.add_argument("--games", type=int, default=100_000, metavar="N")
    dataset.add_argument("--seed", default="1", metavar="S")
    dataset.set_defaults(run=_dataset)
    npz = commands.add_parser("npz", help="write the decisions of records as arrays for learners")
    npz.add_argument("records", type=Path, metavar="RECORDS", help="lines of JSON, also gzipped")
    npz.add_argument("file", type=Path, metavar="FILE.npz")
    npz.add_argument("--games", type=int, default=1000, metavar="N", help="the first of them")
    npz.set_defaults(run=_npz)


def add_simulation(simulate: argparse.ArgumentParser) -> None:
    """Add the arguments of `engine.sim.command.run`."""
    simulate.add_argument("--ruleset", default="tien-len", metavar="KEY")
    simulate.add_argument("--bots", default="greedy,random,random,random", metavar="A,B,...")
    simulate.add_argument("--games", type=int, default=1000, metavar="N")
    simulate.add_argument("--seed", default="1", metavar="S")
    simulate.add_argument(
        "--design",
        choices=DESIGNS,
        default="single",
        help="who sits where in the games of a deal, as in tournaments; single plays it once",
    )
    simulate.add_argument(
        "--duplicate",
        dest="design",
        action="store_const",
        const="rotations",
        help="the same as --design rotations: each deal once in every rotation of seats",
    )
    simulate.add_argument("--workers", type=int, default=1, metavar="W")
    simulate.add_argument("--records", metavar="FILE", help="write every game, one JSON per line")


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))


def _one(arguments: argparse.Namespace) -> int:
    _print_json(ANSWERS[arguments.command](parse(_text(arguments.file))))
    return 0


def _check_deal(arguments: argparse.Namespace) -> int:
    wrong = deals.wrong_deal(parse(_text(arguments.file)))
    for line in wrong or ["The secret and the parts deal exactly these cards."]:
        print(line)
    return 1 if wrong else 0


def _text(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _batch(arguments: argparse.Namespace) -> int:
    answer = ANSWERS[arguments.answer]
    for line in _lines(sys.stdin.buffer):
        try:
            _print_json(answer(parse(line)))
        except RecordError as error:
            _print_json({"error": str(error)})
    return 0


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, each cut off if it is longer than a record may be."""
    while line := stream.readline(MOST_BYTES + 2):
        rest = line
        while len(rest) == MOST_BYTES + 2 and not rest.endswith(b"\n"):
            rest = stream.readline(MOST_BYTES + 2)
        yield line.rstrip(b"\r\n")


def _conformance(arguments: argparse.Namespace) -> int:
    from .records import conformance

    if arguments.program is None:
        sys.stdout.write(conformance.CASES.read_text(encoding="utf-8"))
        return 0
    wrong = conformance.wrong_of(arguments.program)
    for case, got in wrong:
        print(case.name)
        print(f"  expected {json.dumps(case.answer, ensure_ascii=False)}")
        print(f"  got      {json.dumps(got, ensure_ascii=False)}")
    print(f"{len(wrong)} of {sum(1 for _ in conformance.cases())} cases are answered wrongly.")
    return 1 if wrong else 0


def _list_rules(arguments: argparse.Namespace) -> int:
    print("\n".join(preset_keys()))
    return 0


def _show_rules(arguments: argparse.Namespace) -> int:
    print(json.dumps(to_json(preset(arguments.key)), ensure_ascii=False, indent=1))
    return 0


def _simulate(arguments: argparse.Namespace) -> int:
    from .sim.command import run

    return run(arguments)


def _bench(arguments: argparse.Namespace) -> int:
    from .sim.bench import run

    return run(arguments)


def _core(arguments: argparse.Namespace) -> int:
    from .core.store import CoreError, Store, missing, usual_folder

    if reason := missing():
        raise CoreError(f"there is no compiled core: {reason}")
    store = Store(arguments.folder or usual_folder())
    print(f"{store.place}: {'ready' if store.build() else 'being compiled by another process'}")
    return 0


def _dataset(arguments: argparse.Namespace) -> int:
    from .sim import dataset

    def show(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} games", end="", file=sys.stderr)

    found = dataset.write(arguments.folder, arguments.games, arguments.seed, show)
    print(f"{found['games']} games, sha256 of their lines {found['sha256']}")
    return 0


def _npz(arguments: argparse.Namespace) -> int:
    from .adapters import samples

    found = samples.write(arguments.records, arguments.file, arguments.games)
    print(f"{found} decisions")
    return 0
