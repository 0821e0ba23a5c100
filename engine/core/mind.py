"""The network of the bot `master` in whole numbers: it gives the same opinion on every machine.

The kernels add numbers of arrays. Plain Python packs a layer's numbers into one long integer, each
in a *lane* of fixed width, so that one addition adds them all. Weights are bytes, in 64ths.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache
from itertools import compress, islice, pairwise
from math import exp
from operator import mul
from pathlib import Path
from typing import Any

from .kernels import mind_layout as M

UNIT = 64
_SIZES = (M.INPUTS, M.MIND_FIRST, M.MIND_SECOND, M.OPINIONS)
_CODES = {16: "H", 32: "I", 64: "Q"}


class _Layer:
    """The lanes of a layer; its sums are offset by half a lane's range so that none is negative."""

    def __init__(self, size: int, bits: int) -> None:
        self.size = size
        self._bits = bits
        self._half = 1 << bits - 1
        self._ones = self.lanes([1] * size)
        self._bytes = size * bits // 8
        self._unpack = struct.Struct(f"<{size}{_CODES[bits]}").unpack

    def lanes(self, values: Sequence[int]) -> int:
        """Return numbers packed into lanes; a negative one borrows from the lane above."""
        total = 0
        for value in reversed(values):
            total = (total << self._bits) + value
        return total

    def raised(self, values: Sequence[int]) -> int:
        """Return the offset biases of a layer, with which its sum begins."""
        return self.lanes([value + self._half for value in values])

    def positive(self, total: int) -> tuple[int, ...]:
        signs = total >> self._bits - 1 & self._ones
        total &= signs * (self._half - 1)
        return self._unpack(total.to_bytes(self._bytes, "little"))

    def numbers(self, total: int) -> list[int]:
        raised = self._unpack(total.to_bytes(self._bytes, "little"))
        return [number - self._half for number in raised]


_FIRST, _SECOND, _LAST = _Layer(M.MIND_FIRST, 16), _Layer(M.MIND_SECOND, 32), _Layer(M.OPINIONS, 64)


class Mind:
    """The network: binary inputs, two hidden layers, and three opinions as logits."""

    def __init__(self, path: Path) -> None:
        data = memoryview(path.read_bytes()).cast("b")
        if len(data) != sum((size + 1) * following for size, following in pairwise(_SIZES)):
            raise ValueError(f"{path.name} is not for {M.INPUTS} inputs")
        weights = iter(data)

        def take(count: int) -> list[int]:
            return list(islice(weights, count))

        rows = [take(M.MIND_FIRST) for _ in range(M.INPUTS)]
        bias = take(M.MIND_FIRST)
        to_second = [take(M.MIND_SECOND) for _ in range(M.MIND_FIRST)]
        second_bias = [UNIT * number for number in take(M.MIND_SECOND)]
        to_last = [take(M.MIND_SECOND) for _ in range(M.OPINIONS)]
        last_bias = [UNIT**2 * number for number in take(M.OPINIONS)]
        self.numbers = [
            *(number for row in rows for number in row), *bias,
            *(number for row in to_second for number in row), *second_bias,
            *(number for row in to_last for number in row), *last_bias, *chances(),
        ]  # fmt: skip
        """The numbers for the kernels, laid out as in `kernels.mind_layout`."""
        self._columns = [_FIRST.lanes(row) for row in rows]
        self._first = _FIRST.raised(bias)
        self._to_second = [_SECOND.lanes(row) for row in to_second]
        self._second = _SECOND.raised(second_bias)
        self._to_last = [_LAST.lanes(column) for column in zip(*to_last, strict=True)]
        self._last = _LAST.raised(last_bias)

    def sum_of(self, inputs: Sequence[int]) -> int:
        """Return the sum of the columns of some inputs."""
        return sum([self._columns[number] for number in inputs])

    def opinions(self, total: int) -> list[int]:
        """Return the opinions in units of 1 / UNIT**3, given the sum of all inputs' columns."""
        first = _FIRST.positive(total + self._first)
        # A neuron at 0 adds nothing to the next layer.
        given = map(mul, filter(None, first), compress(self._to_second, first))
        second = _SECOND.positive(sum(given, self._second))
        given = map(mul, filter(None, second), compress(self._to_last, second))
        return _LAST.numbers(sum(given, self._last))


@cache
def chances() -> tuple[int, ...]:
    """Return the chance for each step of an opinion, lowest first, in units of 1 / CERTAIN."""
    middle = [M.CHANCE_STEP * (at - M.CHANCES // 2 + 0.5) / UNIT**3 for at in range(M.CHANCES)]
    return tuple(round(M.CERTAIN / (1 + exp(-opinion))) for opinion in middle)


def _begin_sums(mind: Mind, sums: list[int], notes: Sequence[int], end: int) -> None:
    sums[0] = mind.sum_of(notes[M.N_INPUTS : M.N_INPUTS + end])


def _ask(
    mind: Mind, sums: Sequence[int], notes: list[int], start: int, less: int, end: int
) -> None:
    total = sums[0] - mind.sum_of(notes[M.N_INPUTS + start : M.N_INPUTS + less])
    total += mind.sum_of(notes[M.N_INPUTS + less : M.N_INPUTS + end])
    for number, opinion in enumerate(mind.opinions(total)):
        at = opinion // M.CHANCE_STEP + M.CHANCES // 2
        notes[M.N_CHANCES + number] = chances()[min(max(at, 0), M.CHANCES - 1)]


INSTEAD: dict[str, Callable[..., Any]] = {"begin_sums": _begin_sums, "ask": _ask}
"""Replacements of kernels in plain Python, by name."""
