"""The long comparison of the engine with the reference, from the command line."""

from __future__ import annotations

import argparse
import json
import sys
import time

from tests.reference.compare import Tally, compare, reference_difference
from tests.reference.minimise import minimise
from tests.reference.names import to_engine
from tests.reference.rulesets import PRESETS


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description=__doc__)
    parser.add_argument("--positions", type=int, default=20_000, help="positions per ruleset")
    parser.add_argument("--chops", type=int, help="of them with a legal chop (default: a tenth)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rulesets", nargs="*", default=list(PRESETS), choices=list(PRESETS))
    parser.add_argument(
        "--only", choices=("presets", "house"), help="leave out house rules, or plain presets"
    )
    parser.add_argument("--failures", type=int, default=3, help="stop a ruleset after so many")
    return parser.parse_args()


def show(name: str, tally: Tally, seconds: float) -> None:
    print(
        f"{name:22} {tally.positions:7} positions, {tally.chops:6} with a legal chop,"
        f" {tally.exchanges:6} before play, {tally.games:6} games, {len(tally.failures)} failures"
        f" ({seconds:.0f} s)",
        flush=True,
    )
    for record in tally.failures:
        small = minimise(record)
        print("  " + json.dumps(small))
        print("  for the engine: " + json.dumps(to_engine(small)))
        print(f"  {reference_difference(small)}", flush=True)


def main() -> int:
    arguments = parse_arguments()
    chops = arguments.positions // 10 if arguments.chops is None else arguments.chops
    failed = False
    for key in arguments.rulesets:
        for house in (False, True):
            if arguments.only == ("presets" if house else "house"):
                continue
            start = time.monotonic()
            tally = compare(
                key, arguments.positions, arguments.seed, house, chops, arguments.failures
            )
            show(key + " with options" * house, tally, time.monotonic() - start)
            failed |= bool(tally.failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
