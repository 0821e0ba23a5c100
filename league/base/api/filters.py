"""Query parameters of lists, and what the description shows of requests."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers as s

KEY = s.IntegerField(min_value=1, max_value=2**31 - 1)
SINCE = s.DateTimeField()
UPDATED = OpenApiParameter(
    "updated_since",
    {"type": "string", "format": "date-time"},
    description="Only what was made or changed at this time or later.",
)


def example(name: str, value: Any) -> OpenApiExample:
    """Return an example of a request."""
    return OpenApiExample(name, value, request_only=True)
