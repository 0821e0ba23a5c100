"""An event loop for a test: a browser test before it leaves its own in the main thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def run(work: Coroutine[object, object, Answer]) -> Answer:
    """Run the coroutine in a loop of its own thread, whatever runs in this one."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, work).result()


def in_loop(test: Callable[..., Coroutine[object, object, None]]) -> Callable[..., None]:
    """Run an asynchronous test."""

    @wraps(test)
    def in_own_loop(*args: Any, **fixtures: Any) -> None:
        run(test(*args, **fixtures))

    return in_own_loop
