"""News: a small week of a club, and what happens when something on the way out is dead."""

import contextlib
import datetime
import json
import re
import smtplib
import socket
import ssl
import threading
import time
import zoneinfo
from functools import partial
from html import unescape
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.dispatch import Signal
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.mail import PERHAPS
from accounts.smtp import PerhapsSent
from launcher.children import wait_until
from league.base.acts import tokens
from league.clubs.acts import merges, players
from league.models import Event, NewsItem, NewsLane, NewsWish
from league.news.acts import outbox, posting, sending, wishes
from league.news.api.views import Deliveries
from league.news.facts import words
from league.news.facts.words import KINDS
from league.nights.acts import attendance, closing, disputes, draws, events, night_settings
from league.nights.domain.night_plans import NightPlan
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Nights
from league.turnout.acts import sign_ups
from tables.refusals import Refusal
from tests.factories import (
    NAMES,
    browser_of,
    confirmed,
    correct,
    give_role,
    make_club,
    make_cost,
    make_night,
    make_round,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.news.receiver import receiver
from tests.races import race
from tests.worlds import lived_at, made_once

pytestmark = pytest.mark.django_db

lived = lived_at(12)

HOUR = datetime.timedelta(hours=1)
ZONE = zoneinfo.ZoneInfo("Asia/Ho_Chi_Minh")


@pytest.fixture(autouse=True)
def world(settings):
    settings.HAS_MAIL = settings.WEBHOOKS_IN_LAN = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def make_evening():
    """A night in three days in a club of sixteen: An, Bình and Em have accounts."""
    season = make_season()
    by = confirmed(owner_of(season))
    players.add_players(club=season.club, text="\n".join(NAMES), by=by)
    for name in ("An", "Bình", "Em"):
        user = confirmed(make_user(f"{'abe'['AnBìEm'.index(name[:2]) // 2]}@club.example"))
        players.take_player(player=season.club.players.get(name=name), user=user)
    day = season.club.today + datetime.timedelta(days=3)
    return events.create_event(
        season=season, by=by, name="Đêm 7", date=day, starts_at=datetime.time(20)
    )


@made_once
def night():
    return make_evening()


def say(night, name, reply="yes"):
    player = night.season.club.players.get(name=name)
    sign_ups.answer(sign_up=night.sign_up, player=player, reply=reply, organises=True)


def send(now=None):
    """All that is due, as the workers do it."""
    now = now or timezone.now()
    return {name: sending.send_lane(name, now) for name in sending.due_lanes(now)}


def told():
    """Who got which mail since the last look."""
    found = [(each.to[0][0], each.subject) for each in mail.outbox]
    mail.outbox.clear()
    return sorted(found)


def test_a_night_called_off_and_a_schedule_that_failed_are_told(night):
    by = owner_of(night)
    sign_ups.open_list(event=night, by=by)
    say(night, "An")
    say(night, "Em", "no")
    soon = outbox.begins_at(night) - HOUR
    outbox.remind(soon)
    closing.call_off(event=night, by=by)
    send(soon)
    assert told() == [("a", "Đêm 7 nghỉ")]  # And no reminder.
    closing.reopen_event(event=night, by=by)
    outbox.remind(soon)
    assert NewsItem.objects.filter(kind="night_soon", state="waiting").count() == 1
    NewsItem.objects.all().delete()
    rule = Recurrence(night.date, datetime.time(20), "Asia/Ho_Chi_Minh", "week")
    schedule = schedules.create_schedule(
        season=night.season, by=by, repeated=Nights("x", NightPlan(), rule)
    )
    night.season.status = "closed"
    night.season.save()
    schedules.tick(timezone.now())
    assert schedule.occurrences.get().problem
    send()
    (failed,) = mail.outbox
    assert path_of(night.season, "schedules") in failed.body
    assert f"{night.date:%d/%m/%Y}" in failed.body
    assert [subject for _to, subject in told()] == ["Chưa tạo được x"]


def test_another_hour_or_place_is_told_once_to_who_comes(night):
    by = owner_of(night)
    sign_ups.open_list(event=night, by=by)
    say(night, "An")
    say(night, "Bình", "maybe")
    say(night, "Em", "no")
    now = timezone.now()

    def move(**values):
        night.refresh_from_db()
        kept = {key: getattr(night, key) for key in ("name", "date", "starts_at", "venue")}
        night_settings.change_settings(event=night, by=by, plan=night.plan, **kept | values)
        return send()

    move(starts_at=datetime.time(19))
    move(starts_at=datetime.time(18, 30))
    send(now + outbox.AFTER_MOVES - HOUR / 60)
    assert told() == [], "the hour is often set in two steps"
    send(now + HOUR)
    an = min(mail.outbox, key=lambda message: message.to)
    assert told() == [("a", "Đêm 7 đổi giờ"), ("b", "Đêm 7 đổi giờ")]
    assert ", 18:30" in an.body
    assert re.search(r"Trước: .*, 20:00", an.body)
    move(starts_at=datetime.time(19))
    move(starts_at=datetime.time(18, 30))
    send(now + HOUR)
    assert told() == [], "nobody knew another hour"
    move(venue="Quán Cô Ba")
    send(now + HOUR)
    assert told() == [("a", "Đêm 7 đổi chỗ"), ("b", "Đêm 7 đổi chỗ")]
    move(venue="Nhà Cậu Tư")
    closing.call_off(event=night, by=by)
    send(now + HOUR)
    assert told() == [("a", "Đêm 7 nghỉ"), ("b", "Đêm 7 nghỉ")]


def test_who_was_told_of_another_hour_and_who_was_not_each_read_what_they_knew(night):
    by = owner_of(night)
    sign_ups.open_list(event=night, by=by)
    say(night, "An")
    say(night, "Bình")
    hours = [datetime.time(19), datetime.time(20), datetime.time(21)]
    now = timezone.now()

    def move(hour):
        night.refresh_from_db()
        night_settings.change_settings(
            event=night, by=by, plan=night.plan, name=night.name, date=night.date, starts_at=hour
        )

    def befores():
        found = {
            message.to[0][0]: re.search(r"Trước: .*, (\d\d:\d\d)", message.body)[1]
            for message in mail.outbox
        }
        mail.outbox.clear()
        return found

    for hour, heard in zip(hours, ({"a": "20:00"}, {"a": "19:00"}, {"a": "20:00"}), strict=True):
        move(hour)
        late = NewsItem.objects.filter(kind="moved", user__email__startswith="b", state="waiting")
        late.update(due_at=now + 9 * HOUR)  # Quiet hours, or a mail server that was away.
        send(now + HOUR)
        assert befores() == heard
    send(now + 10 * HOUR)
    assert befores() == {"b": "20:00"}
    NewsItem.objects.filter(kind="moved", user__email__startswith="b", state="sent").update(
        state="failed"
    )
    move(datetime.time(18))
    send(now + 11 * HOUR)
    assert befores() == {"a": "21:00", "b": "20:00"}


@pytest.mark.parametrize(("days", "drawn", "told"), [(1, False, 1), (1, True, 0), (-1, False, 0)])
def test_only_a_night_to_come_tells_another_hour(days, drawn, told):
    season = make_season()
    player = make_night(season=season).entrants.first().player
    players.take_player(player=player, user=confirmed(make_user("lan@club.example")))
    day = season.club.today + datetime.timedelta(days=days)
    night = make_night(season=season, date=day, starts_at=datetime.time(20))
    if drawn:
        make_round(night)
    night_settings.change_settings(
        event=night, by=owner_of(night), plan=night.plan, name=night.name, date=night.date,
        starts_at=datetime.time(21),
    )  # fmt: skip
    assert NewsItem.objects.filter(kind="moved", event=night).count() == told


def test_a_result_corrected_after_it_was_told_is_told_once_more(night):
    by = owner_of(night)
    people = night.season.club.players.filter(name__in=NAMES[:4])
    keys = list(people.values_list("pk", flat=True))
    attendance.set_presence(event=night, player_ids=keys, presence="here", by=by)
    sitting = make_round(night).sittings.get()
    names = names_at(sitting)
    play(sitting, names)

    def close(*order):
        closing.reopen_event(event=night, by=by)
        if order:
            correct(sitting.results.get(current=True), order)
        closing.close_event(event=night, by=by, despite_unfinished=True)
        send(timezone.now() + HOUR)
        return {subject for _to, subject in told()}

    closing.close_event(event=night, by=by, despite_unfinished=True)
    send(timezone.now() + HOUR)
    assert {subject for _to, subject in told()} == {"Đêm 7: kết quả"}
    assert close() == set()
    assert close(*names[::-1]) == {"Đêm 7: kết quả đã sửa"}
    assert close() == set()
    assert close(*names) == {"Đêm 7: kết quả đã sửa"}


def test_a_result_that_was_due_again_while_the_night_was_open_is_told_when_it_closes(night):
    club, by = night.season.club, owner_of(night)
    four = [club.players.get(name=name).pk for name in NAMES[:4]]
    attendance.set_presence(event=night, player_ids=four, presence="here", by=by)
    make_table(night, games=1)
    send()
    told()
    close = partial(closing.close_event, event=night, by=by, despite_unfinished=True)
    close()
    NewsItem.objects.filter(kind="night_result").update(attempts=1)  # The mail server was away.
    closing.reopen_event(event=night, by=by)
    send(timezone.now() + HOUR)
    close()
    assert told() == []
    send(timezone.now() + HOUR)
    assert {subject for _who, subject in told()} == {"Đêm 7: kết quả"}


def test_an_organiser_asks_once_a_day_who_said_nothing(night):
    club, host = night.season.club, browser_of(owner_of(night))
    sign_ups.open_list(event=night, by=owner_of(club))
    say(night, "An")
    path = path_of(night, "sign_up_ask")
    assert "2 people were asked." in host.post(path, follow=True).content.decode()
    asks = host.get(path_of(night, "sign_up") + "?text=ask").content.decode()
    assert re.search(r"Last messaged: \d\d:\d\d\s", asks)
    assert "already asked today" in host.post(path, follow=True).content.decode()
    say(night, "Em")  # Answered before the email went out.
    send()
    assert told() == [("b", "Bạn có đến không? Đêm 7")]


def test_who_says_no_before_the_message_went_out_is_neither_reminded_nor_given_a_place(night):
    sign_ups.open_list(event=night, by=owner_of(night), places=2)
    for name, reply in (("An", "yes"), ("Bình", "yes"), ("Em", "yes"), ("An", "no")):
        say(night, name, reply)
    outbox.remind(outbox.begins_at(night) - HOUR)
    waiting = NewsItem.objects.filter(user__email="e@club.example")
    assert {one.kind for one in waiting if words.message_of(one)} == {"moved_up", "night_soon"}
    say(night, "Em", "no")
    assert [one.kind for one in waiting.all() if words.message_of(one)] == []


def test_my_table_a_result_to_confirm_and_the_months_table_are_told_once(night):
    season, by = night.season, owner_of(night)
    club = season.club
    Event.objects.filter(pk=night.pk).update(confirmed_by="player")
    eight = [club.players.get(name=name).pk for name in NAMES[:8]]
    attendance.set_presence(event=night, player_ids=eight, presence="here", by=by)
    with receiver() as chat:
        wishes.add_webhook(club=club, address=chat.address, by=by)
        round_ = make_round(Event.objects.get(pk=night.pk))
        send()
        sitting = round_.sittings.get(places__entrant__player__name="An")
        (an,) = [each for each in mail.outbox if "a@" in each.to[0]]
        assert an.subject == f"Vòng đấu 1 bạn ngồi bàn {sitting.table_no}"
        assert f"Bàn {sitting.table_no}: {', '.join(names_at(sitting))}" in an.body
        (_headers, body) = chat.got.pop()
        told = json.loads(body)
        assert (told["type"], told["text"].count("Bàn ")) == ("round.drawn", 2)

        mail.outbox.clear()
        result = play(sitting, by=club.players.get(name="An").user)
        at = result.at
        outbox.ask_to_confirm(at + HOUR / 20)
        assert not NewsItem.objects.filter(kind="to_confirm").exists(), "not yet"
        for minutes in (6, 7):
            outbox.ask_to_confirm(at + minutes * HOUR / 60)
        waits = NewsItem.objects.filter(kind="to_confirm")
        asked = {item.user.email for item in waits}
        there = club.players.filter(name__in=names_at(sitting)).exclude(user=None)
        assert asked == {player.user.email for player in there} - {"a@club.example"}
        item = NewsItem(kind="to_confirm", club=club, event=round_.event, user=by,
                        data={"result": result.pk})  # fmt: skip
        subject, lines = words.message_of(item)
        assert subject == f"{night.name}: kết quả này đúng chưa?"
        assert lines[1].startswith(f"1. {names_at(sitting)[0]}, 2. ")
        assert f"/tables/{sitting.table_no}/" in words.address_of(item)
        disputes.confirm_all(event=round_.event, by=by)
        assert words.message_of(item) is None

        first = night.date.replace(day=1) + datetime.timedelta(days=32)
        noon = datetime.datetime.combine(first.replace(day=1), datetime.time(12), tzinfo=ZONE)
        for hours in (-4, 0, 1, 24 * 5):
            outbox.tell_month(noon + hours * HOUR)
        rows = NewsItem.objects.filter(kind="month_table")
        here = club.players.filter(pk__in=eight).exclude(user=None)
        assert rows.exclude(user=None).count() == here.count(), "each once"
        subject, lines = words.message_of(rows.get(user__email="a@club.example"))
        assert subject.endswith(f"sau tháng {night.date.month}/{night.date.year}")
        assert lines[0] == f"1. {names_at(sitting)[0]}"
        assert rows.filter(webhook__isnull=False).count() == 1


def test_who_was_merged_after_the_draw_is_told_the_table(night):
    club, by = night.season.club, owner_of(night)
    keys = list(club.players.filter(name__in=NAMES[1:4]).values_list("pk", flat=True))
    twin = players.add_player(club=club, name="Anh An", by=by)
    here = {"player_ids": [*keys, twin.pk], "presence": "here"}
    attendance.set_presence(event=night, by=by, **here)
    draft = draws.draw_round(event=night, by=by)
    merges.merge(alias=twin, into=club.players.get(name="An"), by=by)
    draws.release_round(round_=draft, by=by)
    send()
    assert told() == [(who, "Vòng đấu 1 bạn ngồi bàn 1") for who in ("a", "b")]


def test_who_is_owed_reminds_once_a_week_and_nobody_else_hears_of_it(night):
    club, by = night.season.club, owner_of(night)
    an, em, chi = (club.players.get(name=name) for name in ("An", "Em", "Chi"))
    make_cost(night.season, [an, em, chi], 90_000, paid_by=em, note="bia")
    give_role(club, em.user, "player")
    give_role(club, an.user, "player")
    path = path_of(night.season, "debt_remind")
    shown = path_of(night.season, "season_money")
    with receiver() as chat:
        wishes.add_webhook(club=club, address=chat.address, by=by)
        payee, debt = browser_of(em.user), {"payer": an.pk, "payee": em.pk}
        assert payee.get(shown).content.decode().count(path) == 1  # Chi has no account.
        assert browser_of(an.user).post(path, debt).status_code == 403
        payee.post(path, debt)
        assert "already reminded" in payee.post(path, debt, follow=True).content.decode()
        send()
        (message,) = mail.outbox
        assert message.to == ["a@club.example"]
        assert message.subject == f"You still owe Em 30,000 {club.unit}."
        assert shown in message.body
        assert chat.got == []


def test_a_debt_is_not_told_to_an_account_that_was_unlinked_since(night):
    club, by = night.season.club, owner_of(night)
    an, em = (club.players.get(name=name) for name in ("An", "Em"))
    make_cost(night.season, [an, em], 90_000, paid_by=em, note="bia")
    outbox.remind_of_debt(season=night.season, event=None, payer=an, payee=em, by=by)
    players.unlink_account(player=an, by=by)
    send()
    assert told() == []


def test_a_webhook_is_asked_again_under_the_same_id_until_it_answers(night):
    club, by = night.season.club, owner_of(night)
    now = timezone.now()
    with receiver() as chat:
        hook = wishes.add_webhook(club=club, address=chat.address, by=by)
        chat.answers = [500, 302, 429]
        news = outbox.try_webhook(hook)
        for seconds in (0, 1, 6, 40, 400):
            send(now + datetime.timedelta(seconds=seconds))
        assert len(chat.got) == 4  # After 0, 6, 40 and 400 seconds; the redirect was not followed.
        assert set(chat.ids()) == {str(news.ref)}
        assert len({body for _headers, body in chat.got}) == 1
        assert chat.is_signed(hook.secret)
        news.refresh_from_db()
        assert (news.state, news.attempts) == ("sent", 4)
        assert not NewsLane.objects.exists()


def test_a_slow_receiver_holds_no_task_past_its_limit(night, monkeypatch):
    club, by = night.season.club, owner_of(night)
    seconds = iter(range(0, 10_000, 20))
    clock = SimpleNamespace(monotonic=lambda: next(seconds))
    monkeypatch.setattr(sending, "time", clock)  # The receiver's own thread reads the real one.
    with receiver() as slow:
        hook = wishes.add_webhook(club=club, address=slow.address, by=by)
        for _number in range(9):
            outbox.try_webhook(hook)
        assert send() == {f"webhook-{hook.pk}": 2}  # The next sweep goes on.
        assert send() == {f"webhook-{hook.pk}": 2}


def test_old_deliveries_are_forgotten_and_reminders_asked_for_in_one_query(
    night, django_assert_num_queries
):
    outbox.remind(outbox.begins_at(night) - HOUR)
    rows = NewsItem.objects.count()
    with django_assert_num_queries(2):
        outbox.remind(outbox.begins_at(night) - HOUR)
    assert NewsItem.objects.count() == rows == 3
    NewsItem.objects.update(state="sent")
    sending.forget(timezone.now() + datetime.timedelta(days=29))
    assert NewsItem.objects.exists()
    sending.forget(timezone.now() + datetime.timedelta(days=31))
    assert not NewsItem.objects.exists()


def test_the_api_says_how_long_deliveries_are_kept():
    said = Deliveries.get.__doc__ or ""
    assert f"the last {sending.KEPT.days} days" in said


def test_telegram_gets_the_chat_and_the_text_alone():
    payload = {"type": "test", "data": {}, "content": "a", "text": "a"}
    bot = "https://api.telegram.org/bot1:x/sendMessage"
    assert sending.shaped(f"{bot}?chat_id=-100", payload) == {"chat_id": "-100", "text": "a"}
    for other in (bot, "https://club.example/?chat_id=1", "https://api.telegram.org.evil.example/"):
        assert sending.shaped(other, payload) == payload


def test_after_a_day_it_is_given_up_and_listed(night):
    club, by = night.season.club, owner_of(night)
    with receiver() as chat:
        hook = wishes.add_webhook(club=club, address=chat.address, by=by)
    news = outbox.try_webhook(hook)  # Nobody listens there any more.
    begun = timezone.now()
    for hours in range(26):
        send(begun + hours * HOUR)
        sending.sweep(begun + hours * HOUR)
    news.refresh_from_db()
    assert news.state == "failed"
    assert news.error == "ConnectionRefusedError"
    assert news.attempts > 20
    page = browser_of(by).get(path_of(club, "webhooks")).content.decode()
    assert "ConnectionRefusedError" in page


@pytest.mark.parametrize("hangs", [False, True])
def test_a_dead_way_out_delays_no_other(night, monkeypatch, hangs):
    club, by = night.season.club, owner_of(night)
    monkeypatch.setattr(posting, "SECONDS", 2 if hangs else 10)
    with receiver() as dead:
        silent = wishes.add_webhook(club=club, address=dead.address, by=by)
    with receiver() as chat, socket.create_server(("127.0.0.1", 0)) as listening:
        if hangs:  # It takes the connection and says nothing.
            address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
            type(silent).objects.filter(pk=silent.pk).update(address=address)
        wishes.add_webhook(club=club, address=chat.address, by=by)
        NewsItem.objects.bulk_create(
            NewsItem(kind="test", key=f"x{number}", club=club, webhook=silent)
            for number in range(10_000)
        )
        say_all(night)
        others = {"email": 3, f"webhook-{silent.pk + 1}": 1}
        assert send() == others | {f"webhook-{silent.pk}": 0}
        tried = NewsItem.objects.filter(webhook=silent, attempts__gt=0)
        assert (tried.count(), len(chat.got)) == (1, 1), "one attempt, and then it rests"
        # Before that attempt has failed, two workers at most wait for it, however many are free.
        NewsLane.objects.all().delete()
        lease = timezone.now() + sending.LEASE
        waiting = NewsItem.objects.filter(webhook=silent, state="waiting").values("pk")[:2]
        NewsItem.objects.filter(pk__in=waiting).update(state="sending", lease_until=lease)
        assert send() == {f"webhook-{silent.pk}": 0}
        assert tried.count() == 1


def say_all(night):
    players = night.season.club.players.exclude(user=None)
    outbox.tell("night_soon:x", night, [player.user for player in players])


class Broken(EmailBackend):
    """A mail server that is away, or refuses one address."""

    error: Exception | None = None

    def send_messages(self, messages):
        if self.error is not None and "a@" in messages[0].to[0]:
            raise self.error
        return super().send_messages(messages)


def test_mail_waits_for_its_server_and_a_refused_address_stops_nobody(night, settings, monkeypatch):
    settings.EMAIL_BACKEND = "tests.league.news.test_news.Broken"
    say_all(night)
    monkeypatch.setattr(Broken, "error", ConnectionRefusedError())
    send()
    assert told() == []
    assert NewsLane.objects.get().name == "email"
    monkeypatch.setattr(Broken, "error", smtplib.SMTPRecipientsRefused({"a": (550, b"no")}))
    send(timezone.now() + HOUR)
    assert [to for to, _subject in told()] == ["b", "e"]
    failed = NewsItem.objects.get(state="failed")
    assert (failed.error, failed.reason) == ("refused", "The mail server refuses this address.")
    path = path_of(night.season.club, "webhooks")
    page = unescape(browser_of(owner_of(night)).get(path).content.decode())
    assert (str(KINDS["night_soon"].label) in page, "night_soon" in page) == (True, False)
    assert re.search(r"·\s+An\s+<span[^>]*>The mail server refuses this address\.", page)


def test_an_email_that_was_perhaps_sent_is_listed_and_holds_up_no_other(
    night, settings, monkeypatch
):
    """One rested the whole lane: everybody's mail waited for a yes that never came."""
    settings.EMAIL_BACKEND = "tests.league.news.test_news.Broken"
    say_all(night)
    monkeypatch.setattr(Broken, "error", PerhapsSent())
    send()
    assert not NewsLane.objects.exists()
    assert [to for to, _subject in told()] == ["b", "e"]
    failed = NewsItem.objects.get(state="failed")
    assert (failed.user.email[0], failed.error) == ("a", PERHAPS)
    send(timezone.now() + HOUR)
    assert told() == []


def test_a_worker_that_dies_sends_no_mail_twice_and_the_webhook_again(night):
    club, by = night.season.club, owner_of(night)
    with receiver() as chat:
        hook = wishes.add_webhook(club=club, address=chat.address, by=by)
        say_all(night)
        now = timezone.now()
        for row in NewsItem.objects.all():
            row.state, row.lease_until, row.attempts = "sending", now, 1
            row.save()
        sending.sweep(now)
        send()
        assert told() == []
        assert NewsItem.objects.filter(webhook=None, state="failed").count() == 3
        assert len(chat.got) == 1
        assert hook.news.get().state == "sent"


def test_no_news_for_whoever_is_not_confirmed_or_does_not_want_it(night):
    an, em = (night.season.club.players.get(name=name).user for name in ("An", "Em"))
    EmailAddress.objects.filter(user=an).update(verified=False)
    wishes.set_wanted(user=em, kinds=[*KINDS], is_wanted=False)
    wishes.set_wanted(user=em, kinds=["dispute"], is_wanted=True)
    browser_of(em).post(reverse("my_news"), {"language": "en", "by_email": "on"})
    say_all(night)
    send()
    assert [to for to, _subject in told()] == ["b"]


def test_one_tap_in_a_mail_ends_the_news_of_its_club_without_signing_in(night):
    say_all(night)
    send()
    an = next(each for each in mail.outbox if each.to[0] == "a@club.example")
    off = an.extra_headers["List-Unsubscribe"].strip("<>")
    assert off in an.body
    path = re.sub("^https?://[^/]+", "", off)
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.get(path).status_code == 200  # A scanner that only looks changes nothing.
    assert not NewsWish.objects.exists()
    assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert NewsWish.objects.get().silent_clubs.get() == night.season.club
    assert stranger.post(path, {"all": "1"}).status_code == 200
    assert not NewsWish.objects.get().by_email
    assert stranger.get(path[:-3] + "x/").status_code == 404
    assert "secret" not in an.body


def test_without_a_choice_news_speaks_the_language_of_the_readers_pages(night):
    club, user = night.season.club, night.season.club.players.get(name="An").user
    user.language = "en"
    user.save()
    assert "as on the pages" in browser_of(user).get(reverse("my_news")).content.decode()
    assert club.language == "vi"
    outbox.tell("schedule_failed:1", club, [user], data={"schedule": "Đêm 8", "day": ""})
    send()
    assert told() == [("a", "Đêm 8 was not created")]


def test_quiet_hours_end_in_the_morning(night):
    an = night.season.club.players.get(name="An").user
    wishes.set_wish(
        user=an,
        by_email=True,
        language="en",
        quiet_from=datetime.time(22),
        quiet_to=datetime.time(8),
    )
    zone = zoneinfo.ZoneInfo("Asia/Ho_Chi_Minh")
    for number, (hour, due) in enumerate(((21, 21), (23, 8), (3, 8), (8, 8))):
        at = datetime.datetime(2027, 1, 5, hour, 30, tzinfo=zone)
        outbox.tell(f"dispute:{number}", night, [an], at)
        found = NewsItem.objects.get(key=f"dispute:{number}").due_at.astimezone(zone)
        assert found.hour == due
        assert found >= at
    with pytest.raises(Refusal):
        wishes.set_wish(user=an, by_email=True, language="",
                        quiet_from=datetime.time(1), quiet_to=None)  # fmt: skip


def test_a_slow_name_server_holds_neither_a_page_nor_a_task(monkeypatch):
    slow = threading.Event()
    monkeypatch.setattr(posting, "LOOK_UP_SECONDS", 0.1)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_any, **_more: slow.wait(30))
    try:
        for _asked in range(6):
            with pytest.raises(posting.Unreachable, match="the name server does not answer"):
                posting.resolve("https://club.example/", whose="club 1")
        began = time.monotonic()
        monkeypatch.setattr(posting, "LOOK_UP_SECONDS", 20)
        with pytest.raises(posting.Unreachable):  # All places are taken: it is not waited for.
            posting.resolve("https://club.example/", whose="club 1")
        assert time.monotonic() - began < 15
    finally:
        slow.set()
    assert wait_until(lambda: not posting._asked, seconds=60)


