"""Someone is not there: the table shows it, the clock knows it, and friends need not wait."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.asgi import announcements, application
from config.asgi import streams as pages
from tables.base.fifo_cache import forget_all
from tables.chat.acts import chat
from tables.live import stream, tokens
from tables.models import Seat, Table
from tables.play.acts import absence, games, sweeps
from tables.play.facts import absent, positions
from tests.loops import run
from tests.tables import live, streams
from tests.tables.live import HANDS, browser_of, hand_shown, page_of, post
from tests.tables.streams import Stream, in_thread
from tests.tables.test_live_clocks import let_pass, seconds_left

pytestmark = pytest.mark.django_db
HOST, SLEEPER, THIRD = 1, 0, 2
"""Seat 0 has the 3 of spades and is in turn; at these tables seat 1 sat down first."""


@pytest.fixture
def table() -> Table:
    table = live.open_table(people=4)
    Seat.objects.filter(table=table, no=HOST).update(
        seated_at=timezone.now() - datetime.timedelta(hours=1)
    )
    live.set_hands(table, HANDS)
    table.refresh_from_db()
    return table


def go(table: Table, no: int = SLEEPER, *, minutes: int = 0) -> None:
    """The pages of this seat are closed, since so many minutes."""
    absence.note(seat_id=live.chair(table, no).pk, here=False)
    if minutes:
        since = timezone.now() - datetime.timedelta(minutes=minutes)
        Seat.objects.filter(pk=live.chair(table, no).pk).update(gone_at=since)
        forget_all()


def long_gone(table: Table, no: int = SLEEPER) -> None:
    """A minute later; who asks for the seat goes on asking."""
    since = timezone.now() - absent.ALONE
    Seat.objects.filter(pk=live.chair(table, no).pk).update(gone_at=since)
    forget_all()


def help_out(table: Table, by: int, do: str, no: int = SLEEPER) -> Any:
    browser = browser_of(table, by)
    address = reverse("tables:help", args=[table.key, no, do])
    return browser.post(address, headers=live.FETCH)


def offered(table: Table, by: int, no: int = SLEEPER) -> set[str]:
    """What a player's page offers to do for the player of another seat."""
    page = page_of(browser_of(table, by), table)
    dos = ("give", "skip", "bot", "wait", "remove")
    return {do for do in dos if reverse("tables:help", args=[table.key, no, do]) in page}


@pytest.mark.django_db(transaction=True)
def test_a_player_whose_stream_is_gone_is_offline_until_it_is_back(table, monkeypatch):
    monkeypatch.setattr(stream, "GRACE", 0.05)
    token = tokens.make(table, seat=live.chair(table, SLEEPER).pk)

    def gone() -> bool:
        return live.chair(table, SLEEPER).gone_at is not None

    async def work() -> list[str]:
        told = []
        async with Stream(table, tokens.make(table)) as other:
            async with Stream(table, token):
                pass
            told.append((await other.told(table.version + 1))["board"])
            async with Stream(table, token):
                told.append((await other.told(table.version + 2))["board"])
                tab = Stream(table, token)
                await tab.start()
                await asyncio.gather(*pages._missing)
                await tab.close()
                assert not pages._missing, "Another tab of the same seat is still open"
                assert not await in_thread(gone)
        await asyncio.gather(*pages._missing)
        assert await in_thread(gone), "The last tab was closed"
        return told

    away, back = run(asyncio.wait_for(work(), 60))
    assert ("offline" in away, "offline" in back) == (True, False)


@pytest.mark.django_db(transaction=True)
def test_a_player_whose_page_comes_back_to_another_process_is_not_offline(table, monkeypatch):
    monkeypatch.setattr(stream, "GRACE", 0.05)
    token = tokens.make(table, seat=live.chair(table, SLEEPER).pk)
    other = stream.LiveTables(application, announcements)

    def gone() -> bool:
        return live.chair(table, SLEEPER).gone_at is not None

    async def work() -> None:
        here = Stream(table, token)
        await here.start()
        monkeypatch.setattr(streams, "application", other)
        there = Stream(table, token)
        await there.start()
        await here.close()
        await asyncio.gather(*pages._missing)
        assert not await in_thread(gone)
        await there.close()
        await asyncio.gather(*other._missing)
        assert await in_thread(gone)

    run(asyncio.wait_for(work(), 60))


