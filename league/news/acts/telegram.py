"""News in a person's own Telegram chat, sent by the bot that the administrator configures.

A single-use code connects the chat to the account. The server polls Telegram for the bot's messages
while a code is pending, so it needs no public address.
"""

import json
import secrets
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import Channel, NewsItem
from league.news.acts.posting import Unreachable, ask
from league.news.facts import words
from tables.refusals import Refusal

LANE = "telegram"
GONE = (400, 403)
"""Telegram's response statuses for a deleted chat or a blocked bot."""
CODE_SECONDS = 900
NAME_SECONDS = 24 * 3600
MOST_UPDATES = 20
MOST_BYTES = 200_000
MOST_LETTERS = 3500


def is_on() -> bool:
    """Return whether the administrator has configured a bot."""
    return bool(settings.TELEGRAM_BOT)


def link_for(user: User) -> str:
    """Return a URL that opens the bot with a single-use code for the account."""
    name = _bot_name()
    code = secrets.token_urlsafe(24)
    cache.set(f"telegram:code:{code}", user.pk, CODE_SECONDS)
    cache.set("telegram:waits", 1, CODE_SECONDS)
    return f"https://t.me/{name}?start={code}"


def unlink(*, user: User) -> None:
    user.channels.filter(kind=Channel.Kind.TELEGRAM).delete()


def waits() -> bool:
    """Return whether a code may be pending."""
    return is_on() and bool(cache.get("telegram:waits"))


def take_links() -> int:
    """Connect the chats that sent a pending code, and return how many there were."""
    if not waits():
        return 0
    fields = {"limit": MOST_UPDATES, "timeout": 0, "allowed_updates": ["message"]}
    offset = cache.get(_key("offset"))
    try:
        status, found = _call("getUpdates", fields | ({"offset": offset} if offset else {}))
    except Unreachable:
        return 0
    listed = found if status == 200 and isinstance(found, list) else []
    updates = [update for update in listed if isinstance(update, dict)]
    tied = sum(_take(update) for update in updates)
    numbers = [u["update_id"] for u in updates if isinstance(u.get("update_id"), int)]
    if numbers:
        cache.set(_key("offset"), max(numbers) + 1, NAME_SECONDS)
    return tied


def _take(update: dict[str, Any]) -> bool:
    message = update.get("message") or {}
    chat, text = message.get("chat") or {}, str(message.get("text") or "")
    word, _sep, code = text.partition(" ")
    if word != "/start" or chat.get("type") != "private" or not isinstance(chat.get("id"), int):
        return False
    key = f"telegram:code:{code.strip()[:64]}"
    user = User.objects.filter(pk=cache.get(key) or 0, is_active=True).first()
    # If two workers read the same code, only the one that deletes it may use it.
    if user is None or not cache.delete(key):
        return False
    tie(user=user, chat=chat["id"])
    return True


@transaction.atomic
def tie(*, user: User, chat: int) -> Channel:
    """Connect a Telegram chat to the account, in place of any other."""
    user.channels.filter(kind=Channel.Kind.TELEGRAM).exclude(address=str(chat)).delete()
    channel, _made = Channel.objects.update_or_create(
        kind=Channel.Kind.TELEGRAM,
        address=str(chat),
        defaults={"user": user, "lane": LANE, "keys": {}},
    )
    return channel


def send(news: NewsItem, channel: Channel, message: words.NewsText) -> int:
    """Send the message to the chat and return the response status; Unreachable without one."""
    text = "\n".join(message.all_lines)[:MOST_LETTERS]
    fields = {"chat_id": int(channel.address), "text": f"{text}\n{words.address_of(news)}"}
    return _call("sendMessage", fields)[0]


def _key(what: str) -> str:
    """Return a cache key that belongs to the configured bot."""
    return f"telegram:{what}:{settings.TELEGRAM_BOT.partition(':')[0]}"


def _bot_name() -> str:
    """Return the bot's Telegram username; Refusal if Telegram does not answer."""
    known = cache.get(_key("name"))
    if isinstance(known, str):
        return known
    try:
        status, found = _call("getMe", {})
    except Unreachable:
        status, found = 0, None
    if status != 200 or not isinstance(found, dict) or not found.get("username"):
        raise Refusal(_("Telegram does not answer. Try again later."), code="away", status=503)
    name = str(found["username"])
    cache.set(_key("name"), name, NAME_SECONDS)
    return name


def _call(method: str, fields: dict[str, Any]) -> tuple[int, Any]:
    """Call a method of the Bot API, and return the status and the result."""
    address = f"{settings.TELEGRAM_ADDRESS}/bot{settings.TELEGRAM_BOT}/{method}"
    headers = {"Content-Type": "application/json"}
    sent = json.dumps(fields).encode()
    status, body = ask(address, sent, headers, whose="telegram", most=MOST_BYTES)
    try:
        found = json.loads(body)
    except ValueError:
        return status, None
    return status, found.get("result") if isinstance(found, dict) else None
