"""Delivery of the outbox, lane by lane, so that a dead receiver delays no other.

A message is claimed in its own transaction before it is sent. E-mail and Telegram messages go out
at most once: if the worker dies while sending one, it is listed as failed. Webhooks and browsers
get it again under the same id, by which they recognise the duplicate.
"""

import base64
import datetime
import hashlib
import hmac
import json
import logging
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts import mail
from launcher import programs
from league.models import Channel, NewsItem, NewsLane, Webhook
from league.news.acts import push, telegram
from league.news.acts.posting import Unreachable, post
from league.news.facts import words
from league.news.facts.words import NewsText
from tables.base.columns import set_columns

log = logging.getLogger(__name__)

EMAIL = "email"
WEBHOOK = "webhook-"
PAUSES = (5, 30, 300, 1800, 3600)
"""Seconds that a lane pauses after its first, second, ... consecutive failure."""
DAY = datetime.timedelta(hours=24)
MOST_ATTEMPTS = 27
"""The number of attempts that take about a day with these pauses."""
LEASE, LEASE_OF_EMAIL = datetime.timedelta(minutes=3), datetime.timedelta(minutes=15)
"""Longer than a message may take: a mail server has a minute to say yes, after slow commands."""
KEPT = datetime.timedelta(days=30)
AT_ONCE = 50
MOST_SECONDS = 60
MOST_AT_WORK, MOST_EMAILS_AT_WORK = 2, programs.MAIL_THREADS - 1
"""Maximum concurrent workers per lane: a receiver that hangs blocks no more of them.

More than one, so that a lane continues while a dead worker's message is still leased. Of the
threads for email one is left for accounts.
"""
SALT = "league.news.off"


class Failed(Exception):
    """A failed delivery: `for_good` rules out a retry, `lane` pauses the whole lane."""

    def __init__(self, reason: str, *, for_good: bool = False, lane: bool = True) -> None:
        super().__init__(reason)
        self.for_good, self.lane = for_good, lane


def due_lanes(now: datetime.datetime) -> list[str]:
    """Return the lanes with due messages, except paused ones."""
    due = NewsItem.objects.filter(state=NewsItem.State.WAITING, due_at__lte=now)
    hooks = due.filter(webhook__isnull=False).values_list("webhook", flat=True).distinct()
    names = [lane_of(key) for key in hooks.order_by("webhook")]
    channels = due.filter(channel__isnull=False).values_list("channel__lane", flat=True)
    names += channels.distinct().order_by("channel__lane")
    if due.filter(user__isnull=False).exists():
        names.insert(0, EMAIL)
    resting = set(
        NewsLane.objects.filter(name__in=names, rests_until__gt=now).values_list("name", flat=True)
    )
    return [name for name in names if name not in resting]


def lane_of(webhook_id: int) -> str:
    return f"{WEBHOOK}{webhook_id}"


def send_lane(name: str, now: datetime.datetime | None = None) -> int:
    """Send a lane's due messages until the lane pauses; return the number sent.

    Stops after `AT_ONCE` messages or `MOST_SECONDS`, below the task's time limit. The next sweep
    continues.
    """
    sent, ends = 0, time.monotonic() + MOST_SECONDS
    for _number in range(AT_ONCE):
        if time.monotonic() >= ends:
            break
        moment = now or timezone.now()
        news = _claim(name, moment)
        if news is None:
            break
        try:
            outcome = _deliver(news, moment)
        except Failed as error:
            if _note_failure(news, error, name, moment):
                break
        else:
            sent += outcome == NewsItem.State.SENT
            _finish(news, outcome, "", moment)
            NewsLane.objects.filter(name=name).delete()
    return sent


@transaction.atomic
def _claim(name: str, now: datetime.datetime) -> NewsItem | None:
    """Lease the lane's next due message; None if none is due or the lane is paused or busy."""
    if NewsLane.objects.filter(name=name, rests_until__gt=now).exists():
        return None
    at_work = NewsItem.objects.filter(_in_lane(name), state=NewsItem.State.SENDING)
    is_email = name == EMAIL
    if at_work.count() >= (MOST_EMAILS_AT_WORK if is_email else MOST_AT_WORK):
        return None
    found = (
        NewsItem.objects.filter(_in_lane(name), state=NewsItem.State.WAITING, due_at__lte=now)
        .select_for_update(skip_locked=True, of=("self",))
        .select_related(
            "club", "event__season__club", "event__ruleset", "user", "webhook", "channel__user"
        )
        .order_by("due_at", "pk")
        .first()
    )
    if found is None:
        return None
    set_columns(
        found,
        state=NewsItem.State.SENDING,
        lease_until=now + (LEASE_OF_EMAIL if is_email else LEASE),
        attempts=found.attempts + 1,
    )
    return found


