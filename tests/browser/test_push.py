"""News in a browser: Chromium's own service worker shows what the server has sent to it."""

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect

from league.models import Channel, NewsItem, NewsWish
from league.news.acts import outbox, push
from league.news.facts import words
from tests.browser.conftest import open_page, says_who, sign_in
from tests.browser.live_site import site
from tests.browser.proxy import PORTAL, Foreign, road_to
from tests.factories import make_night, make_table, make_user, names_at, night_link
from tests.league.news.browser import Browser as Receiver

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A browser without a screen shows nothing, and opens windows for real taps alone. So what the
# worker asks for is noted, and a tap on what it asked to show is handed to it.
NOTED = """() => {
  self.noted = [];
  self.registration.showNotification = async (title, options) => {
    self.noted.push({ title, ...options });
  };
  self.clients.openWindow = async (address) => self.noted.push(address);
  const open = self.clients.matchAll.bind(self.clients);
  self.clients.matchAll = async (asked) => (await open(asked)).map(({ url }) => ({
    url,
    focus: async () => self.noted.push(`looks at ${new URL(url).pathname}`),
    navigate: async (address) => self.noted.push(`goes to ${address}`),
  }));
  self.registration.getNotifications = async () => self.noted.filter((one) => one.title);
  self.navigator.setAppBadge = async (count) => self.noted.push(`badge ${count}`);
}"""
SHOWN = "() => self.noted.findLast((one) => one.title)"
TAP = """async () => {
  const event = new ExtendableEvent("notificationclick"), waits = [];
  const at = self.noted.findLastIndex((one) => one.title);
  const [{ data }] = self.noted.splice(at, 1);
  event.action = "";
  event.waitUntil = (one) => waits.push(one);
  event.notification = { data, close: () => self.noted.push("closed") };
  self.dispatchEvent(event);
  await Promise.all(waits);
  return self.noted.splice(0);
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


def test_a_message_is_shown_in_its_language_and_a_tap_opens_its_page(browser: Browser, settings):
    settings.HAS_MAIL = False
    event = make_night(4)
    with site() as address, open_page(browser, address, service_workers="allow") as page:
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
                    "origin": address,
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
            shown_badge, *tapped = worker.evaluate(TAP)
            assert shown_badge == "badge 1"
            # The window that is open is used, and not another one.
            assert tapped == ["closed", "badge 0", "looks at /", f"goes to {path}"]


RENEWED = """async ([old, address, p256dh, auth]) => {
  const plain = (word) => atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = (word) => Uint8Array.from(plain(word), (one) => one.charCodeAt(0));
  const keys = { p256dh: bytes(p256dh).buffer, auth: bytes(auth).buffer };
  const event = new ExtendableEvent("pushsubscriptionchange"), waits = [];
  event.waitUntil = (one) => waits.push(one);
  event.oldSubscription = { endpoint: old, options: {} };
  event.newSubscription = { endpoint: address, getKey: (name) => keys[name] };
  self.dispatchEvent(event);
  await Promise.all(waits);
}"""


def test_a_renewed_subscription_goes_on_and_one_that_is_gone_is_said(browser: Browser, settings):
    settings.WEBHOOKS_IN_LAN = True
    user, receiver = make_user(), Receiver()
    old, new = "http://127.0.0.1:9/old", "http://127.0.0.1:9/new"
    push.add_browser(user=user, address=old, **receiver.keys())
    again = Receiver().keys()
    with (
        site() as address,
        road_to(address) as road,
        open_page(browser, road.address, service_workers="allow") as page,
    ):
        # A browser without a screen refuses everything that it would show.
        page.add_init_script(
            "Object.defineProperty(Notification, 'permission', { value: 'default' })"
        )
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        (worker,) = page.context.service_workers
        worker.evaluate(RENEWED, [old, new, again["p256dh"], again["auth"]])
        (channel,) = user.channels.all()
        assert (channel.address, channel.keys) == (new, again)
        # The browser has ended it, and told nobody: the next page notices, and the one after it
        # where a Wi-Fi's sign-in page answered.
        page.evaluate(f"localStorage.setItem('subscribed', '{new}')")
        road.posts(Foreign(body=PORTAL))
        page.reload()
        road.waits_for("POST ", times=2)
        page.reload()
        for _wait in range(100):
            if page.evaluate("localStorage.getItem('subscribed')") == "gone":
                break
            page.wait_for_timeout(100)
        assert not user.channels.exists()
        sign_in(page, user)
        page.goto(reverse("my_news"))
        expect(page.get_by_text("The browser has ended your news on this device.")).to_be_visible()


def test_a_browser_that_refuses_keeps_it_to_who_opens_it(browser: Browser):
    table = make_table(make_night(4))
    name = names_at(table)[0]
    with site() as address, open_page(browser, address, service_workers="allow") as page:
        page.goto(night_link(table.round.event))
        says_who(page, name)
        news = page.locator("[data-push]")
        expect(news.get_by_text("News on this device", exact=True)).to_be_visible()
        expect(news.locator("[data-state=denied], [data-state=unable]").first).not_to_be_visible()
        sign_in(page, make_user())
        page.goto(reverse("my_news"))
        expect(news.locator("[data-state]:not([hidden])")).to_be_visible()
