"""What players say: bounded, escaped, taken away by whom it concerns, gone with the table."""

import pytest
from django.test import Client

from accounts.models import User
from engine.rules import ruleset
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import arrangements, seats
from tables.chat.acts import chat
from tables.chat.pages.talk import talk
from tables.models import Message, Seat, Table
from tables.people.acts import forgetting
from tests import factories
from tests.factories import make_user
from tests.league.online.stake_tables import table_of_four
from tests.refusals import refuses
from tests.tables import live
from tests.tables.live import browser_of, page_of, post
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def table() -> Table:
    forget_all()
    return live.dealt(people=3)


def texts(table: Table) -> list[str]:
    return [message.text or message.quick for message in table.messages.order_by("id")]


def test_what_one_says_everybody_reads(table):
    post(browser_of(table, 1), table, "talk", text="Chào cả bàn")
    assert "Chào cả bàn" in page_of(Client(), table)


def test_a_text_is_shown_as_it_was_typed_and_never_as_html(table):
    answer = post(browser_of(table, 1), table, "talk", text="<b>hi</b>  \n there").json()
    assert "&lt;b&gt;hi&lt;/b&gt; there" in answer["talk"]


def test_quick_words_are_read_in_the_readers_language(table):
    post(browser_of(table, 1), table, "talk", quick="gg")
    assert "Good game!" in page_of(Client(headers={"Accept-Language": "en"}), table)
    assert "Ván hay lắm!" in page_of(Client(headers={"Accept-Language": "vi"}), table)


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


def watcher(name: str = "Khách") -> tuple[Client, User]:
    """The browser of somebody who is signed in and only watches."""
    user = make_user()
    user.name = name
    user.save()
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(user)
    return client, user


def test_who_watches_with_an_account_speaks_under_the_accounts_name_and_is_told_apart(table):
    client, user = watcher("Lan")
    assert post(client, table, "talk", text="Hay quá").status_code == 200
    nameless, _user = watcher("")
    post(nameless, table, "talk", quick="wow")
    shown = page_of(Client(headers={"Accept-Language": "en"}), table)
    assert "Hay quá" in shown
    assert "watching" in shown
    assert [str(said.name) for said in talk(table)] == ["Lan", "Spectator"]
    assert user.email not in shown
    assert [said.seat for said in talk(table)] == [None, None]
    assert len({said.holder for said in talk(table)}) == 2


def test_the_host_lets_those_who_watch_only_read_and_their_words_go(table):
    client, _user = watcher()
    post(client, table, "talk", text="boo")
    post(browser_of(table, 1), table, "talk", text="stays")
    assert post(client, table, "talk_allow", watchers="off").status_code == 403
    assert post(browser_of(table, 0), table, "talk_allow", watchers="off").status_code == 200
    assert texts(table) == ["stays"]
    refused = post(client, table, "talk", text="again")
    assert refused.json()["reason"] == "Only players can chat at this table."
    assert "data-talk-form" not in page_of(client, table)
    post(browser_of(table, 0), table, "talk_allow", watchers="on")
    assert post(client, table, "talk", text="again").status_code == 200


def test_who_watches_takes_ones_own_words_away_and_no_others(table):
    (one, _), (other, _) = watcher(), watcher()
    post(one, table, "talk", text="mine")
    said = table.messages.get()
    seated = chat.say(seat_id=live.chair(table, 1).pk, text="seated")
    assert (remove(other, table, said), remove(one, table, seated)) == (403, 403)
    assert remove(one, table, said) == 200
    assert texts(table) == ["seated"]


