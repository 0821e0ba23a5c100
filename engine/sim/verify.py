"""Check with ``python -m engine.sim.verify`` that a run's seed dealt its cards.

A run publishes a commitment before its first game and its seed after its last. Anyone who has
downloaded its records can check here that nothing was chosen in between, without trusting the
server.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from typing import Any

from ..records import read
from ..rules.cards import CardError, format_cards, parse_cards
from ..rules.errors import RecordError
from .simulation import hands_of


def commitment_to(seed: str) -> str:
    """Return the commitment to a seed, which is published beforehand: its SHA-256."""
    return hashlib.sha256(seed.encode()).hexdigest()


def wrong_deals(records: Iterable[dict[str, Any]], seed: str) -> list[str]:
    """Return a message for each game whose hands are not those that the seed deals."""
    wrong = []
    for record in records:
        number, hands = record["event"]["deal"], [parse_cards(text) for text in record["hands"]]
        dealt = hands_of(read.ruleset_of(record), len(hands), seed, number - 1)
        if [sorted(hand) for hand in hands] != [sorted(hand) for hand in dealt]:
            expected = " / ".join(format_cards(sorted(hand)) for hand in dealt)
            wrong.append(f"deal {number}: the seed deals {expected}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m engine.sim.verify", description=__doc__)
    parser.add_argument("--seed", required=True, help="revealed when the run was over")
    parser.add_argument("--commitment", required=True, help="published before its first game")
    asked = parser.parse_args()
    if commitment_to(asked.seed) != asked.commitment.strip().lower():
        print("This seed is not the one that the commitment was made to.")
        return 1
    lines = [json.loads(line) for line in sys.stdin if line.strip()]
    records = [line for line in lines if "event" in line]
    try:
        wrong = wrong_deals(records, asked.seed)
    except (RecordError, CardError, KeyError, TypeError) as error:
        print(f"These are no records of a run: {error}")
        return 1
    for line in wrong:
        print(line)
    print(f"{len(records) - len(wrong)} of {len(records)} games were dealt by this seed.")
    return 1 if wrong or not records else 0


if __name__ == "__main__":
    sys.exit(main())
