"""News in a browser: Chromium's own service worker shows what the server has sent to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser

from league.models import Channel, NewsItem, NewsWish
from league.news.selectors import words
from league.news.services import outbox, push
from tests.browser.conftest import open_page
from tests.factories import make_night, make_user
from tests.league.news.browser import Browser as Receiver

pytestmark = pytest.mark.django_db(transaction=True)

# What a tap does: a browser opens windows for real taps alone, so the test notes which one.
TAP = """async (action) => {
  const [notification] = await self.registration.getNotifications();
  const opened = [];
  self.clients.openWindow = async (address) => opened.push(address);
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
  return [opened, (await self.registration.getNotifications()).length];
}"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({ title, body, lang, tag, actions }) => (
    { title, body, lang, tag, actions: actions.map((one) => one.title) }
  ));
}"""


def sent(language: str, event: Any) -> dict[str, Any]:
    """What a browser whose reader has this language finds in the message, once opened."""
    user, receiver = make_user(), Receiver()
    NewsWish.objects.create(user=user, language=language)
    channel = Channel.objects.create(
        user=user, kind="push", address=f"https://push.example/{language}", keys=receiver.keys()
    )
    details = {"club": event.season.club, "event": event, "users": [user]}
    outbox.tell("night_soon", f"x-{language}", **details)
    news = NewsItem.objects.get(channel=channel)
    told = words.told(news)
    assert told is not None
    found: dict[str, Any] = receiver.opened(push.message(news, channel, told, timezone.now())[0])
    return found


def test_a_message_is_shown_in_its_language_and_a_tap_opens_its_page(
    browser: Browser, live_server, settings
):
    settings.HAS_MAIL = False
    event = make_night(4)
    with open_page(browser, live_server.url) as page:
        context = page.context
        context.grant_permissions(["notifications"], origin=live_server.url)
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        cdp, found = context.new_cdp_session(page), []
        cdp.on(
            "ServiceWorker.workerRegistrationUpdated", lambda e: found.extend(e["registrations"])
        )
        cdp.send("ServiceWorker.enable")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        for language, stop in (("en", "Stop news"), ("vi", "Tắt tin")):
            message = sent(language, event)
            assert message["stop"].startswith(stop)
            cdp.send(
                "ServiceWorker.deliverPushMessage",
                {
                    "origin": live_server.url,
                    "registrationId": found[-1]["registrationId"],
                    "data": json.dumps(message),
                },
            )
            page.wait_for_function(f"({SHOWN})().then((all) => all.length === 1)")
            (shown,) = page.evaluate(SHOWN)
            assert shown == {
                **{key: message[key] for key in ("title", "body", "lang", "tag")},
                "actions": [message["stop"]],
            }
            assert (shown["lang"], event.name in shown["title"]) == (language, True)
            (worker,) = context.service_workers
            path = reverse("league:event", args=[event.season.club.slug, event.pk])
            assert worker.evaluate(TAP, "") == [[path], 0]
