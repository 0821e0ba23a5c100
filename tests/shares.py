"""Long lists that the short form takes a part of, another one in each test."""

from collections.abc import Iterable
from typing import Any

import pytest


def share(values: Iterable[Any], turn: int = 0, *, of: int = 3) -> list[Any]:
    """All of these for `script/test --long`, every third from `turn` on for the short form."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=[] if number % of == turn else [pytest.mark.long],
        )
        for number, value in enumerate(values)
    ]
