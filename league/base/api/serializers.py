"""Fields and requests that all of the API shares."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from league.base.domain.settings import settings_of


class ExactField(s.Field[Any, Any, Any, Any]):
    """A fraction as text such as `5` or `3/2`."""

    def to_representation(self, value: Any) -> str:
        return str(value)


extend_schema_field({"type": "string", "example": "3/2"})(ExactField)


class MembersMoney(s.IntegerField):
    """Minor units of the club's unit; null for callers who may not see money.

    `ClubView.shows` passes that right; without it the value is always null.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) if self.context.get("money") else None


class ClockField(s.TimeField):
    """A time of day without a zone, for which JSON schema has no format."""


extend_schema_field({"type": "string", "example": "19:30:00"})(ClockField)


class ClientIdIn(s.Serializer[Any]):
    client_id = s.UUIDField()


class ReasonIn(s.Serializer[Any]):
    reason = s.CharField(max_length=200, required=False, default="", allow_blank=True)


def settings_schema(
    name: str, text: str, made: Any, **others: s.Field[Any, Any, Any, Any]
) -> type[s.Serializer[Any]]:
    """Return the schema of a dataclass of settings, `others` first."""
    defaults = made()
    body: dict[str, Any] = {"__doc__": text, **others}
    for key, setting in settings_of(made).items():
        words: dict[str, Any] = {
            "default": getattr(defaults, key),
            "help_text": f"{setting.label}. {setting.help}".strip(),
        }
        if setting.kind == "tick":
            body[key] = s.BooleanField(**words)
        elif setting.kind == "name":
            body[key] = s.CharField(max_length=setting.most, allow_blank=True, **words)
        else:
            words["allow_null"] = setting.may_lack
            body[key] = s.IntegerField(min_value=setting.least, max_value=setting.most, **words)
    return type(name, (s.Serializer,), body)
