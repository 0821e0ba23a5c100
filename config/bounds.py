"""Stops a body that no page takes before it fills the disk: Django keeps all of it first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

AsgiMessage = Any  # A message of ASGI: a mapping by name.
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]
App = Callable[[AsgiMessage, Receive, Send], Awaitable[None]]

# The largest thing that may come is a club's archive of 50 million bytes.
MOST_BYTES = 52_000_000


class BoundedBodies:
    """Answers 413 to a body that says that it is too long, and hangs up on one that grows so."""

    def __init__(self, app: App, most: int = MOST_BYTES) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if _said(scope) > self.most:
            await _too_large(send)
            return
        came = 0

        async def bounded() -> AsgiMessage:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            return {"type": "http.disconnect"} if came > self.most else message

        await self.app(scope, bounded, send)


def _said(scope: AsgiMessage) -> int:
    """Return the length that the request says it has; 0 where it says none or nonsense."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0


async def _too_large(send: Send) -> None:
    text = b"This is too large.\n"
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": text})
