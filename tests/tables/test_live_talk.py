"""What players say: bounded, escaped, taken away by whom it concerns, gone with the table."""

from __future__ import annotations

import pytest
from django.test import Client

from tables.kept import forget_all
from tables.models import Message, Table
from tables.services import chat, seats
from tests.tables import live
from tests.tables.test_live_pages import browser_of, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    forget_all()
    table = live.open_table(people=3)
    live.deal(table)
    return table


def texts(table: Table) -> list[str]:
    return [message.text or message.quick for message in table.messages.order_by("id")]


def page(client: Client, table: Table) -> str:
    return client.get(f"/tables/{table.key}/").content.decode()


def test_what_one_says_everybody_reads(table):
    post(browser_of(table, 1), table, "talk", text="Chào cả bàn")
    assert "Chào cả bàn" in page(Client(), table)


def test_a_text_is_shown_as_it_was_typed_and_never_as_html(table):
    answer = post(browser_of(table, 1), table, "talk", text="<b>hi</b>  \n there").json()
    assert "&lt;b&gt;hi&lt;/b&gt; there" in answer["talk"]


def test_quick_words_are_read_in_the_readers_language(table):
    post(browser_of(table, 1), table, "talk", quick="gg")
    assert "Good game!" in page(Client(headers={"Accept-Language": "en"}), table)
    assert "Ván hay lắm!" in page(Client(headers={"Accept-Language": "vi"}), table)


@pytest.mark.parametrize(
    "data", [{}, {"text": "   "}, {"quick": "bomb"}, {"text": "x" * 161}, {"quick": "x" * 11}]
)
def test_what_says_nothing_or_too_much_is_refused(table, data):
    response = post(browser_of(table, 1), table, "talk", **data)
    assert (response.status_code, texts(table)) == (422, [])
    assert response.json()["reason"]


def test_who_only_watches_says_nothing(table):
    assert post(Client(), table, "talk", text="boo").status_code == 403
    assert texts(table) == []


def test_who_says_too_much_waits(table):
    client = browser_of(table, 1)
    for number in range(5):
        assert post(client, table, "talk", text=f"{number}").status_code == 200
    refused = post(client, table, "talk", text="more")
    assert refused.json()["reason"] == "Slowly: wait a moment before you say more."
    assert post(browser_of(table, 2), table, "talk", text="I did not").status_code == 200


def test_one_takes_ones_own_words_away_and_the_host_everybodys(table):
    browsers = [browser_of(table, no) for no in range(3)]
    said = [chat.say(seat_id=live.chair(table, no).pk, text=f"{no}") for no in (1, 2, 1)]
    assert remove(browsers[2], table, said[0]) == 403
    assert remove(browsers[1], table, said[0]) == 200
    assert remove(browsers[0], table, said[1]) == 200
    assert texts(table) == ["1"]


def remove(client: Client, table: Table, message: Message) -> int:
    address = f"/tables/{table.key}/talk/{message.pk}/remove/"
    return client.post(address, headers={"X-Requested-With": "fetch"}).status_code


def test_a_message_of_another_table_is_not_found(table):
    other = live.open_table(people=1)
    said = chat.say(seat_id=live.chair(other, 0).pk, text="elsewhere")
    assert remove(browser_of(table, 0), table, said) == 404


def test_the_host_decides_what_may_be_said(table):
    host, guest = browser_of(table, 0), browser_of(table, 1)
    post(guest, table, "talk", text="before")
    assert post(guest, table, "talk_allow", talk="off").status_code == 403
    assert post(host, table, "talk_allow", talk="quick").status_code == 200
    assert post(guest, table, "talk", text="no").status_code == 422
    assert post(guest, table, "talk", quick="wow").status_code == 200
    post(host, table, "talk_allow", talk="off")
    assert post(guest, table, "talk", quick="wow").status_code == 422
    assert texts(table) == []
    assert post(host, table, "talk_allow", talk="loud").status_code == 422


def test_without_javascript_one_comes_back_to_the_page(table):
    response = post(browser_of(table, 1), table, "talk", script=False, text="hello")
    assert response["Location"] == f"/tables/{table.key}/"


def test_talk_changes_nothing_of_the_game(table):
    version = Table.objects.get(pk=table.pk).version
    chat.say(seat_id=live.chair(table, 0).pk, text="hm")
    assert Table.objects.get(pk=table.pk).version == version


def test_old_words_are_forgotten_and_all_of_them_with_the_table(table, monkeypatch):
    monkeypatch.setattr(chat, "MOST_KEPT", 3)
    monkeypatch.setattr(chat, "FLOOD", ())
    for number in range(5):
        chat.say(seat_id=live.chair(table, 0).pk, text=f"{number}")
    assert texts(table) == ["2", "3", "4"]
    seats.close(table)
    table.save()
    assert Message.objects.count() == 0


def test_the_text_never_reaches_a_log(table, caplog):
    caplog.set_level(0)
    post(browser_of(table, 1), table, "talk", text="a-secret-word")
    assert "a-secret-word" not in caplog.text