def come_back(table: Table, no: int = SLEEPER) -> None:
    absence.note(seat_id=live.chair(table, no).pk, here=True)


def test_a_cut_during_a_turn_costs_no_time_that_was_promised(table):
    assert 98 < seconds_left(table) <= 100
    go(table)
    assert 98 < seconds_left(table) <= 100
    come_back(table)
    assert 98 < seconds_left(table) <= 100
    let_pass(table, 66)  # The 40 seconds of a move are over, and the ring shows 34.
    go(table)
    assert 32 < seconds_left(table) <= 34
    let_pass(table, 10)
    sweeps.sweep()
    assert not live.current(table).actions.exists()
    come_back(table)
    assert 22 < seconds_left(table) <= 24
    live.act(table, SLEEPER, "play", "3S")
    assert 22_000 < live.chair(table, SLEEPER).bank_ms <= 24_000


def test_a_turn_that_begins_while_its_player_is_offline_has_no_bank(table):
    go(table, HOST)
    live.act(table, SLEEPER, "play", "3S")
    assert 38 < seconds_left(table) <= 40
    come_back(table, HOST)
    assert 98 < seconds_left(table) <= 100
    go(table, HOST)
    assert 98 < seconds_left(table) <= 100


def test_going_and_coming_wins_no_time(table):
    for spent, left in ((30, 70), (62, 8), (6, 2)):
        let_pass(table, spent)
        for _ in range(3):
            go(table)
            assert seconds_left(table) <= left
            come_back(table)
        assert seconds_left(table) <= left
    go(table)
    assert seconds_left(table) <= 2


def test_who_was_offline_before_the_turn_keeps_the_bank(table):
    go(table, HOST)
    live.act(table, SLEEPER, "play", "3S")
    live.hurry(table)
    seat = live.chair(table, HOST)
    assert (seat.autopilot, seat.bank_ms) == (True, 60_000)
    assert live.current(table).actions.last().made_by == "autopilot"


def test_who_is_back_from_a_cut_plays_on_without_a_tap(table):
    go(table)
    live.hurry(table)
    seat = live.chair(table, SLEEPER)
    assert (seat.autopilot, seat.cut_off, seat.bank_ms) == (True, True, 0)
    come_back(table)
    assert not live.chair(table, SLEEPER).autopilot
    told = "The network was gone, so the autopilot played. You are back."
    assert told in page_of(browser_of(table, SLEEPER), table)
    for no, card in ((1, "3C"), (2, "3D"), (3, "3H")):
        live.act(table, no, "play", card)
    assert 38 < seconds_left(table) <= 40
    live.act(table, SLEEPER, "play", "4S")
    assert told not in page_of(browser_of(table, SLEEPER), table)


def test_coming_back_ends_no_autopilot_that_was_asked_for_or_began_while_one_was_there(table):
    games.sit_out(seat_id=live.chair(table, SLEEPER).pk)
    go(table)
    live.hurry(table)
    come_back(table)
    assert live.chair(table, SLEEPER).autopilot
    live.hurry(table)  # Seat 1 is there and lets its time run out.
    go(table, HOST)
    come_back(table, HOST)
    seat = live.chair(table, HOST)
    assert (seat.autopilot, seat.cut_off) == (True, False)
    assert "You ran out of time" in page_of(browser_of(table, HOST), table)


