"""Check the deals of saved games without our engine: all tables of a night, or one game.

    python3 docs/examples/check_deals.py FILE... [--seen VALUE ...]

A FILE is a game record, or holds one a line, as a night with the same deals downloads them. VALUE
is a fingerprint or a link that your device noted before the deal. It needs Python's standard
library alone and follows docs/live-tables.md, "Fair dealing". The exit status is 1 if a deal is
false.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

CARDS = [rank + suit for rank in "3456789TJQKA2" for suit in "SCDH"]
COMMON = ("secret", "commitment", "links", "parts")
"""What the tables with the same deals have in common."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each deal, and one for each fault; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seen", nargs="*", default=[], metavar="VALUE")
    options = parser.parse_args(arguments)
    deals: defaultdict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    try:
        for record in read(options.files):
            deals[record["deal"]["table"], record["deal"]["game"]].append(record)
        found = {about: faults(records) for about, records in sorted(deals.items())}
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        print(f"No record of a table's game: {error!r}", file=sys.stderr)
        return 2
    for (key, number), wrong in found.items():
        records = deals[key, number]
        parts = sum(map(bool, records[0]["deal"]["parts"]))
        print(
            f"{key} {number}: {len(records)} tables, {parts} parts, {'FALSE' if wrong else 'true'}"
        )
        for line in wrong:
            print(f"  {line}")
    missing = set(options.seen) - {value for each in deals.values() for value in public(each[0])}
    for value in sorted(missing):
        print(f"Seen before the deal, and in none of these: {value}")
    return 1 if missing or any(found.values()) else 0


def read(names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the records of all files."""
    for name in names:
        text = Path(name).read_text(encoding="utf-8")
        whole = text.strip().startswith("{\n")
        yield from map(json.loads, [text] if whole else text.splitlines())


def public(record: Mapping[str, Any]) -> list[str]:
    """Return what everyone could see of a deal before its cards."""
    return [record["deal"]["commitment"], *record["deal"]["links"]]


def faults(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is wrong with one deal at the tables that played it."""
    first, wrong = records[0]["deal"], []
    if any([record["deal"][name] for name in COMMON] != [first[name] for name in COMMON]
           for record in records):  # fmt: skip
        wrong.append("The tables name different secrets, links or parts.")
    for table, record in enumerate(records, start=1):
        wrong += [f"Table {table}: {line}" for line in faults_of(record)]
    return wrong


def faults_of(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with one table's record."""
    facts, hands = record["deal"], [text.split() for text in record["hands"]]
    if digest(facts["secret"]) != facts["commitment"]:
        yield "the fingerprint is not the secret's."
    for link, part in zip(facts["links"], facts["parts"], strict=True):
        if part and digest(part) != link:
            yield f"the link {link} is not the part's."
    key = key_of(facts)
    if facts["first"] != first_of(record):
        yield "the seat dealt to first is not the one that the rules say."
    follow = dealt(key, facts, hands, decks_of(record))
    if [sorted(hand) for hand in follow] != [sorted(hand) for hand in hands]:
        yield "these cards do not follow from the secret and the parts."
    if facts["drawn"]:
        numbers = words(key, f"tien-len-deal/1:{facts['table']}:dealer")
        if below(numbers, len(hands)) != facts["dealer"]:
            yield "the first dealer does not follow from them."


def digest(value: str) -> str:
    """Return the SHA-256 of hexadecimal digits, in the same digits."""
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


def key_of(facts: Mapping[str, Any]) -> bytes:
    """Return the deal's key: from the secret alone, or with the lists of links and parts."""
    secret = bytes.fromhex(facts["secret"])
    if not any(facts["parts"]):
        return secret
    lists = ":".join(
        "|".join(value or "-" for value in values) for values in (facts["links"], facts["parts"])
    )
    message = f"tien-len-deal/2:{facts['table']}:{facts['game']}:{lists}"
    return hmac.digest(secret, message.encode(), "sha256")


def words(key: bytes, label: str) -> Iterator[int]:
    """Yield the stream of a key and a label, four bytes at a time."""
    block = 0
    while True:
        made = hmac.digest(key, f"{label}:{block}".encode(), "sha256")
        yield from (int.from_bytes(made[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(numbers: Iterator[int], count: int) -> int:
    """Return the next number below `count`: draw again what is too large."""
    bits = count.bit_length()
    while (number := next(numbers) >> (32 - bits)) >= count:
        pass
    return number


def first_of(record: Mapping[str, Any]) -> int:
    """Return the seat dealt to first, by which everyone gets the one hand or the other."""
    facts, rules, previous = record["deal"], record["ruleset"], record["previous"]
    if facts["standalone"]:
        return -facts["game"] % len(record["hands"])
    to_winner = rules["first_card_to_winner"] if isinstance(rules, Mapping) else rules == "killa"
    if previous and to_winner:
        return previous["placings"][0][0]
    return (facts["dealer"] + 1) % len(record["hands"])


def decks_of(record: Mapping[str, Any]) -> int:
    """Return the number of decks: of house rules as they say, of a preset by the cards dealt."""
    rules, hands = record["ruleset"], record["hands"]
    if isinstance(rules, Mapping):
        return int(rules["decks"].get(str(len(hands)), 1))
    return 1 if sum(len(text.split()) for text in hands) <= len(CARDS) else 2


def dealt(
    key: bytes, facts: Mapping[str, Any], hands: Sequence[list[str]], decks: int
) -> list[list[str]]:
    """Return the hands that follow, as many cards in all as were dealt."""
    used = sum(map(len, hands))
    deck = CARDS * decks
    numbers = words(key, f"tien-len-deal/1:{facts['table']}:{facts['game']}")
    for at in range(len(deck) - 1, 0, -1):
        other = below(numbers, at + 1)
        deck[at], deck[other] = deck[other], deck[at]
    found: list[list[str]] = [[] for _ in hands]
    for at, card in enumerate(deck[:used]):
        found[(facts["first"] + at) % len(hands)].append(card)
    return found


if __name__ == "__main__":
    sys.exit(main())
