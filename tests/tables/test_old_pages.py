"""Open table pages of releases that sent no mark: what they draw of ours would stop them."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from tables.live import tokens
from tables.web import old_pages
from tests.loops import run
from tests.tables import live
from tests.tables.live import browser_of
from tests.tables.streams import Stream

pytestmark = pytest.mark.django_db(transaction=True)
OF_1_1 = {"X-Requested-With": "fetch"}


@pytest.fixture
def table():
    return live.dealt("penguin", people=4, hands=live.HANDS)


def at(table, what: str = "table") -> str:
    return reverse(f"tables:{what}", args=[table.key])


def moves(client: Client, table, **move: Any) -> Any:
    table.refresh_from_db()
    data = {"version": table.version, "do": "play"} | move
    return client.post(at(table, "act"), data, headers=OF_1_1)


def follows(client: Client, answer: Any) -> Any:
    """`fetch` follows by itself, and the script then opens the page where that ended."""
    first = client.get(answer["Location"], headers=OF_1_1)
    assert (first.status_code, first.content) == (204, b"")
    return client.get(answer["Location"])


def test_a_move_of_an_old_page_is_made_and_answered_by_the_page(table):
    client = browser_of(table, 0)
    answer = moves(client, table, cards="3S")
    assert (answer.status_code, answer["Location"]) == (302, at(table))
    assert live.current(table).actions.count() == 1
    assert "Guest 0: 3 of spades" in follows(client, answer).text


@pytest.mark.parametrize("seat", [0, 1, None])
def test_an_old_page_s_refusal_is_said_by_the_page_that_is_then_opened(table, seat):
    client = Client() if seat is None else browser_of(table, seat)
    answer = moves(client, table, cards="2H" if seat == 0 else "3S")
    assert (answer.status_code, answer["Location"]) == (302, at(table))
    (said,) = [str(message) for message in get_messages(answer.wsgi_request)]
    assert said in unescape(follows(client, answer).text)
    assert said not in unescape(client.get(at(table)).text)
    assert not live.current(table).actions.exists()


def asks(table, client: Client) -> Any:
    return client.get(at(table, "view"), headers=OF_1_1)


def test_an_old_page_is_not_renewed_before_it_had_time_to_send_what_it_kept(table, monkeypatch):
    """It tries a move again each 0.8 seconds, and asks for news each 2.5."""
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    client = browser_of(table, 0)
    assert [asks(table, client).status_code for _ in range(2)] == [204, 200]


def test_an_old_page_asks_and_is_renewed_one_in_three_times(table, monkeypatch):
    clients = [Client() for _ in range(60)]
    assert {asks(table, client).status_code for client in clients} == {204}
    heard = [asks(table, client) for client in clients]
    told = [answer.json() for answer in heard if answer.status_code == 200]
    assert 5 < len(told) < 40
    assert {answer.status_code for answer in heard} == {200, 204}
    table.refresh_from_db()
    for answer in told:
        assert (answer["version"], answer["own"], answer["token"]) == (old_pages.NEWEST, "", "")
        assert answer["board"].startswith('<section id="board-public"')
        assert re.findall(r'data-(\w+)="(.*?)"', answer["board"]) == [
            ("version", str(old_pages.NEWEST)), ("status", "closed"), ("turn", ""), ("marks", ""),
            ("cheer", ""),
        ]  # fmt: skip
        assert f'<a href="{at(table)}">Reload</a>' in answer["board"]
        assert f'<meta http-equiv="refresh" content="0; url={at(table)}">' in answer["board"]


def test_a_page_whose_mark_a_proxy_takes_away_is_renewed_once_and_then_plays(table, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    client = browser_of(table, 0)
    asks(table, client)
    assert asks(table, client).json()["own"] == ""
    assert client.cookies[old_pages.cookie_of(at(table))]["path"] == at(table)
    assert 'id="own"' in asks(table, client).json()["own"]
    assert moves(client, table, cards="3S").json()["version"] > table.version


def test_an_old_page_s_stream_ends_so_that_it_asks(table):
    async def status(query: bytes) -> int:
        page = Stream(table, tokens.make(table), query_string=query)
        start = await page.start()
        await page.close()
        return start["status"]

    token = tokens.make(table)
    assert run(status(f"token={token}&language=en".encode())) == 204
    assert run(status(f"token={token}&language=en&release=any".encode())) == 200
