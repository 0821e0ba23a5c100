"""Records as arrays for learners: what a seat saw and chose at each decision, and what it got."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..records.read import each_action, start_of
from ..records.record import parse
from ..rules.game import apply, legal_actions, observe, outcome
from .actions import ACTIONS, by_number, number_of
from .observations import encode
from .rewards import rewards

Sample = tuple[list[int], list[int], int, int, int]


def write(records: Path, file: Path, most: int) -> int:
    """Write the decisions of the first games of a file of records as npz; return their number.

    The arrays, with a row for each decision: `observations`, `masks` (packed by numpy.packbits),
    `actions`, `seats`, `games`; `rewards` has a row for each game. Decisions without a choice, and
    those whose action has no number, are left out.
    """
    import numpy

    rows: list[Sample] = []
    ends: list[list[float]] = []
    for number, record in enumerate(_read(records, most)):
        rows += _samples(record, number, ends)
    seen, legal, chosen, seats, games = ([row[at] for row in rows] for at in range(5))
    masks = numpy.zeros((len(rows), ACTIONS), bool)
    for row, numbers in enumerate(legal):
        masks[row, numbers] = True
    players = max(map(len, ends), default=0)
    numpy.savez_compressed(
        file,
        observations=numpy.array(seen, numpy.int8),
        masks=numpy.packbits(masks, axis=1),
        actions=numpy.array(chosen, numpy.int16),
        seats=numpy.array(seats, numpy.int8),
        games=numpy.array(games, numpy.int32),
        rewards=numpy.array([end + [0.0] * (players - len(end)) for end in ends], numpy.float32),
    )
    return len(rows)


def _read(records: Path, most: int) -> Iterator[Any]:
    opened = gzip.open if records.suffix == ".gz" else open
    with opened(records, "rb") as lines:
        for _number, line in zip(range(most), lines, strict=False):
            yield parse(line)


def _samples(record: Any, number: int, ends: list[list[float]]) -> Iterator[Sample]:
    """Yield the decisions of a game; add its rewards to `ends`."""
    state = start_of(record)
    for action in each_action(record):
        legal = by_number(legal_actions(state)) if state.turn == action.seat else {}
        chosen = number_of(action)
        if len(legal) > 1 and chosen in legal:
            yield encode(observe(state, action.seat)), [*legal], chosen, action.seat, number
        apply(state, action)
    ends.append(rewards(outcome(state)))
