"""What one process tells those who have a table open, whatever it is that they see."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from tables.base.announce import CHANNEL, TALK
from tables.live.announcements import Announcements
from tables.live.hub import BOARD, Hub, Listener, Rendered
from tables.live.stream import conninfo
from tests.loops import in_loop

pytestmark = pytest.mark.django_db(transaction=True)


class Renderings:
    """Parts that count how often they were made."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, list[Any]]] = []
        self.state: str | None = "first"
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def make(self, key: str, part: str, name: str, views: Any) -> dict[Any, Rendered]:
        self.asked.append((part, name, sorted(views)))
        await self.go_on.wait()
        if self.state is None:
            raise ValueError
        text = f"{part} {self.state}"
        return {view: Rendered(f"{text} for {view}".encode, mark=text) for view in views}


def hub_of(made: Renderings, **more: Any) -> Hub:
    return Hub(Announcements(conninfo, CHANNEL), made.make, **more)


def announce(*payloads: str) -> None:
    """What the database tells everybody who listens."""
    try:
        with connections["default"].cursor() as cursor:
            for payload in payloads:
                cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])
    finally:
        connections.close_all()


async def until(true: Callable[[], bool]) -> None:
    for _ in range(3000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("It has not come about.")


async def joined(hub: Hub, made: Renderings, *views: str) -> list[Listener]:
    """Listeners of these views that have the present, and nothing is rendered any more."""
    listeners = [Listener("key", view) for view in views]
    for listener in listeners:
        hub.join(listener)
    for listener in listeners:
        await text(listener)
    await until(lambda: hub.is_current)
    made.asked.clear()
    return listeners


async def text(listener: Listener) -> str:
    parts = await listener.take(30)
    assert parts, "Nothing has come."
    return ";".join(part.now().decode() for part in parts)


@in_loop
async def test_who_is_slow_gets_the_newest_the_board_first_and_no_queue_grows():
    listener = Listener("key", "en")
    for number in range(50):
        listener.give(Rendered(f"talk {number}".encode), TALK)
        listener.give(Rendered(f"board {number}".encode))
    assert await text(listener) == "board 49;talk 49"


@in_loop
async def test_what_says_nothing_new_is_not_sent_again():
    listener = Listener("key", "en")
    listener.give(Rendered(b"a".strip, mark="7"))
    said = [await text(listener)]
    listener.give(Rendered(b"b".strip, mark="7"))
    listener.give(Rendered(b"c".strip, mark="7"), TALK)
    said.append(await text(listener))
    listener.give(Rendered(b"d".strip, mark="8"))
    said.append(await text(listener))
    assert said == ["a", "c", "d"]


@in_loop
async def test_who_waits_is_told_that_nothing_has_come_or_that_it_is_over():
    listener = Listener("key", "en")
    told = [await listener.take(0.01)]
    waits = asyncio.ensure_future(listener.take(30))
    await asyncio.sleep(0)
    listener.end()
    assert [*told, await waits, await listener.take(30)] == [[], None, None]


@in_loop
async def test_another_access_version_ends_a_stream():
    listener = Listener("key", "en", access=1)
    listener.give(Rendered(b"a".strip, access=2))
    assert await listener.take(30) is None


@in_loop
async def test_a_change_is_rendered_once_for_all_views_and_each_gets_its_own():
    made = Renderings()
    hub = hub_of(made, parts=(BOARD,))
    listeners = await joined(hub, made, "an", "an", "binh")
    made.state = "second"
    await sync_to_async(announce)("key:8:1")
    said = [await text(listener) for listener in listeners]
    for listener in listeners:
        hub.leave(listener)
    assert made.asked == [("board", "8:1", ["an", "binh"])]
    assert said == ["board second for an", "board second for an", "board second for binh"]


@in_loop
async def test_changes_while_one_is_rendered_are_rendered_together_after_it():
    made = Renderings()
    hub = hub_of(made)
    [listener] = await joined(hub, made, "en")
    made.go_on.clear()
    await sync_to_async(announce)("key:8:1")
    await until(lambda: bool(made.asked))
    await sync_to_async(announce)("key:9:1", "key:10:1", "key:11:1")
    await until(lambda: hub.announced("key") == "11:1")
    made.go_on.set()
    await until(lambda: hub.is_current)
    hub.leave(listener)
    assert made.asked == [("board", "8:1", ["en"]), ("board", "11:1", ["en"])]


@pytest.mark.parametrize("keeps_newest", [True, False])
@in_loop
async def test_who_comes_back_gets_the_present(keeps_newest):
    """Also where others went on listening, and nobody rendered anything for him meanwhile."""
    made = Renderings()
    hub = hub_of(made, parts=(BOARD,), keeps_newest=keeps_newest)
    stays, goes = await joined(hub, made, "en", "vi")
    hub.leave(goes)
    made.state = "second"
    await sync_to_async(announce)("key:8:1")
    await text(stays)
    back = Listener("key", "vi")
    hub.join(back)
    said = await text(back)
    for listener in (stays, back):
        hub.leave(listener)
    assert said == "board second for vi"


@in_loop
async def test_programs_are_not_woken_by_talk():
    made = Renderings()
    hub = hub_of(made, parts=(BOARD,))
    [listener] = await joined(hub, made, "an")
    await sync_to_async(announce)("key:talk", "key:8:1")
    await until(lambda: bool(made.asked) and hub.is_current)
    hub.leave(listener)
    assert made.asked == [("board", "8:1", ["an"])]


@in_loop
async def test_what_cannot_be_rendered_ends_nothing(caplog):
    made = Renderings()
    hub = hub_of(made, parts=(BOARD,))
    [listener] = await joined(hub, made, "an")
    made.state = None
    await sync_to_async(announce)("key:8:1")
    await until(lambda: "cannot be sent" in caplog.text)
    made.state = "second"
    await sync_to_async(announce)("key:9:1")
    said = await text(listener)
    hub.leave(listener)
    assert said == "board second for an"
