"""Makes a record on which engine and reference differ as small as it gets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.reference import cards as c
from tests.reference.compare import reference_difference
from tests.reference.table import Illegal


def manner(words: str | None) -> str:
    """What kind of difference it is: the words without numbers and cards."""
    words = words or ""
    if not words.startswith("engine raised"):
        return words.partition(":")[0]
    return re.sub(r"\b[0-9A-Z]+\b", "", words)


def still_differs(record: dict, like: str) -> bool:
    """Whether a smaller record is legal for the reference and differs in the same manner."""
    try:
        return manner(reference_difference(record)) == like
    except (Illegal, ValueError, IndexError, KeyError):
        return False


def smaller(record: dict) -> Iterator[dict]:
    """Records with one thing less."""
    actions = record["actions"]
    for count in range(len(actions)):
        yield {**record, "actions": actions[:count]}
    for length in range(8, 0, -1):
        for start in range(len(actions) - length):
            yield {**record, "actions": actions[:start] + actions[start + length :]}
    for name in record.get("options") or {}:
        options = {key: value for key, value in record["options"].items() if key != name}
        yield {**record, "options": options}
    for name, plain in (("leader", None), ("previous", None), ("stake", 1)):
        if record.get(name) != plain:
            yield {**record, name: plain}
    if previous := record.get("previous"):
        if previous.get("hands"):
            yield {**record, "previous": {k: v for k, v in previous.items() if k != "hands"}}
        for name in ("gone", "chops"):
            if previous.get(name):
                yield {**record, "previous": {**previous, name: previous[name][:-1]}}
    yield from fewer_cards(record)


def fewer_cards(record: dict) -> Iterator[dict]:
    """The record with one card less in every hand, cards that no action names first."""
    used = {card for action in record["actions"] for card in c.parse(action.get("cards", ""))}
    hands = [sorted(c.parse(hand), key=lambda card: card in used) for hand in record["hands"]]
    if min(len(hand) for hand in hands) > 1:
        for choice in range(3):
            yield {**record, "hands": [c.text(without_one(hand, choice)) for hand in hands]}


def without_one(hand: list[int], choice: int) -> list[int]:
    return c.without(hand, [hand[min(choice, len(hand) - 1)]])


def minimise(record: dict, differs: Callable[[dict, str], bool] = still_differs) -> dict:
    """The smallest record that can be reached by leaving out one thing after the other."""
    like = manner(reference_difference(record))
    while True:
        found = next((less for less in smaller(record) if differs(less, like)), None)
        if found is None:
            return record
        record = found