def test_the_host_may_act_at_once_and_the_others_after_a_minute(table):
    go(table)
    assert offered(table, HOST) == {"skip", "bot", "wait", "remove"}
    assert offered(table, THIRD) == {"skip", "bot"}
    refused = help_out(table, THIRD, "skip")
    assert refused.status_code == 422
    assert refused.json()["reason"].startswith("The host may do this at once, the other players")
    go(table, minutes=1)
    assert help_out(table, THIRD, "wait").status_code == 422
    assert help_out(table, THIRD, "skip").status_code == 200
    assert seconds_left(table) <= 0
    live.hurry(table)
    assert positions.replay_of(live.current(table)).state.turn != SLEEPER


def test_nobody_acts_for_who_is_there_but_the_host_who_frees_a_seat_between_games(table):
    for by in (HOST, THIRD, SLEEPER):
        assert offered(table, by) == set()
        assert help_out(table, by, "bot").status_code == 422
    live.play_quickly(table)
    assert offered(table, THIRD) == set()
    assert offered(table, HOST) == {"remove"}
    assert help_out(table, HOST, "remove").status_code == 200
    assert not table.seats.filter(no=SLEEPER, left_at=None).exists()


def test_the_host_frees_the_seat_of_who_is_offline_after_the_game(table):
    go(table)
    assert help_out(table, HOST, "remove").status_code == 200
    assert live.chair(table, SLEEPER).leaving
    assert "remove" not in offered(table, HOST)


def test_the_host_waits_a_minute_more_or_lets_a_bot_play_until_the_player_is_back(table):
    go(table)
    live.hurry_to(table, datetime.timedelta(seconds=20))
    assert help_out(table, HOST, "wait").status_code == 200
    assert 58 < seconds_left(table) <= 60
    assert help_out(table, HOST, "bot").status_code == 200
    live.hurry(table)
    assert live.current(table).actions.get().made_by == "bot"
    games.stay(seat_id=live.chair(table, SLEEPER).pk)
    assert not live.chair(table, SLEEPER).autopilot


def test_to_wait_a_minute_more_takes_nothing_of_a_longer_turn(table):
    live.hurry_to(table, datetime.timedelta(minutes=9))
    go(table)
    assert help_out(table, HOST, "wait").status_code == 200
    assert 530 < seconds_left(table) <= 540


def test_the_next_game_does_not_wait_for_who_is_offline(table):
    live.play_quickly(table)
    go(table)
    for no in (1, 2, 3):
        assert live.current(table).no == 1
        post(browser_of(table, no), table, "deal")
    assert live.current(table).no == 2


def test_a_player_with_another_phone_gets_the_seat_from_a_friend(table):
    phone = Client()
    assert post(phone, table, "ask", no=SLEEPER).status_code == 422  # The player is there.
    go(table)
    browser_of(table, SLEEPER)
    assert "on another phone" in page_of(phone, table)
    assert post(phone, table, "ask", no=SLEEPER).status_code == 302
    assert "As soon as a player agrees" in page_of(phone, table)
    assert hand_shown(page_of(phone, table)) == []
    assert "give" in offered(table, HOST)
    assert help_out(table, THIRD, "give").status_code == 422
    assert "offline for a minute" in help_out(table, HOST, "give").content.decode()
    long_gone(table)
    assert help_out(table, HOST, "give").status_code == 200
    assert hand_shown(page_of(phone, table)) == HANDS[SLEEPER].split()
    assert help_out(table, HOST, "give").status_code == 422


def test_two_phones_that_ask_for_one_seat_are_both_shown(table):
    first, second, third = Client(), Client(), Client()
    go(table)
    for phone in (first, second):
        assert post(phone, table, "ask", no=SLEEPER).status_code == 302
    assert "Two phones already ask" in post(third, table, "ask", no=SLEEPER).content.decode()
    assert "yours was first" in page_of(first, table)
    assert "yours is second" in page_of(second, table)
    long_gone(table)
    seen = page_of(browser_of(table, THIRD), table)
    assert "Two phones say “I am" in seen
    assert "The first" in seen
    assert "The second" in seen
    assert help_out(table, THIRD, "give_second").status_code == 200
    assert hand_shown(page_of(second, table)) == HANDS[SLEEPER].split()
    assert hand_shown(page_of(first, table)) == []
    assert help_out(table, THIRD, "give").status_code == 422