def _in_lane(name: str) -> Q:
    if name == EMAIL:
        return Q(user__isnull=False)
    if name.startswith(WEBHOOK):
        return Q(webhook=int(name.removeprefix(WEBHOOK)))
    return Q(channel__lane=name)


def _deliver(news: NewsItem, now: datetime.datetime) -> str:
    """Send or drop a message, and return its new state."""
    if news.club is not None and news.club.closed_at:
        return NewsItem.State.DROPPED
    if news.expires_at is not None and news.expires_at <= now:
        return NewsItem.State.DROPPED
    message = words.message_of(news)
    if message is None or not _is_wanted(news):
        return NewsItem.State.DROPPED
    if news.webhook is not None:
        _post(news, news.webhook, message, now)
    elif news.channel is not None:
        _to_channel(news, news.channel, message, now)
    else:
        _mail(news, message)
    return NewsItem.State.SENT


def _is_wanted(news: NewsItem) -> bool:
    """Return whether the reader, if any, is active and still wants this message."""
    reader = news.reader
    if reader is None:
        return True
    wish = getattr(reader, "news_wish", None)
    if wish is None:
        return reader.is_active
    if news.club_id and wish.silent_clubs.filter(pk=news.club_id).exists():
        return False
    return reader.is_active and wish.wants(news.kind) and (wish.by_email or news.user is None)


def _mail(news: NewsItem, message: NewsText) -> None:
    assert news.user is not None
    token = signing.dumps([news.user_id, news.club_id], salt=SALT)
    off = mail.at(reverse("league:news_off", args=[token]))
    with translation.override(words.language_of(news)):
        lines = [*message.lines, "", words.address_of(news), "", _("No more of these emails:"), off]
    headers = {
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    try:
        club = news.club.name if news.club else ""
        part = f"{news.club.slug}.news" if news.club else "news"
        to, ref = news.user.email, str(news.ref)
        mail.send(to, ref, message.subject, lines, of=club, part=part, headers=headers)
    except mail.NotSent as error:
        raise Failed(str(error), for_good=error.for_good, lane=error.server) from error


def reader_of(token: str) -> tuple[int | None, int | None]:
    """Return the keys of a message's account and club, None for none or an invalid token.

    Tokens of before 1.2 hold the account's key alone.
    """
    try:
        found = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None, None
    keys = found if isinstance(found, list) else [found, None]
    user, club = keys if len(keys) == 2 else (None, None)
    return user if isinstance(user, int) else None, club


def _post(news: NewsItem, hook: Webhook, message: NewsText, now: datetime.datetime) -> None:
    """Post per the Standard Webhooks specification, with the same id and body on each attempt."""
    if not news.body:
        facts = shaped(hook.address, payload(news, message))
        set_columns(news, body=json.dumps(facts, ensure_ascii=False))
    body = news.body.encode()
    stamp = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "tien-len-webhooks/1",
        "webhook-id": str(news.ref),
        "webhook-timestamp": stamp,
        "webhook-signature": signature(hook.secret, str(news.ref), stamp, body),
    }
    try:
        status = post(hook.address, body, headers, whose=f"club {hook.club_id}")
    except Unreachable as error:
        raise Failed(str(error)) from error
    if status == 410:
        raise Failed("410", for_good=True)
    if not 200 <= status < 300:
        raise Failed(str(status))


def _to_channel(
    news: NewsItem, channel: Channel, message: NewsText, now: datetime.datetime
) -> None:
    """Send the message to the channel's service; delete the channel if it no longer exists.

    A retry has the same tag, so a browser shows it in place of the first notification.
    """
    is_chat = channel.kind == Channel.Kind.TELEGRAM
    try:
        if is_chat:
            status = telegram.send(news, channel, message)
        else:
            whose = f"channel {channel.pk}"
            status = post(channel.address, *push.message(news, channel, message, now), whose=whose)
    except Unreachable as error:
        raise Failed(str(error)) from error
    if status in (telegram.GONE if is_chat else push.GONE):
        channel.delete()
        raise Failed(str(status), for_good=True, lane=False)
    if status == 429 or status >= 500:
        raise Failed(str(status))
    if not 200 <= status < 300:
        raise Failed(str(status), for_good=True, lane=False)


