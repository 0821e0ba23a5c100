"""News in a person's own Telegram chat; a server on this machine stands for Telegram."""

import json
import re

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from league import tasks
from league.models import Channel, NewsItem
from league.news.acts import outbox, sending, telegram
from tests.factories import make_club, make_user, sign_in
from tests.league.news.receiver import receiver

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forgotten():
    cache.delete_many(["telegram:name:1", "telegram:offset:1", "telegram:waits"])


def said(text, chat=77, number=5, kind="private"):
    message = {"message_id": 1, "chat": {"id": chat, "type": kind}, "text": text}
    return {"update_id": number, "message": message}


def result(value):
    return json.dumps({"ok": True, "result": value}).encode()


def test_a_code_ties_a_chat_to_an_account_once(settings):
    settings.WEBHOOKS_IN_LAN, settings.HAS_MAIL = True, False
    club, user, other = make_club(), make_user(), make_user()
    client, path = sign_in(user), reverse("my_telegram")
    assert client.post(path).status_code == 404
    with receiver() as bot:
        settings.TELEGRAM_BOT, settings.TELEGRAM_ADDRESS = (
            "1:word",
            bot.address.partition("/hook")[0],
        )
        assert telegram.take_links() == 0
        assert bot.got == []  # Nobody waits, nobody is asked.
        bot.answers, bot.bodies = [200] * 9, [result({"username": "tienlen_bot"})]
        page = client.post(path).content.decode()
        (code,) = re.findall(r"https://t\.me/tienlen_bot\?start=([\w-]{20,64})", page)
        bot.bodies = [
            result([
                said("/start nothing"), said(f"/start {code}", 88, 6, "group"), {"update_id": 7},
                said(f"/start {code}", 99, 8), said(f"/start {code}", 66, 9),
            ])
        ]  # fmt: skip
        assert telegram.waits()
        assert telegram.take_links() == 1
        channel = Channel.objects.get()
        assert (channel.user, channel.address) == (user, "99")
        telegram.take_links()
        assert json.loads(bot.got[-1][1])["offset"] == 10
        # News goes there, under the bot's address alone.
        data = {"schedule": "Đêm 7", "day": "2015-11-27"}
        outbox.tell("schedule_failed:x", club, [user, other], data=data)
        now = timezone.now()
        assert {name: sending.send_lane(name, now) for name in sending.due_lanes(now)} == {
            "telegram": 1
        }
        headers, body = bot.got[-1]
        assert headers["path"] == "/bot1:word/sendMessage"
        assert json.loads(body)["chat_id"] == 99
        assert json.loads(body)["text"].startswith("Đêm 7 was not created\n")
        # A worker that dies in between: nobody gets it twice.
        outbox.tell("schedule_failed:y", club, [user], data=data)
        NewsItem.objects.filter(key="schedule_failed:y").update(state="sending", lease_until=now)
        sending.sweep(now)
        assert NewsItem.objects.get(key="schedule_failed:y").state == "failed"
        # Who blocks the bot is forgotten.
        bot.answers = [403]
        outbox.tell("schedule_failed:z", club, [user], data=data)
        sending.send_lane("telegram", timezone.now())
        assert not Channel.objects.exists()


def test_a_telegram_that_is_away_or_answers_nonsense_changes_nothing(settings):
    settings.WEBHOOKS_IN_LAN = True
    settings.TELEGRAM_BOT, settings.TELEGRAM_ADDRESS = "1:word", "http://127.0.0.1:9"
    client = sign_in(make_user())
    shown = client.post(reverse("my_telegram"), follow=True).content.decode()
    assert "Telegram does not answer" in shown
    assert "1:word" not in shown
    cache.set("telegram:waits", 1, 60)
    tasks.take_chats()
    with receiver() as bot:
        settings.TELEGRAM_ADDRESS = bot.address.partition("/hook")[0]
        for body in (b"<html>", b"[]", result({"x": 1}), result(["x", {"message": None}])):
            bot.answers, bot.bodies = [200], [body]
            assert telegram.take_links() == 0
    cache.delete("telegram:waits")
