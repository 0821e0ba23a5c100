"""A small network in whole numbers: its opinion of some inputs is the same on every machine.

The numbers of a layer lie side by side in one long integer, each in a *lane* of so many bits, so
that one addition adds all of them. Weights are bytes, in 64ths.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import compress, islice, pairwise
from operator import mul
from pathlib import Path

_UNIT = 64
_CODES = {16: "H", 32: "I", 64: "Q"}


class _Layer:
    """How numbers lie in lanes; they are raised by half of a lane's range, to be 0 or more."""

    def __init__(self, size: int, bits: int) -> None:
        self.size = size
        self._bits = bits
        self._half = 1 << bits - 1
        self._ones = self.lanes([1] * size)
        self._bytes = size * bits // 8
        self._unpack = struct.Struct(f"<{size}{_CODES[bits]}").unpack

    def lanes(self, values: Sequence[int]) -> int:
        """Return numbers side by side; those below 0 borrow from the lane above."""
        total = 0
        for value in reversed(values):
            total = (total << self._bits) + value
        return total

    def raised(self, values: Sequence[int]) -> int:
        """Return what the sum of a layer begins with."""
        return self.lanes([value + self._half for value in values])

    def positive(self, total: int) -> tuple[int, ...]:
        """Return the numbers of a sum, with 0 for those below 0."""
        signs = total >> self._bits - 1 & self._ones
        total &= signs * (self._half - 1)
        return self._unpack(total.to_bytes(self._bytes, "little"))

    def numbers(self, total: int) -> list[int]:
        """Return the numbers of a sum."""
        raised = self._unpack(total.to_bytes(self._bytes, "little"))
        return [number - self._half for number in raised]


_FIRST, _SECOND, _LAST = _Layer(256, 16), _Layer(64, 32), _Layer(3, 64)


class Network:
    """Inputs that are there or not, two hidden layers, and three opinions.

    `columns` has what each input gives to the first layer: the sum of the columns of the inputs
    that are there is what `opinions` takes.
    """

    def __init__(self, path: Path, inputs: int) -> None:
        data = memoryview(path.read_bytes()).cast("b")
        sizes = (inputs, _FIRST.size, _SECOND.size, _LAST.size)
        if len(data) != sum((size + 1) * following for size, following in pairwise(sizes)):
            raise ValueError(f"{path.name} is not for {inputs} inputs")
        weights = iter(data)

        def take(count: int) -> list[int]:
            return list(islice(weights, count))

        self.columns = [_FIRST.lanes(take(_FIRST.size)) for _ in range(inputs)]
        self._first = _FIRST.raised(take(_FIRST.size))
        self._to_second = [_SECOND.lanes(take(_SECOND.size)) for _ in range(_FIRST.size)]
        self._second = _SECOND.raised([_UNIT * bias for bias in take(_SECOND.size)])
        rows = [take(_SECOND.size) for _ in range(_LAST.size)]
        self._to_last = [_LAST.lanes(column) for column in zip(*rows, strict=True)]
        self._last = _LAST.raised([_UNIT**2 * bias for bias in take(_LAST.size)])

    def opinions(self, total: int) -> list[float]:
        """Return the opinions as logits, for the sum of the columns of all inputs."""
        first = _FIRST.positive(total + self._first)
        # What is 0 gives nothing to the next layer.
        given = map(mul, filter(None, first), compress(self._to_second, first))
        second = _SECOND.positive(sum(given, self._second))
        given = map(mul, filter(None, second), compress(self._to_last, second))
        return [number / _UNIT**3 for number in _LAST.numbers(sum(given, self._last))]