def payload(news: NewsItem, message: NewsText) -> dict[str, object]:
    """Return a webhook's payload: the facts, and the text under the keys that chats read."""
    text = "\n".join([*message.all_lines, words.address_of(news)])
    event = news.event
    return {
        "type": news.kind.replace("_", "."),
        "timestamp": news.created_at.isoformat(),
        "data": {
            "club": news.club and news.club.slug,
            "event": event
            and {
                "id": event.pk,
                "name": event.name,
                "date": event.date.isoformat(),
                "starts_at": event.starts_at and event.starts_at.isoformat("minutes"),
                "begins": event.begins and event.begins.isoformat(timespec="minutes"),
                "venue": event.venue,
            },
            "address": words.address_of(news),
            **{key: value for key, value in news.data.items() if key != "address"},
        },
        "content": text,
        "text": text,
    }


def signature(secret: str, ref: str, stamp: str, body: bytes) -> str:
    """Return a message's version 1 signature: HMAC-SHA256 over id, timestamp and body."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{ref}.{stamp}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def _finish(
    news: NewsItem, state: str, error: str, now: datetime.datetime, **more: datetime.datetime
) -> None:
    """Store the outcome of a claimed message, unless the sweep has released it already."""
    NewsItem.objects.filter(pk=news.pk, state=NewsItem.State.SENDING).update(
        state=state,
        lease_until=None,
        error=error[:200],
        sent_at=now if state == NewsItem.State.SENT else None,
        **more,
    )


@transaction.atomic
def _note_failure(news: NewsItem, error: Failed, name: str, now: datetime.datetime) -> bool:
    """Requeue the message, or give it up; return whether its lane pauses.

    If the lane does not pause, the message's own delay grows with each attempt.
    """
    late = now - max(news.due_at, news.created_at) >= DAY or news.attempts >= MOST_ATTEMPTS
    if error.for_good or late:
        _finish(news, NewsItem.State.FAILED, str(error), now)
    elif error.lane:
        _finish(news, NewsItem.State.WAITING, str(error), now)
    else:
        patience = datetime.timedelta(seconds=PAUSES[min(news.attempts, len(PAUSES)) - 1])
        _finish(news, NewsItem.State.WAITING, str(error), now, due_at=now + patience)
    if not error.lane:
        return False
    lane, _made = NewsLane.objects.select_for_update().get_or_create(name=name)
    pause = PAUSES[min(lane.failures, len(PAUSES) - 1)]
    lane.failures, lane.rests_until = lane.failures + 1, now + datetime.timedelta(seconds=pause)
    lane.save()
    return True


def sweep(now: datetime.datetime | None = None) -> None:
    """Requeue or fail the messages of dead workers, and fail those that waited too long."""
    now = now or timezone.now()
    left = NewsItem.objects.filter(state=NewsItem.State.SENDING, lease_until__lte=now)
    # No retry of these: a reader could not recognise a second email or chat message as a duplicate.
    once = Q(user__isnull=False) | Q(channel__kind=Channel.Kind.TELEGRAM)
    at_most_once = left.filter(once).values("pk")
    NewsItem.objects.filter(pk__in=at_most_once).update(
        state=NewsItem.State.FAILED, lease_until=None, error=mail.PERHAPS
    )
    left.update(state=NewsItem.State.WAITING, lease_until=None)
    old = NewsItem.objects.filter(
        state=NewsItem.State.WAITING, attempts__gt=0, due_at__lte=now - DAY
    )
    old.update(state=NewsItem.State.FAILED)
    # Messages that were never attempted because their lane was paused.
    NewsItem.objects.filter(state=NewsItem.State.WAITING, due_at__lte=now - 2 * DAY).update(
        state=NewsItem.State.FAILED, error="the way out was closed for too long"
    )


def forget(now: datetime.datetime) -> int:
    """Delete messages older than `KEPT`, except waiting ones; return how many."""
    old = NewsItem.objects.filter(created_at__lt=now - KEPT)
    return old.exclude(state=NewsItem.State.WAITING).delete()[0]


TELEGRAM = "api.telegram.org"


def shaped(address: str, payload: dict[str, Any]) -> dict[str, Any]:
    """Return the payload for an address; for Telegram, its `chat_id` and the text."""
    url = urlsplit(address)
    chats = parse_qs(url.query).get("chat_id")
    if url.hostname == TELEGRAM and chats:
        return {"chat_id": chats[0], "text": payload["text"]}
    return payload
