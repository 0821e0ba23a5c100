"""What a process announces: after the commit, many at once, and found where it is lost."""

import itertools
import time
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import transaction

from tables.base import announce
from tables.chat.acts import chat
from tables.live import announcements, tokens
from tables.models import Table
from tests.loops import run
from tests.tables import live
from tests.tables.streams import Stream, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def sent_until(sent: list[list[str]], last: str) -> list[str]:
    for _ in range(1000):
        if any(last in news for news in sent):
            return [one for news in sent for one in news]
        time.sleep(0.01)
    raise AssertionError(f"{last} was not announced.")


def test_what_changes_at_many_tables_is_announced_together_and_in_order(monkeypatch):
    sent: list[list[str]] = []
    monkeypatch.setattr(announce, "send", lambda news: sent.append(list(news)))
    monkeypatch.setattr(announce, "PAUSE", 0.2)
    with transaction.atomic():
        for user in range(250):
            announce.account(user)
        assert sent == []  # Nothing is told of what is not committed.
    expected = [f"~{user}:0" for user in range(250)]
    assert sent_until(sent, expected[-1]) == expected
    assert max(map(len, sent)) == announce.MOST
    assert len(sent) <= 5


def test_what_is_taken_back_is_not_announced(monkeypatch):
    sent: list[list[str]] = []
    monkeypatch.setattr(announce, "send", lambda news: sent.append(list(news)))
    with transaction.atomic():
        announce.account(1)
        transaction.set_rollback(True)
    announce.account(2)
    assert sent_until(sent, "~2:0") == ["~2:0"]


def test_everything_arrives_where_one_announcement_in_ten_is_lost(table, monkeypatch):
    """A whole game, and words; the tenth is lost, and with it the last move and the last word."""
    send, count = announce.send, itertools.count(1)
    lost: list[str] = []

    def lossy(news: Iterable[str]) -> None:
        kept = []
        for one in news:
            at_the_end = one.endswith(announce.TALK) or one.startswith(f"{table.key}:{last}:")
            (lost if at_the_end or next(count) % 10 == 0 else kept).append(one)
        if kept:
            send(kept)

    last = -1
    monkeypatch.setattr(announce, "send", lossy)
    monkeypatch.setattr(announcements, "LOOK", 0.2)

    def play() -> int:
        nonlocal last
        game = live.play_on(table, moves=30)
        table.refresh_from_db()
        last = table.version + 1
        live.step(table, game)
        return last

    def say() -> None:
        chat.say(seat_id=live.chair(table, 0).pk, text="Hay!")

    async def work() -> tuple[dict[str, Any], str]:
        async with Stream(table, tokens.make(table)) as page:
            board = await page.told(await in_thread(play))
            await in_thread(say)
            return board, await page.talk("Hay!")

    board, talk = run(work())
    assert board["version"] == Table.objects.get().version
    assert "Hay!" in talk
    assert len(lost) >= 4
