"""News in a browser: Chromium's own service worker shows what the server has sent to it."""

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser

from league.models import Channel, NewsItem, NewsWish
from league.news.acts import outbox, push
from league.news.facts import words
from tests.browser.conftest import open_page
from tests.factories import make_night, make_user
from tests.league.news.browser import Browser as Receiver

pytestmark = pytest.mark.django_db(transaction=True)

# A browser without a screen shows nothing, and opens windows for real taps alone. So what the
# worker asks for is noted, and a tap on what it asked to show is handed to it.
NOTED = """() => {
  self.noted = [];
  self.registration.showNotification = async (title, options) => {
    self.noted.push({ title, ...options });
  };
  self.clients.openWindow = async (address) => self.noted.push(address);
}"""
SHOWN = "() => self.noted.at(-1)"
TAP = """() => {
  const event = new ExtendableEvent("notificationclick");
  const { data } = self.noted.at(-1);
  event.action = "";
  event.waitUntil = () => {};
  event.notification = { data, close: () => self.noted.push("closed") };
  self.dispatchEvent(event);
  return self.noted.splice(0).slice(1);
}"""


def sent(language: str, event: Any) -> dict[str, Any]:
    """What a browser whose reader has this language finds in the message, once opened."""
    user, receiver = make_user(), Receiver()
    NewsWish.objects.create(user=user, language=language)
    channel = Channel.objects.create(
        user=user, kind="push", address=f"https://push.example/{language}", keys=receiver.keys()
    )
    outbox.tell(f"night_soon:{language}", event, [user])
    news = NewsItem.objects.get(channel=channel)
    message = words.message_of(news)
    assert message is not None
    found: dict[str, Any] = receiver.opened(push.message(news, channel, message, timezone.now())[0])
    return found


def test_a_message_is_shown_in_its_language_and_a_tap_opens_its_page(
    browser: Browser, live_server, settings
):
    settings.HAS_MAIL = False
    event = make_night(4)
    with open_page(browser, live_server.url, service_workers="allow") as page:
        context = page.context
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        cdp, found = context.new_cdp_session(page), []
        cdp.on(
            "ServiceWorker.workerRegistrationUpdated", lambda e: found.extend(e["registrations"])
        )
        cdp.send("ServiceWorker.enable")
        (worker,) = context.service_workers
        worker.evaluate(NOTED)
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
            for _wait in range(100):
                if (shown := worker.evaluate(SHOWN)) is not None:
                    break
                page.wait_for_timeout(100)
            assert shown is not None
            assert {key: shown[key] for key in ("title", "body", "lang", "tag")} == {
                key: message[key] for key in ("title", "body", "lang", "tag")
            }
            assert (shown["lang"], event.name in shown["title"]) == (language, True)
            assert [action["title"] for action in shown["actions"]] == [message["stop"]]
            path = reverse("league:event", args=[event.season.club.slug, event.pk])
            assert worker.evaluate(TAP) == ["closed", path]