def test_slow_names_of_one_club_hold_up_no_other(monkeypatch, settings):
    settings.WEBHOOKS_IN_LAN = False
    slow, real = threading.Event(), socket.getaddrinfo
    monkeypatch.setattr(posting, "LOOK_UP_SECONDS", 0.1)

    def look_up(host, *args, **more):
        return slow.wait(30) if host.startswith("slow") else real(host, *args, **more)

    monkeypatch.setattr("socket.getaddrinfo", look_up)
    try:
        for name in range(5):
            with pytest.raises(posting.Unreachable):
                posting.resolve(f"https://slow{name}.example/", whose="club 1")
        monkeypatch.setattr(posting, "LOOK_UP_SECONDS", 20)
        assert posting.resolve("https://93.184.216.34/", whose="club 2").ip == "93.184.216.34"
    finally:
        slow.set()
    assert wait_until(lambda: not posting._asked, seconds=60)


@pytest.mark.parametrize("address", ["https://93.184.216.34/", "https://[2606:4700::1111]:8443/"])
def test_public_addresses_are_posted_to(settings, address):
    settings.WEBHOOKS_IN_LAN = False
    assert posting.resolve(address, whose="").url.geturl() == address


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:192.168.1.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[64:ff9b:1::7f00:1]/",
        "https://[fec0::1]/",
        "https://[3fff::1]/",
        "https://[5f00::1]/",
        "https://[::127.0.0.1]/",
        "https://192.88.99.1/",
        "https://192.0.0.192/",
        "https://93.184.216.34:22/",
        "https://169.254.169.254/latest/",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://localhost/",
        "http://93.184.216.34/",
        "https://user:word@93.184.216.34/",
        "ftp://93.184.216.34/",
        "https://",
        "https://93.184.216.34:99999/",
        "https://93.184.216.34/a b",
        "nothing",
        "https://" + "a" * 600,
    ],
)
def test_nothing_is_sent_into_private_networks(settings, address):
    settings.WEBHOOKS_IN_LAN = False
    club = make_club()
    with pytest.raises(Refusal):
        wishes.add_webhook(club=club, address=address, by=owner_of(club))
    with pytest.raises(posting.Unreachable):
        posting.post(address, b"", {}, whose="")


