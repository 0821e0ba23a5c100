"""Browsers subscribed to news by Web Push, and the messages for them."""

import datetime
import json
from email.utils import parseaddr
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import Channel, NewsItem
from league.news.acts import web_push
from league.news.acts.posting import check_address
from league.news.facts import words
from tables.refusals import Refusal

GONE = (404, 410)
"""A push service's response statuses for an ended subscription (RFC 8030)."""
MOST = 10
STORED_SECONDS = 12 * 3600
"""Seconds that a service stores a message for an offline browser; later it is no longer news."""
MOST_LETTERS = 300


def add_browser(
    *, address: str, p256dh: str, auth: str, user: User | None = None, phone: str = ""
) -> Channel:
    """Subscribe a browser to the news of an account, or of a phone without one.

    Refusal if its address or keys do not work. A browser belongs to the last that subscribed it.
    Beyond `MOST`, the oldest subscription is deleted.
    """
    whose = f"account {user.pk}" if user else phone
    address = check_address(address, whose=whose)  # Before the transaction: it queries DNS.
    try:
        web_push.browser_keys(p256dh, auth)
    except ValueError as error:
        raise Refusal(_("The browser sent keys that do not work."), field="address") from error
    return _added(address, {"user": user, "phone": phone, "keys": {"p256dh": p256dh, "auth": auth}})


@transaction.atomic
def _added(address: str, values: dict[str, Any]) -> Channel:
    service = urlsplit(address).hostname or ""
    channel, _made = Channel.objects.update_or_create(
        kind=Channel.Kind.PUSH,
        address=address,
        defaults=values | {"lane": f"push-{service}"[:40]},
    )
    mine = Channel.objects.filter(user=channel.user, phone=channel.phone, kind=Channel.Kind.PUSH)
    old = mine.order_by("-at", "-pk")[MOST:]
    mine.filter(pk__in=[one.pk for one in old]).delete()
    return channel


def subscribed_at(address: str) -> Channel | None:
    """Return the browser with this push address, which it and its push service alone know."""
    found = Channel.objects.filter(kind=Channel.Kind.PUSH, address=address)
    return found.select_related("user").first()


def remove_browser(*, address: str, user: User | None = None, phone: str = "") -> None:
    """Unsubscribe a browser of the account or the phone."""
    mine = Channel.objects.filter(user=user, phone=phone, kind=Channel.Kind.PUSH)
    mine.filter(address=address).delete()


def remove_browsers(*, user: User) -> None:
    user.channels.filter(kind=Channel.Kind.PUSH).delete()


def public_key() -> str:
    """Return the public key with which browsers restrict their subscription to this server."""
    return web_push.public_text(_key(settings.SECRET_KEY))


@cache
def _key(secret: str) -> ec.EllipticCurvePrivateKey:
    return web_push.own_key(secret)


def message(
    news: NewsItem, channel: Channel, text: words.NewsText, now: datetime.datetime
) -> tuple[bytes, dict[str, str]]:
    """Return a message's body, encrypted for the browser, and headers, signed for its service."""
    language, tag = words.language_of(news), str(news.data.get("tag", news.ref.hex))
    left = news.expires_at and int((news.expires_at - now).total_seconds())
    with translation.override(language):
        stop = _("Stop news on this device")
    notification = {
        "title": text.subject[:MOST_LETTERS],
        "body": "\n".join(text.lines)[:MOST_LETTERS],
        "lang": language,
        "stop": stop,
        "address": words.address_of(news),
        "tag": tag,
    }
    keys = web_push.browser_keys(channel.keys["p256dh"], channel.keys["auth"])
    body = web_push.encrypted(json.dumps(notification, ensure_ascii=False).encode(), keys)
    url = urlsplit(channel.address)
    # Some push services refuse a contact URL without https.
    contact = settings.SITE_ADDRESS
    if not contact.startswith("https://"):
        contact = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
    signed = web_push.authorization(
        _key(settings.SECRET_KEY),
        audience=f"{url.scheme}://{url.netloc}",
        subject=contact,
        until=int(now.timestamp()) + STORED_SECONDS,
    )
    return body, {
        "Authorization": signed,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(STORED_SECONDS if left is None else max(0, left)),
        "Topic": tag,
        "Urgency": "normal" if left is None else "high",
    }
