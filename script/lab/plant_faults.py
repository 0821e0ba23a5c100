"""Plants faults in a copy of the product, and says which family of tests sees each.

    script/test --faults 300               draws, runs the tests that reach each, prints the table
    script/lab/plant_faults.py --help      its options

First the whole suite runs once, followed line by line, so that each fault meets only tests that
reach it: the quickest of each family, up to SECONDS of them. What a run finds is kept in
var/faults, and a run that was stopped goes on there. Faults that change nothing a person could
notice stand in tests/data/harmless_faults.toml, each with its reason: they do not count.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from script.lab.faults import ROOT, Fault, draw
from tests.plugins.once_a_family import family_of

HARMLESS = ROOT / "tests/data/harmless_faults.toml"
SECONDS = 20.0
"""Seconds of tests of one family that meet a fault, by what they took when they were followed."""
MOST_TESTS = 60
LONGEST = 300
"""Seconds after which a fault that hangs the tests counts as seen."""


@dataclass(frozen=True)
class Reach:
    """Which tests reach a line, and how long each takes."""

    seconds: Mapping[str, float]
    templates: Mapping[str, set[str]]
    lines: Path

    def of(self, fault: Fault) -> list[str]:
        """Return the tests that reach a fault, quickest first, a share of each family."""
        if fault.kind == "template":
            found = self.templates.get(fault.path, set())
        else:
            found = set(self._tests(fault.path, *fault.lines))
        spent: Counter[str] = Counter()
        count: Counter[str] = Counter()
        chosen = []
        for test in sorted(found, key=lambda test: (self.seconds.get(test, 0), test)):
            family = family_of(test)
            if spent[family] < SECONDS * 1000 and count[family] < MOST_TESTS:
                chosen.append(test)
                count[family] += 1
                spent[family] += round(1000 * self.seconds.get(test, 0))
        return chosen

    def _tests(self, path: str, first: int, last: int) -> Iterator[str]:
        from coverage.numbits import numbits_to_nums

        question = """
            SELECT context.context, line_bits.numbits FROM line_bits
            JOIN file ON file.id = line_bits.file_id
            JOIN context ON context.id = line_bits.context_id
            WHERE file.path = ? AND context.context <> ''
        """
        with sqlite3.connect(self.lines) as database:
            for test, bits in database.execute(question, [str(ROOT / path)]):
                if any(first <= line <= last for line in numbits_to_nums(bits)):
                    yield test


def follow(folder: Path) -> Reach:
    """Return what each test reaches; run the whole suite for it where that is not known yet."""
    from coverage import CoverageData

    lines = folder / "lines"
    if not lines.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command = [sys.executable, "-m", "pytest", "-q", f"-n{(os.cpu_count() or 1) + 1}"]
        command += ["--dist=worksteal", "-p", "tests.plugins.reach"]
        subprocess.run(command, cwd=ROOT, env=os.environ | {"REACH": str(folder)}, check=False)
        whole = CoverageData(basename=str(folder / "whole"))
        for part in folder.glob("lines-*"):
            own = CoverageData(basename=str(part))
            own.read()
            whole.update(own)
            part.unlink()
        whole.write()
        (folder / "whole").rename(lines)
    seconds: dict[str, float] = {}
    templates: dict[str, set[str]] = defaultdict(set)
    for file in folder.glob("tests-*.jsonl"):
        for test, took, drawn in map(json.loads, file.read_text().splitlines()):
            seconds[test] = took
            for name in drawn:
                templates[name].add(test)
    return Reach(seconds, templates, lines)


@dataclass
class Copy:
    """A copy of the checkout, in which one fault at a time is planted."""

    folder: Path

    def make(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for name in names:
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        (self.folder / ".venv").symlink_to(ROOT / ".venv")

    def try_out(self, fault: Fault, tests: Iterable[str]) -> dict[str, dict[str, object]]:
        """Return which families ran, and which failed, with the fault planted."""
        file, answer = self.folder / fault.path, self.folder / "families.json"
        text = (ROOT / fault.path).read_text()
        chosen = self.folder / "chosen.txt"
        chosen.write_text("\n".join(tests))
        answer.unlink(missing_ok=True)
        file.write_text(fault.plant(text))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p"]
        command += ["tests.plugins.once_a_family", f"@{chosen}"]
        environment = os.environ | {"FAMILIES": str(answer), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return {"ran": {}, "failed": {"hangs": ""}}
        finally:
            file.write_text(text)
        if not answer.exists():  # Nothing could be imported.
            return {"ran": {}, "failed": {"import": done.stdout[-300:].decode(errors="replace")}}
        found: dict[str, dict[str, object]] = json.loads(answer.read_text())
        return found


def plant(faults: list[Fault], reach: Reach, results: Path, copies: int) -> None:
    """Try out all faults that have no result yet, in some copies side by side."""
    known = {row["key"] for row in _rows(results)}
    waiting = [fault for fault in faults if fault.key not in known]
    writing = Lock()

    def work(number: int) -> None:
        copy = Copy(results.parent / f"copy-{number}")
        copy.make()
        while True:
            with writing:
                if not waiting:
                    return
                fault = waiting.pop()
            tests = reach.of(fault)
            found = copy.try_out(fault, tests) if tests else {"ran": {}, "failed": {}}
            row = {"key": fault.key, "kind": fault.kind, "tests": len(tests)} | found
            with writing, results.open("a") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                by = ", ".join(found["failed"]) or "NOBODY"
                print(f"{len(waiting):4} left  {fault.key}  {len(tests)} tests  {by}", flush=True)

    with ThreadPoolExecutor(copies) as pool:
        list(pool.map(work, range(copies)))


def report(faults: list[Fault], results: Path) -> str:
    """Return the tables: by kind of fault, by family of tests, and what nobody saw."""
    harmless = tomllib.loads(HARMLESS.read_text()) if HARMLESS.exists() else {}
    rows = {row["key"]: row for row in _rows(results)}
    found = [rows[fault.key] for fault in faults if fault.key in rows]
    counted = [row for row in found if row["failed"] or row["key"] not in harmless]
    lines = ["kind               planted  harmless  seen  share"]
    for kind in [*dict.fromkeys(row["kind"] for row in found), "all"]:
        of = [row for row in found if kind in (row["kind"], "all")]
        left = [row for row in counted if kind in (row["kind"], "all")]
        seen = sum(bool(row["failed"]) for row in left)
        share = f"{seen / len(left):.0%}" if left else "-"
        lines.append(f"{kind:<18} {len(of):7} {len(of) - len(left):9} {seen:5} {share:>6}")
    ran, saw, alone = Counter[str](), Counter[str](), Counter[str]()
    for row in counted:
        ran.update(row["ran"].keys())
        saw.update(row["failed"].keys())
        if len(row["failed"]) == 1:
            alone.update(row["failed"].keys())
    lines += ["", "family                 met  seen  seen by no other"]
    lines += [f"{one:<22} {n:4} {saw[one]:5} {alone[one]:5}" for one, n in ran.most_common()]
    lines += ["", "seen by nobody:"]
    lines += [f"{row['key']}  ({row['tests']} tests)" for row in counted if not row["failed"]]
    return "\n".join(lines)


def _rows(results: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in results.open()] if results.exists() else []


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="how many faults, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--copies", type=int, default=os.cpu_count() or 1, help="side by side")
    parser.add_argument("--report", action="store_true", help="print what is known, run nothing")
    options = parser.parse_args(arguments)
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    folder = ROOT / "var" / "faults" / hashlib.sha256(commit.encode()).hexdigest()[:8]
    faults, results = draw(options.count, options.seed), folder / f"seed-{options.seed}.jsonl"
    if not options.report:
        plant(faults, follow(folder / "reach"), results, options.copies)
    print(report(faults, results))


if __name__ == "__main__":
    main()