def test_a_refused_address_is_named_in_the_readers_language(settings):
    settings.WEBHOOKS_IN_LAN = False
    club = make_club()
    with translation.override("vi"), pytest.raises(Refusal) as refused:
        wishes.add_webhook(club=club, address="http://93.184.216.34/", by=owner_of(club))
    [sentence] = refused.value.messages
    assert sentence.endswith(": địa chỉ phải bắt đầu bằng https://.")


def test_an_address_is_checked_again_when_something_is_sent(night, settings):
    club, by = night.season.club, owner_of(night)
    with receiver() as inside:
        hook = wishes.add_webhook(club=club, address=inside.address, by=by)
        settings.WEBHOOKS_IN_LAN = False  # As if the name led elsewhere by now.
        outbox.try_webhook(hook)
        send()
        assert inside.got == []
        assert hook.news.get().error == "https is needed"


def test_a_webhook_that_never_ends_its_answer_is_left(night, monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.4)
    with receiver() as slow:
        slow.sleeps = 60
        with pytest.raises(posting.Unreachable):
            posting.post(slow.address, b"{}", {}, whose="")
        assert slow.got == []  # It sleeps still.


def test_an_answer_that_drips_over_tls_is_left_too(night, monkeypatch, tmp_path):
    monkeypatch.setattr(posting, "SECONDS", 1.0)
    monkeypatch.setattr(posting.ssl, "create_default_context", ssl._create_unverified_context)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(own_certificate(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip():
            with contextlib.suppress(OSError):
                client, _address = listening.accept()
                with server.wrap_socket(client, server_side=True) as answer:
                    answer.recv(4096)
                    for _number in range(1200):
                        answer.send(b"H")
                        time.sleep(0.1)

        threading.Thread(target=drip, daemon=True).start()
        begun = time.monotonic()
        with pytest.raises(posting.Unreachable):
            posting.post(f"https://127.0.0.1:{listening.getsockname()[1]}/", b"{}", {}, whose="")
        assert time.monotonic() - begun < 60


def own_certificate(folder: Path) -> Path:
    """A key and a certificate signed with it, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = timezone.now()
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    pem = serialization.Encoding.PEM
    kind, secret = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = folder / "own.pem"
    signed = made.sign(key, hashes.SHA256())
    path.write_bytes(key.private_bytes(pem, kind, secret) + signed.public_bytes(pem))
    return path


def test_an_owner_sees_and_changes_webhooks(night):
    club = night.season.club
    path = path_of(club, "webhooks")
    host = browser_of(owner_of(club))
    with receiver() as chat:
        added = host.post(path, {"address": chat.address})
        assert "no-store" in added["Cache-Control"]
        hook = club.webhooks.get()
        assert hook.secret in added.content.decode()
        later = host.get(path).content.decode()
        assert hook.host in later
        assert f"…{hook.secret_end}" in later
        assert hook.secret not in later
        assert hook.address not in later
        change = path_of(club, "webhook_change", club.webhooks.get().pk)
        host.post(change, {"test": "1"})
        send()
        assert json.loads(chat.got[0][1])["type"] == "test"
        host.post(change, {"remove": "1"})
    assert not club.webhooks.exists()
    assert host.post(path, {"address": "gopher://x"}).status_code == 422


def test_owners_manage_webhooks_by_the_api(night, client):
    club, by = night.season.club, owner_of(night)
    _token, secret = tokens.create_token(user=by, name="x")
    headers = {"Authorization": f"Bearer {secret}"}
    path = path_of(club, "api:webhooks")
    with receiver() as chat:
        made = client.post(path, {"address": chat.address}, "application/json", headers=headers)
        hook = made.json()
        test = path_of(club, "api:webhook_test", hook["id"])
        client.post(test, {}, "application/json", headers=headers)
        send()
        assert chat.is_signed(hook["secret"])
        found = client.get(path_of(club, "api:webhook_deliveries"), headers=headers)
        (delivery,) = found.json()["results"]
        assert (delivery["ref"], delivery["state"]) == (chat.ids()[0], "sent")
        again = client.post(path, {"address": chat.address}, "application/json", headers=headers)
        assert again.status_code == 400
        gone = path_of(club, "api:webhook_remove", hook["id"])
        removed = client.post(gone, {}, "application/json", headers=headers).json()
        assert removed == {name: hook[name] for name in ("id", "host", "secret_end", "at")}
        assert client.get(path, headers=headers).json()["results"] == []


def test_a_token_sees_neither_a_webhooks_secret_nor_its_address(night, client):
    """Of a chat channel the address is a secret too: anyone who has it can write there."""
    club, by = night.season.club, owner_of(night)
    with receiver() as chat:
        hook = wishes.add_webhook(club=club, address=f"{chat.address}hooks/1/s3cr3t", by=by)
        outbox.try_webhook(hook)
        send()
    _token, secret = tokens.create_token(user=by, name="x", scopes=["read"])
    headers = {"Authorization": f"Bearer {secret}"}
    for name in ("api:webhooks", "api:webhook_deliveries"):
        answer = client.get(reverse(name, args=[club.slug]), headers=headers)
        assert len(answer.json()["results"]) == 1
        assert "s3cr3t" not in answer.content.decode()
        assert hook.secret not in answer.content.decode()
    (listed,) = client.get(path_of(club, "api:webhooks"), headers=headers).json()["results"]
    assert (listed["host"], listed["secret_end"]) == (hook.host, hook.secret[-4:])


@pytest.mark.django_db(transaction=True)
def test_several_workers_send_each_message_once():
    night = make_evening()
    say_all(night)
    with receiver() as chat:
        hook = wishes.add_webhook(club=night.season.club, address=chat.address, by=owner_of(night))
        for _number in range(20):
            outbox.try_webhook(hook)
        calls = [lambda: send() for _worker in range(4)]
        race(*calls, refused=())
        assert len(chat.ids()) == len(set(chat.ids())) == 20
    assert len(told()) == 3


def test_the_table_of_the_docs_has_a_row_for_each_kind():
    """Programs read the `type`; a kind that no webhook gets has none."""
    table = (Path(settings.BASE_DIR) / "docs/news.md").read_text(encoding="utf-8")
    types = re.findall(r"^\| .+ \| (none|`[a-z.]+`) \| .+ \|$", table, re.M)
    told = {key: kind for key, kind in KINDS.items() if kind.to != "administrator"}
    del told["test"]
    public = {f"`{key.replace('_', '.')}`" for key, kind in told.items() if not kind.is_private}
    assert set(types) - {"none", "`type`"} == public
    private = [key for key, kind in told.items() if kind.is_private]
    rows, named = types.count("none"), ", ".join(private)
    assert rows == len(private), f"docs/news.md: a row with type none for each of {named}"


def test_every_signal_of_an_act_is_heard():
    files = (path for app in ("league", "tables") for path in Path(app).rglob("signals.py"))
    modules = [import_module(".".join(path.with_suffix("").parts)) for path in sorted(files)]
    signals = [
        (module.__name__, name, value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Signal)
    ]
    assert len(signals) > 10
    assert [(where, name) for where, name, one in signals if not one.has_listeners()] == []
