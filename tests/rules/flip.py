"""Flips: options laid over every game of a test, under which the test must fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Flip = dict[str, Any]

_flip: ContextVar[Flip | None] = ContextVar("flip", default=None)


@contextmanager
def flipped(flip: Flip) -> Iterator[None]:
    """Deal every table inside under the flipped rules."""
    token = _flip.set(flip)
    try:
        yield
    finally:
        _flip.reset(token)


def with_flip(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a record with the current flip on top."""
    return options | (_flip.get() or {})
