"""Requests as the server hands them to Django: through ASGI, each in one thread."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from config import handler as handling
from config import progress, slow
from config.handler import THREADS, Handler
from config.health import Checks
from launcher.children import wait_until
from tests.loops import run

pytestmark = pytest.mark.django_db(transaction=True)
threads: list[str] = []
ended, let_go = threading.Event(), threading.Event()


def say(request: HttpRequest) -> HttpResponse:
    threads.append(threading.current_thread().name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse(request.body or b"nothing", status=201)


def fail(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


def endless(request: HttpRequest) -> StreamingHttpResponse:
    async def lines() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"more\n"
                await asyncio.sleep(0)
        finally:
            ended.set()

    return StreamingHttpResponse(lines())


def linger(request: HttpRequest) -> HttpResponse:
    assert let_go.wait(30)
    return HttpResponse(b"at last")


urlpatterns = [
    path("say/", say),
    path("fail/", fail),
    path("endless/", endless),
    path("linger/", linger),
    path("metrics/", say),
]


class Asked:
    """One request: what was answered, and the body that is still to come."""

    def __init__(self, handler: Handler, address: str, *body: bytes) -> None:
        self.scope = {
            "type": "http",
            "method": "POST" if body else "GET",
            "path": address,
            "query_string": b"",
            "headers": [
                (b"host", b"testserver"),
                (b"x-csrftoken", b"c" * 32),
                (b"cookie", b"csrftoken=" + b"c" * 32),
            ],
        }
        self.handler, self.sent, self.gone = handler, asyncio.Queue[Any](), asyncio.Event()
        self.parts = list(body) or [b""]

    async def receive(self) -> dict[str, Any]:
        if self.parts:
            part = self.parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(self.parts)}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    def start(self) -> asyncio.Task[None]:
        return asyncio.ensure_future(self.handler(self.scope, self.receive, self.sent.put))

    async def answer(self) -> tuple[int, bytes]:
        await asyncio.wait_for(self.start(), 30)
        first = self.sent.get_nowait()
        return first["status"], self.sent.get_nowait()["body"]


@pytest.fixture
def handler():
    with override_settings(ROOT_URLCONF=__name__):
        yield Handler()


def test_a_body_in_parts_is_answered_from_one_of_the_threads(handler):
    assert run(Asked(handler, "/say/", b"one ", b"two").answer()) == (201, b"one two")
    assert threads.pop().startswith("request")


def test_many_requests_share_a_few_threads_and_leave_no_connection_open(handler):
    threads.clear()

    async def ask() -> list[tuple[int, bytes]]:
        return await asyncio.gather(*[Asked(handler, "/say/").answer() for _ in range(60)])

    def in_use() -> int:
        stats = connection.pool.get_stats()
        return stats["pool_size"] - stats["pool_available"]

    connection.close()
    before = in_use()
    assert run(ask()) == [(201, b"nothing")] * 60
    assert 1 <= len(set(threads)) <= THREADS
    # The pool looks at what it gets back in a thread of its own.
    assert wait_until(lambda: in_use() == before, seconds=20)


def test_a_view_that_fails_is_answered_with_500(handler, caplog):
    status, body = run(Asked(handler, "/fail/").answer())
    assert status == 500
    assert b"ZeroDivisionError" not in body


def test_a_response_that_nobody_reads_any_more_is_not_made_further(handler):
    ended.clear()

    async def leave() -> int:
        asked = Asked(handler, "/endless/")
        task = asked.start()
        assert (await asyncio.wait_for(asked.sent.get(), 30))["status"] == 200
        await asyncio.wait_for(asked.sent.get(), 30)
        asked.gone.set()
        await asyncio.wait_for(task, 30)
        return asked.sent.qsize()

    assert run(leave()) >= 0
    assert ended.wait(30)


def test_a_body_that_breaks_off_is_no_request(handler):
    async def break_off() -> int:
        asked = Asked(handler, "/say/")
        asked.parts, asked.gone = [], asyncio.Event()
        asked.gone.set()
        await asyncio.wait_for(asked.start(), 30)
        return asked.sent.qsize()

    assert run(break_off()) == 0


def test_who_finds_no_thread_free_is_refused_and_the_process_is_looked_after(monkeypatch, caplog):
    monkeypatch.setattr(handling, "PATIENCE", 0.3)
    monkeypatch.setattr(slow, "SECONDS", 0.2)
    let_go.clear()

    async def ask(app: Any) -> None:
        lingering = [Asked(app, "/linger/") for _ in range(THREADS)]
        asked = [each.start() for each in lingering]
        late = Asked(app, "/say/")
        await asyncio.wait_for(late.start(), 30)
        first = late.sent.get_nowait()
        assert (first["status"], dict(first["headers"])[b"Retry-After"]) == (503, b"3")
        assert progress.count() == THREADS
        assert progress.oldest() >= 0.3
        assert (await Asked(app, "/metrics/").answer())[0] == 201
        let_go.set()
        await asyncio.gather(*asked)
        assert [each.sent.get_nowait()["status"] for each in lingering] == [200] * THREADS

    with override_settings(ROOT_URLCONF=__name__):
        run(ask(Checks(Handler(), lambda: None)))
    assert progress.count() == 0
    told = [record.getMessage() for record in caplog.records if record.name == "requests.slow"]
    assert [line for line in told if line.startswith("GET /linger/ is not answered after")]
