"""Serializers of webhooks and their deliveries."""

from typing import Any

from rest_framework import serializers as s

from league.models import NewsItem, Webhook


class WebhookOut(s.ModelSerializer[Webhook]):
    """A webhook with the host of its address and the last 4 characters of its secret."""

    host = s.CharField(read_only=True)
    secret_end = s.CharField(read_only=True)

    class Meta:
        model = Webhook
        fields = ["id", "host", "secret_end", "at"]


class WebhookMade(WebhookOut):
    """A new webhook; `secret` signs its messages. It is not shown again."""

    class Meta(WebhookOut.Meta):
        fields = [*WebhookOut.Meta.fields, "address", "secret"]


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
