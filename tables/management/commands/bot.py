"""``manage.py bot``: list, check, simulate and measure bots, and replay tournament batches."""

import argparse
import shlex
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine import bots, cli
from engine.rules.errors import EngineError
from engine.sim import bench_bots
from engine.sim import command as simulate
from engine.sim.faults import OurFault
from tables.models import Run, Unit
from tables.programs import apart, checking, config
from tables.programs.jail.door import JailError, jail_tier
from tables.programs.jail.job import LANDLOCK, NAMESPACES
from tables.programs.process import Limits
from tables.programs.program import Program
from tables.runs import run_records, runs

CANDIDATE = "candidate"
HELD_BY = {
    NAMESPACES: "namespaces, Landlock and seccomp",
    LANDLOCK: "Landlock and seccomp; this system allows no namespaces",
}


class Command(BaseCommand):
    help = "List the bots that play here, try one out, or let some play many games."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(
            dest="verb", required=True, metavar="list|check|simulate|bench|recompute"
        )
        verbs.add_parser("list", help="all bots with their versions, and what is wrong with any")
        check = verbs.add_parser(
            "check", help="play a bot against itself in every ruleset and number of players"
        )
        check.add_argument("name", nargs="?", metavar="NAME", help="a bot that `bot list` lists")
        check.add_argument("--program", metavar="CMD", help="a command, as in 'node counter.js'")
        check.add_argument(
            "--folder", metavar="DIR", help="where CMD is started, and what it sees: here, or DIR"
        )
        check.add_argument("--trusted", action="store_true", help="do not shut CMD in")
        check.add_argument("--seconds", type=float, default=1.0, help="for an answer of CMD")
        check.add_argument("--games", type=int, default=checking.GAMES, metavar="N")
        measured = verbs.add_parser(
            "simulate", help="python -m engine simulate, with the bots of this installation"
        )
        cli.add_simulation(measured)
        bench_bots.add_arguments(
            verbs.add_parser("bench", help="measure a bot against copies of another, and its time")
        )
        recompute = verbs.add_parser(
            "recompute", help="replay a tournament's batches and compare their digests"
        )
        recompute.add_argument("run", metavar="RUN", help='"run" in the records of its games')
        recompute.add_argument(
            "--batch", type=int, action="append", metavar="N", help="only this one; repeatable"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "list":
            self._list()
        elif options["verb"] == "check":
            self._check(**options)
        elif options["verb"] == "recompute":
            self._recompute(options["run"], options["batch"])
        elif options["verb"] == "bench":
            self._bench(argparse.Namespace(**options))
        else:
            self._simulate(argparse.Namespace(**options))

    def _list(self) -> None:
        for name in bots.BOTS:
            try:
                version = str(bots.version_of(name))
            except bots.PluggedError as error:
                version = f"cannot be loaded: {error}"
            kind, held = "ladder", ""
            if name not in bots.LADDER:
                kind = "program" if bots.is_outside(name) else "class"
                held = "trusted" if _is_trusted(name) else "shut in"
            self.stdout.write(f"{name:<20} {kind:<8} {version:<9} {held}".rstrip())
        for problem in config.PROBLEMS:
            self.stderr.write(problem)
        self.stdout.write(_jail())
        self.stdout.write(f"Bots of this installation are read from {settings.BOTS_FILE}")

    def _check(self, *, name: str | None, program: str | None, games: int, **options: Any) -> None:
        if bool(name) == bool(program) or games < 1:
            raise CommandError("Name one bot, or a command with --program, and at least one game.")
        if program:
            name = self._candidate(program, **options)
        assert name is not None
        try:
            version = bots.version_of(name)
        except KeyError:
            problems = "".join(f"\n{problem}" for problem in config.PROBLEMS)
            raise CommandError(
                f"There is no bot {name!r}: choose {', '.join(bots.BOTS)}.{problems}"
            ) from None
        except bots.PluggedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{name}, version {version}: {games} games in a row against itself")
        if bots.is_outside(name):
            self.stdout.write("It is trusted, not shut in." if _is_trusted(name) else _jail())
            folder = cast(Program, bots.BOTS[name]).folder
            self.stdout.write(f"It is started in {folder} and may read all that is there.")
        reports: list[checking.Report] = []
        reported: set[str] = set()
        try:
            for report in checking.check(name, games=games):
                reports.append(report)
                self._show(report, reported)
        except OurFault as error:
            raise CommandError(str(error)) from error
        for line in checking.summary(reports, outside=bots.is_outside(name)):
            self.stdout.write(line)
        wrong = sum(bool(report.problems) for report in reports)
        if wrong:
            raise CommandError(f"Something is wrong at {wrong} of {len(reports)} tables.")
        self.stdout.write(self.style.SUCCESS(f"All {len(reports)} tables went well."))

    def _simulate(self, arguments: argparse.Namespace) -> None:
        try:
            simulate.run(arguments, apart.play_block)
        except (EngineError, OurFault, OSError) as error:
            raise CommandError(str(error)) from error

    def _bench(self, arguments: argparse.Namespace) -> None:
        for name in (arguments.bot, arguments.opponent):
            if bots.is_outside(name):
                raise CommandError(f"{name} is a program: measure it with `bot simulate`.")
        try:
            bench_bots.measure(arguments)
        except (EngineError, ValueError) as error:
            raise CommandError(str(error)) from error

    def _recompute(self, key: str, numbers: list[int] | None) -> None:
        try:
            run = Run.objects.select_related("ruleset").get(pk=key)
        except (Run.DoesNotExist, ValidationError):
            raise CommandError(f"There is no run {key!r}. The records of a run name it.") from None
        if run.outside:
            raise CommandError(
                "A program from outside played in this run: it cannot be replayed exactly."
            )
        units = run.units.filter(state=Unit.State.DONE).order_by("index")
        if numbers:
            units = units.filter(index__in=[number - 1 for number in numbers])
        if not units:
            raise CommandError("None of these batches is finished.")
        different = sum(not self._is_same(run, unit) for unit in units)
        if different:
            raise CommandError(f"{different} of {len(units)} batches came out differently.")
        self.stdout.write(self.style.SUCCESS("All came out the same."))

    def _is_same(self, run: Run, unit: Unit) -> bool:
        unit.run = run
        try:
            digest = runs.play(unit).digest
        except run_records.OtherVersion as error:
            raise CommandError(f"{error}: these would be other games.") from error
        last = unit.first_deal + unit.deals
        said = "the same" if digest == unit.digest else f"DIFFERENT, {digest[:16]}…"
        self.stdout.write(
            f"batch {unit.index + 1}, deals {unit.first_deal + 1} to {last}: "
            f"{unit.digest[:16]}… {said}"
        )
        return digest == unit.digest

    def _candidate(
        self, program: str, *, seconds: float, folder: str | None, trusted: bool, **options: Any
    ) -> str:
        try:
            command = tuple(shlex.split(program))
        except ValueError as error:
            raise CommandError(f"--program: {error}") from error
        if not command or not 0.01 <= seconds <= 10:
            raise CommandError("--program needs a command, --seconds a number from 0.01 to 10.")
        place = Path(folder or ".").resolve()
        bots.register(
            CANDIDATE, Program(CANDIDATE, command, place, 0, Limits(seconds), trusted=trusted)
        )
        return CANDIDATE

    def _show(self, report: checking.Report, reported: set[str]) -> None:
        """Write a table's line and its problems; those already in `reported` are abbreviated."""
        verdict = "wrong" if report.problems else "well"
        table = report.situation
        self.stdout.write(
            f"  {table.ruleset.key:<14} {table.players} players  {table.what:<18} {verdict}"
        )
        for problem in report.problems:
            where, _, what = problem.partition(": ")
            again = what in reported
            reported.add(what)
            text = f"{where}: the same" if what and again else problem
            self.stdout.write("    " + text.replace("\n", "\n      "))


def _is_trusted(name: str) -> bool:
    made = bots.BOTS[name]
    return not isinstance(made, Program) or made.trusted


def _jail() -> str:
    """Return a sentence that says how this machine jails programs."""
    try:
        return f"Programs are shut in by {HELD_BY[jail_tier()]}."
    except JailError as error:
        return f"Programs are not started: {error}."