def test_who_comes_back_ends_the_questions_for_the_seat_and_others_can_ask_again(table):
    go(table)
    for phone in (Client(), Client()):
        assert post(phone, table, "ask", no=SLEEPER).status_code == 302
    assert "give" in offered(table, HOST)
    come_back(table)
    go(table)
    assert "give" not in offered(table, HOST)
    assert post(Client(), table, "ask", no=SLEEPER).status_code == 302
    assert "give" in offered(table, HOST)


def given_away(table: Table) -> tuple[Client, Client]:
    """The sleeper's own browser, and the one that has its seat now."""
    own, other = browser_of(table, SLEEPER), Client()
    go(table)
    post(other, table, "ask", no=SLEEPER)
    long_gone(table)
    assert help_out(table, HOST, "give").status_code == 200
    return own, other


def test_a_seats_own_browser_takes_it_back_by_opening_the_page(table):
    own, other = given_away(table)
    cards = HANDS[SLEEPER].split()
    given = Table.objects.get(pk=table.pk).access_version
    assert given == table.access_version + 1  # Streams of other browsers end.
    assert hand_shown(page_of(own, table)) == cards
    assert hand_shown(page_of(other, table)) == []
    assert Table.objects.get(pk=table.pk).access_version == given + 1
    said = page_of(browser_of(table, THIRD), table)
    assert "My seat was given to another phone." in said
    assert "My own phone took the seat back." in said


def test_what_is_said_of_a_seat_is_not_removed_by_the_host(table):
    given_away(table)
    message = table.messages.get()
    chat.remove(table_id=table.pk, message_id=message.pk)
    assert table.messages.get() == message


def test_the_right_to_a_seat_ends_with_the_game(table):
    own, other = given_away(table)
    live.play_quickly(table)
    live.deal(table)
    assert hand_shown(page_of(own, table)) == []
    assert len(hand_shown(page_of(other, table))) == 13


def test_the_turn_waits_until_the_seat_may_be_given(table):
    go(table)
    no = live.chair(table, SLEEPER).no
    Table.objects.filter(pk=table.pk).update(due_at=timezone.now())
    post(Client(), table, "ask", no=no)
    table.refresh_from_db()
    assert table.due_at >= live.chair(table, SLEEPER).gone_at + absent.ALONE


def test_a_turn_that_comes_while_a_seat_is_asked_for_waits_too(table):
    Table.objects.filter(pk=table.pk).update(move_seconds=10)
    Seat.objects.filter(table=table).update(bank_ms=0)
    go(table, HOST)
    post(Client(), table, "ask", no=HOST)
    live.act(table, SLEEPER, "play", "3S")
    table.refresh_from_db()
    assert table.due_at >= live.chair(table, HOST).gone_at + absent.ALONE


def test_only_a_guest_at_a_table_of_friends_can_be_claimed(table, django_user_model):
    seat = live.chair(table, SLEEPER)
    member = django_user_model.objects.create(email="a@b.c")
    Seat.objects.filter(pk=seat.pk).update(user=member, token_hash="")
    for no in (SLEEPER, THIRD):
        go(table, no)
    assert post(Client(), table, "ask", no=SLEEPER).status_code == 422
    Table.objects.update(for_anyone=True)
    forget_all()
    assert post(Client(), table, "ask", no=THIRD).status_code == 422
    assert post(Client(), table, "ask", no="x").status_code == 422


def test_at_a_rated_table_the_clock_alone_decides(table):
    Table.objects.update(for_anyone=True, rated=True)
    go(table, minutes=2)
    assert offered(table, HOST) == set()
    assert help_out(table, HOST, "skip").status_code == 422
