"""Payload formats of chat services that webhooks post to."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

TELEGRAM = "api.telegram.org"


def shaped(address: str, payload: dict[str, Any]) -> dict[str, Any]:
    """Return the payload for an address; for Telegram, its `chat_id` and the text."""
    url = urlsplit(address)
    chats = parse_qs(url.query).get("chat_id")
    if url.hostname == TELEGRAM and chats:
        return {"chat_id": chats[0], "text": payload["text"]}
    return payload
