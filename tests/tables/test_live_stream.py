"""The stream of a table, as an ASGI server would ask for it."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest
from django.core import signing
from django.db import connections
from django.test import Client
from django.urls import reverse

from config.asgi import streams
from league.models import Membership
from tables.base import announce
from tables.chat.acts import chat
from tables.live import stream, tokens
from tables.live.hub import Rendered
from tables.models import Table
from tables.play.facts.positions import Position
from tests.factories import browser_of, make_member
from tests.league.online.stake_tables import table_of_four
from tests.loops import in_loop, run
from tests.tables import live
from tests.tables.streams import Stream, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_move_reaches_every_open_page_with_the_public_board(table):
    token = tokens.make(table)

    async def work() -> list[dict[str, Any]]:
        async with AsyncExitStack() as open_:
            pages = [await open_.enter_async_context(Stream(table, token)) for _ in range(3)]
            version = await in_thread(partial(live.act, table, 0, "play", "3S"))
            return [await page.told(version) for page in pages]

    events = run(work())
    assert events[0] == events[1] == events[2]
    assert events[0]["version"] == Table.objects.get().version
    assert "Guest 0: 3 of spades" in events[0]["board"]


@in_loop
async def test_a_new_page_gets_the_board_as_it_is_now(table):
    async with Stream(table, tokens.make(table)) as page:
        assert page.first["version"] == table.version


def test_pages_are_told_how_many_only_watch(table):
    seat = live.chair(table, 0).pk

    async def work() -> str:
        player = Stream(table, tokens.make(table, seat=seat))
        watchers = [Stream(table, tokens.make(table)) for _ in range(2)]
        for page in (*watchers, player):
            await page.start()
        await asyncio.gather(*(page.told() for page in watchers))
        version = await in_thread(partial(live.act, table, 0, "play", "3S"))
        while not seen or f'"version": {version}' not in seen[-1]:
            seen.append(await player.body())
        for page in (*watchers, player):
            await page.close()
        return "".join(seen)

    seen: list[str] = []
    told = run(work())
    assert told.count("event: watchers") >= 1
    assert "event: watchers\ndata: 2\n" in told
    assert "event: watchers\ndata: 3\n" not in told


def test_the_stream_has_the_security_headers_of_every_page(table):
    async def work() -> dict[bytes, bytes]:
        page = Stream(table, tokens.make(table))
        start = await page.start()
        await page.close()
        return dict(start["headers"])

    page = Client().get(reverse("home"))
    wanted = [
        "content-security-policy",
        "cross-origin-opener-policy",
        "referrer-policy",
        "x-content-type-options",
        "x-frame-options",
    ]
    found = run(work())
    assert {name: found[name.encode()].decode() for name in wanted} == {
        name: page[name] for name in wanted
    }


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"host": "evil.example"}, 400),
        ({"method": "POST"}, 405),
        ({"path": "/live/tables/another/"}, 403),
        ({"query_string": b"release=any"}, 403),
        ({"query_string": b"token=made-up&release=any"}, 403),
    ],
)
@in_loop
async def test_what_is_no_page_of_this_table_is_refused(table, change, status):
    page = Stream(table, tokens.make(table), **change)
    start = await page.start()
    await page.task
    assert start["status"] == status


@in_loop
async def test_a_network_has_so_many_streams_at_once_and_the_next_waits_its_turn(table, settings):
    settings.TABLES_STREAMS_PER_ADDRESS = 2
    token = tokens.make(table)
    hall = [Stream(table, token, client=(f"192.0.2.{no}", 40_000)) for no in range(3)]
    home = Stream(table, token, client=("198.51.100.7", 40_000))
    starts = [await page.start() for page in (*hall, home)]
    assert [start["status"] for start in starts] == [200, 200, 503, 200]
    assert int(dict(starts[2]["headers"])[b"retry-after"]) > 0
    assert b"Too many pages from your network" in (await hall[2].start())["body"]
    await hall[0].close()
    again = Stream(table, token, client=("192.0.2.9", 40_000))
    assert (await again.start())["status"] == 200
    for page in (hall[1], home, again):
        await page.close()
    assert not streams._open._open


def test_a_token_is_revoked_by_a_new_access_version_and_ends_by_itself(table, settings):
    old = tokens.make(table)
    Table.objects.update(access_version=2)

    async def work() -> int:
        page = Stream(table, old)
        start = await page.start()
        await page.task
        return start["status"]

    assert run(work()) == 403
    late = signing.TimestampSigner(salt=tokens.SALT).sign("x")
    assert tokens.read(late) is None


def test_what_was_said_reaches_every_open_page(table):
    seat = live.chair(table, 0).pk

    async def work() -> str:
        async with Stream(table, tokens.make(table)) as page:
            await in_thread(partial(chat.say, seat_id=seat, text="Chào cả bàn"))
            return await page.talk("Chào cả bàn")

    assert "Guest 0" in run(work())


@in_loop
async def test_an_open_stream_ends_when_its_token_is_revoked(table):
    def revoke() -> None:
        Table.objects.filter(pk=table.pk).update(access_version=2)
        table.refresh_from_db()
        announce.changed(table)

    async with Stream(table, tokens.make(table)) as page:
        await in_thread(revoke)
        assert await page.end()


def test_a_page_watches_a_clubs_table_only_while_its_account_may(monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    opened = table_of_four()[0]
    member = make_member(opened.season.club, "player")
    page = browser_of(member).get(f"/tables/{opened.table.key}/")
    token = page.context["token"]

    def leave() -> None:
        Membership.objects.filter(user=member).delete()

    async def work() -> tuple[bool, int]:
        async with Stream(opened.table, token) as page:
            await in_thread(leave)
            ended = await asyncio.wait_for(page.end(), 30)
        again = Stream(opened.table, token)
        status = (await again.start())["status"]
        await again.close()
        return ended, status

    assert run(work()) == (True, 403)


@in_loop
async def test_a_page_is_asked_to_renew_its_token_and_cut_off_when_it_does_not(table, monkeypatch):
    monkeypatch.setattr(tokens, "SECONDS", 3)
    monkeypatch.setattr(stream, "RENEW", 2.0)
    page = Stream(table, tokens.make(table))
    await page.start()
    await asyncio.wait_for(page.task, 60)
    sent = b"".join([page.sent.get_nowait()["body"] for _ in range(page.sent.qsize())])
    assert sent.count(b"event: renew") == 1


@in_loop
async def test_a_page_that_is_closed_leaves_nothing_behind(table):
    async with Stream(table, tokens.make(table)):
        assert streams.hub.listeners() == 1
    assert streams.hub.listeners() == 0


@in_loop
async def test_two_hundred_pages_that_come_at_once_share_a_few_renderings(table, monkeypatch):
    token, board_event, rendered = tokens.make(table), stream.board_event, []

    def counted(position: Position) -> Rendered:
        rendered.append(position)
        return board_event(position)

    monkeypatch.setattr(stream, "board_event", counted)
    pages = [Stream(table, token) for _ in range(200)]
    for page in pages:
        await page.start()
        await page.told()
    for page in pages:
        await page.close()
    assert 0 < len(rendered) <= 8


@in_loop
async def test_a_lost_connection_to_the_database_is_made_again_and_nothing_is_missed(table):
    async with Stream(table, tokens.make(table)) as page:
        await in_thread(cut_listeners)
        version = await in_thread(partial(live.act, table, 0, "play", "3S"))
        assert "Guest 0: 3 of spades" in (await page.told(version))["board"]


def cut_listeners() -> None:
    """Ends every connection that listens, as a restart of the database does.

    A page has its first board while its process has yet to listen, so it is waited for.
    """
    with connections["default"].cursor() as cursor:
        for _ in range(200):
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE query LIKE 'LISTEN %%' AND pid <> pg_backend_pid()"
                " AND datname = current_database()"  # Other processes test beside this one.
            )
            if cursor.rowcount:
                break
            time.sleep(0.05)
        assert cursor.rowcount
