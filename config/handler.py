"""Django behind ASGI, with each request in one thread.

All our views and middleware are synchronous. Django's own handler sends a request to a new thread
and back for each layer of middleware; here it goes to one of a few threads once.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse
from django.urls import set_script_prefix

# Threads of one process take turns at Python's lock, and each turn costs (docs/performance.md).
# With fewer than three, two slow pages would hold everybody up.
THREADS = 3


class Handler(ASGIHandler):
    """An ASGI application that answers requests as Django does."""

    def __init__(self) -> None:
        super().__init__()
        connections = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"]
        self._threads = ThreadPoolExecutor(min(THREADS, connections), thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await self._in_thread(self._answer, scope, body)
        if response.streaming:
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    async def _stream(self, response: Any, receive: Any, send: Any) -> None:
        """Sends a response that is made meanwhile, until nobody reads it any more."""
        sending = asyncio.ensure_future(self.send_response(response, send))
        gone = asyncio.ensure_future(receive())
        gone.add_done_callback(lambda _gone: sending.cancel())
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await sending
        finally:
            gone.cancel()
            await self._in_thread(response.close)

    async def _in_thread(self, work: Any, *args: Any) -> Any:
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, context.run, work, *args)

    def _answer(self, scope: Any, body: Any) -> Any:
        """The response; it is closed where nothing of it has still to be made."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            response.close()
        if request is None:
            body.close()
        return response
