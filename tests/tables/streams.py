"""Streams of tables, asked for as an ASGI server would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Self

from asgiref.sync import sync_to_async
from django.db import connections

from config.asgi import application
from tables.models import Table


def in_thread(work: Callable[[], Any]) -> Awaitable[Any]:
    """Run what changes the database in a thread that keeps no connection."""

    def call() -> Any:
        try:
            return work()
        finally:
            connections.close_all()

    return sync_to_async(call)()


class Opened:
    """One open stream: what it was sent, and how it hangs up."""

    def __init__(self, **scope: Any) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.hung_up = asyncio.Event()
        self.asked = False
        scope = {"type": "http", "method": "GET"} | scope
        self.task = asyncio.ensure_future(application(scope, self.receive, self.sent.put))

    async def receive(self) -> dict[str, Any]:
        if not self.asked:
            self.asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def start(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.sent.get(), 60)

    async def body(self) -> str:
        """What was sent next."""
        return (await self.start())["body"].decode()

    async def told(self, version: int = 0) -> dict[str, Any]:
        """The next table that was sent, of this version or a later one."""
        while True:
            for found in self.tables_in(await self.body()):
                if found.get("version", version) >= version:
                    return found

    def tables_in(self, body: str) -> list[dict[str, Any]]:
        raise NotImplementedError

    async def end(self) -> bool:
        """Whether the server ends the stream by itself."""
        while (await self.start())["more_body"]:
            pass
        await asyncio.wait_for(self.task, 60)
        return True

    async def close(self) -> None:
        self.hung_up.set()
        await asyncio.wait_for(self.task, 60)

    async def __aenter__(self) -> Self:
        await self.start()
        self.first = await self.told()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()


class Stream(Opened):
    """The stream of a page."""

    def __init__(self, table: Table, token: str, *, host: str = "testserver", **more: Any) -> None:
        scope = {
            "path": f"/live/tables/{table.key}/",
            "query_string": f"token={token}&language=en&release=any".encode(),
            "headers": [(b"host", host.encode())],
        }
        super().__init__(**scope | more)

    def tables_in(self, body: str) -> list[dict[str, Any]]:
        lines = body.splitlines()
        return [json.loads(line[6:]) for line in lines if line.startswith('data: {"version"')]

    async def talk(self, text: str) -> str:
        """The talk that was sent with this text in it."""
        while True:
            for event in (await self.body()).split("\n\n"):
                if event.startswith("event: talk") and text in (found := said(event)):
                    return found


def said(event: str) -> str:
    (data,) = [line[6:] for line in event.splitlines() if line.startswith("data: ")]
    return json.loads(data)["talk"]


class Line(Opened):
    """The stream of a program."""

    def __init__(self, secret: str, path: str) -> None:
        headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {secret}".encode())]
        super().__init__(path=f"/api/v1/tables/{path}stream/", query_string=b"", headers=headers)

    def tables_in(self, body: str) -> list[dict[str, Any]]:
        return [json.loads(body)] if body.strip() else []
