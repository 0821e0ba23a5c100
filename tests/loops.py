"""An event loop for a test: a browser test before it leaves its own in the main thread."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")


def run(work: Coroutine[object, object, Answer]) -> Answer:
    """Run the coroutine in a loop of its own thread, whatever runs in this one."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, work).result()
