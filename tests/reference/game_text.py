"""Short notation for hand-written games: hands as lines, actions as `seat answer` words."""

from __future__ import annotations

from tests.reference.records import action_of


def record(key: str, hands: list[str], actions: str = "", **fields) -> dict:
    """A record whose actions are given as lines such as `0 3S 3C`, `1 pass`, `2 ask 7`."""
    lines = [line.strip().partition(" ") for line in actions.strip().splitlines()]
    return {
        "format": "tien-len-record/1",
        "ruleset": key,
        "hands": hands,
        "leader": None,
        "previous": None,
        "stake": 1,
        "actions": [action_of(int(seat), answer) for seat, _, answer in lines],
        **fields,
    }
