"""Django behind ASGI, with each request in one thread.

All our views and middleware are synchronous. Django's own handler sends a request to a new thread
and back for each layer of middleware; here it goes to one of a few threads once. A request that
gets no thread within `PATIENCE` is refused.
"""

import asyncio
import contextlib
import contextvars
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse
from django.urls import set_script_prefix

from config import errors, headers, progress, slow
from tables.base import row_locks

log = logging.getLogger("requests")

# The threads of a process compete for Python's lock, and each switch costs (docs/performance.md).
# With fewer than three, two slow pages would block all others.
THREADS = 3
# Phones give up after eight to ten seconds, and repeat requests that have an idempotency key.
PATIENCE = 8.0


class Handler(ASGIHandler):
    """An ASGI application that answers requests as Django does."""

    def __init__(self, *, threads: int = THREADS, name: str = "request") -> None:
        super().__init__()
        # One connection stays free for the checks of this process.
        connections = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"] - 1
        self._threads = ThreadPoolExecutor(min(threads, connections), thread_name_prefix=name)
        self._teller = ThreadPoolExecutor(1, thread_name_prefix="slow")

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with progress.going_on(scope["method"], scope["path"]) as request:
            telling = asyncio.get_running_loop().call_later(
                slow.SECONDS, self._teller.submit, slow.tell, request
            )
            try:
                response = await self._respond(scope, body)
            finally:
                telling.cancel()
        headers.add_common(response)  # A refusal may have passed no middleware.
        body.close()  # Otherwise a client that does not read its answer keeps it in memory.
        if response.streaming:
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    async def _respond(self, scope: Any, body: Any) -> Any:
        """Return the response from a thread; 503 if none was free within `PATIENCE`."""
        work = self._submit(self._answer, scope, body)
        answer = asyncio.wrap_future(work)
        done, _late = await asyncio.wait({answer}, timeout=PATIENCE)
        if done or not work.cancel():
            return await answer
        request, refusal = self.create_request(scope, body)
        log.warning("Refused after %.0f s: no thread was free", PATIENCE)
        return refusal if request is None else errors.busy(request)

    async def _stream(self, response: Any, receive: Any, send: Any) -> None:
        """Send a streaming response until it ends or the client disconnects."""
        sending = asyncio.ensure_future(self.send_response(response, send))
        gone = asyncio.ensure_future(receive())
        gone.add_done_callback(lambda _gone: sending.cancel())
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await sending
        finally:
            gone.cancel()
            await asyncio.wrap_future(self._submit(response.close))

    def _submit(self, work: Any, *args: Any) -> Future[Any]:
        return self._threads.submit(contextvars.copy_context().run, work, *args)

    def _answer(self, scope: Any, body: Any) -> Any:
        """Return the response, closed unless it is streaming."""
        row_locks.in_web.set(True)
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            response.close()
        return response
