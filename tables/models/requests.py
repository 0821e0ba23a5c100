"""Requests of programs, stored so that a repeated one is carried out only once."""

from django.conf import settings
from django.db import models


class SentRequest(models.Model):
    """A carried-out request, by the key its program chose; deleted after a day.

    `digest` covers its address and content. `answer` is the response, or null if the endpoint
    itself recognises a repeated key.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_requests"
    )
    key = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="sent_request_once"),
        ]

    def __str__(self) -> str:
        return self.key
