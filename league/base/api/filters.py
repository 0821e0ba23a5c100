"""Query parameters of lists, and their description."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as s

KEY = s.IntegerField(min_value=1, max_value=2**31 - 1)
SINCE = s.DateTimeField()
UPDATED = OpenApiParameter(
    "updated_since",
    {"type": "string", "format": "date-time"},
    description="Only what was made or changed at this time or later.",
)