def test_many_who_watch_do_not_drown_the_players(table):
    for _ in range(chat.WATCHERS // 4):
        client, _user = watcher()
        for _ in range(4):
            assert post(client, table, "talk", quick="haha").status_code == 200
    late, _user = watcher()
    assert post(late, table, "talk", quick="haha").status_code == 422
    assert post(browser_of(table, 1), table, "talk", text="I play").status_code == 200


@pytest.mark.parametrize("is_guest", [True, False])
def test_who_gets_up_and_sits_again_has_said_as_much_as_before(is_guest):
    table, user = live.open_table(people=2), None if is_guest else make_user()

    def sit() -> Seat:
        return seats.sit(table_id=table.pk, no=2, name="An", user=user, device="phone")[0]

    for number in range(5):
        seat = sit()
        chat.say(seat_id=seat.pk, text=f"{number}")
        seats.leave(seat_id=seat.pk)
    seat = sit()
    with refuses("too_fast"):
        chat.say(seat_id=seat.pk, text="more")
    seats.leave(seat_id=seat.pk)
    if user:
        with refuses("too_fast"):
            chat.say_watching(table_id=table.pk, user=user, text="more")
    assert chat.say(seat_id=live.chair(table, 0).pk, text="hello")


def test_where_people_play_for_a_stake_who_watches_only_reads():
    holders = [arrangements.Holder("An", secret="a"), arrangements.Holder("Bình", secret="b")]
    rules = ruleset.preset("killa")
    for unit, may in (("kẹo", False), ("", True)):
        table = arrangements.arrange_table(
            ruleset=rules, holders=holders, move_seconds=40, unit=unit
        )
        assert Table.objects.get(pk=table.pk).watchers_talk is may
        Seat.objects.all().update(token_hash="", bot="greedy")
    table = arrangements.open_for_members(ruleset=rules, players=2, move_seconds=40)
    assert not Table.objects.get(pk=table.pk).watchers_talk


def test_who_may_not_watch_a_clubs_table_neither_reads_nor_speaks_there():
    table = table_of_four()[0].table
    seat = table.seats.earliest("no")
    Table.objects.filter(pk=table.pk).update(watchers_talk=True)
    chat.say(seat_id=seat.pk, text="Ở nhà Lan")
    for client in (Client(), factories.browser_of(make_user())):
        for what in ("talk", "talk_allow", "talk_mute"):
            answer = post(client, table, what, text="Ai đó?")
            assert (answer.status_code, "Lan" in answer.content.decode()) == (404, False)
    assert texts(table) == ["Ở nhà Lan"]
    assert post(factories.browser_of(seat.user), table, "talk", text="Vâng").status_code == 200


def test_an_erased_account_leaves_no_words(table):
    client, user = watcher()
    post(client, table, "talk", text="boo")
    forgetting.forget_user(user=user)
    assert texts(table) == []


def test_who_says_too_much_waits(table):
    client = browser_of(table, 1)
    for number in range(5):
        assert post(client, table, "talk", text=f"{number}").status_code == 200
    refused = post(client, table, "talk", text="more")
    assert refused.json()["reason"] == "Not so fast. Wait a moment before your next message."
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
    return client.post(address, headers=live.FETCH).status_code


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
    live.close(table)
    assert Message.objects.count() == 0


def test_the_text_never_reaches_a_log(table, caplog):
    caplog.set_level(0)
    post(browser_of(table, 1), table, "talk", text="a-secret-word")
    assert "a-secret-word" not in caplog.text


def for_anyone(people: int = 3) -> Table:
    table = live.open_table(people=people)
    table.for_anyone = True
    table.save()
    for no in range(people):
        Seat.objects.filter(table=table, no=no).update(device=f"device {no}")
    return table


def mute(client: Client, table: Table, seat: int, muted: str = "1") -> int:
    holder = live.chair(table, seat).pk
    return post(client, table, "talk_mute", holder=holder, muted=muted).status_code


def test_at_a_table_for_anyone_nobody_moderates():
    table = for_anyone()
    first, other = browser_of(table, 0), browser_of(table, 1)
    said = chat.say(seat_id=live.chair(table, 1).pk, text="a complaint")
    assert remove(first, table, said) == 403
    assert post(first, table, "talk_allow", talk="off").status_code == 403
    assert 'data-host=""' in page_of(first, table)
    assert remove(other, table, said) == 200  # One's own.


def test_two_mutes_from_different_devices_leave_a_seat_the_quick_words():
    table = for_anyone()
    rude = browser_of(table, 0)
    assert "data-mute-at" in page_of(rude, table)
    assert mute(browser_of(table, 1), table, 0) == 200
    assert post(rude, table, "talk", text="still").status_code == 200
    assert mute(browser_of(table, 2), table, 0) == 200
    refused = post(rude, table, "talk", text="more")
    assert (refused.status_code, "quick words" in refused.json()["reason"]) == (422, True)
    assert post(rude, table, "talk", quick="gg").status_code == 200
    assert mute(browser_of(table, 2), table, 0, muted="0") == 200
    assert post(rude, table, "talk", text="again").status_code == 200
    Seat.objects.filter(table=table).update(device="the same")
    assert mute(browser_of(table, 2), table, 0) == 200
    assert post(rude, table, "talk", text="one person").status_code == 200


def test_who_was_muted_and_sits_down_again_is_still_muted_until_heard_again():
    table, user = for_anyone(), make_user()
    Seat.objects.filter(table=table, no=0).update(user=user, token_hash="")
    for no in (1, 2):
        chat.mute(seat=live.chair(table, no), other=live.chair(table, 0), is_muted=True)
    seats.leave(seat_id=live.chair(table, 0).pk)
    seat, _secret = seats.sit(table_id=table.pk, no=0, name="Again", user=user)
    with refuses("muted"):
        chat.say(seat_id=seat.pk, text="more")
    seat.refresh_from_db()
    chat.mute(seat=live.chair(table, 1), other=seat, is_muted=False)
    assert chat.say(seat_id=seat.pk, text="more")


def test_one_player_who_sits_down_again_mutes_for_one():
    table = for_anyone()
    for _again in range(2):
        chat.mute(seat=live.chair(table, 1), other=live.chair(table, 0), is_muted=True)
        seats.leave(seat_id=live.chair(table, 1).pk)
        seats.sit(table_id=table.pk, no=1, name="Again", device="device 1")
    chat.mute(seat=live.chair(table, 1), other=live.chair(table, 0), is_muted=True)
    assert post(browser_of(table, 0), table, "talk", text="still").status_code == 200


def test_only_who_sits_there_mutes_another_at_a_table_for_anyone(table):
    assert mute(browser_of(table, 1), table, 0) == 403  # Friends have a host.
    open_one = for_anyone()
    assert mute(Client(), open_one, 0) == 403
    assert mute(browser_of(open_one, 0), open_one, 0) == 422
    elsewhere = live.chair(table, 0).pk
    answer = post(browser_of(open_one, 0), open_one, "talk_mute", holder=elsewhere, muted="1")
    assert answer.status_code == 404
