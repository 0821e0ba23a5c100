"""What the API takes and gives of webhooks."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from league.models import NewsItem, Webhook


class WebhookOut(s.ModelSerializer[Webhook]):
    """A webhook; `secret` signs its messages."""

    class Meta:
        model = Webhook
        fields = ["id", "address", "secret", "at"]


class WebhookIn(s.Serializer[Any]):
    address = s.CharField(max_length=500)


class DeliveryOut(s.ModelSerializer[NewsItem]):
    """A message for a webhook; `ref` is its `webhook-id`."""

    webhook = s.IntegerField(source="webhook_id")
    event = s.IntegerField(source="event_id", allow_null=True)

    class Meta:
        model = NewsItem
        fields = ["ref", "webhook", "kind", "event", "state", "attempts", "error", "created_at",
                  "sent_at"]  # fmt: skip
