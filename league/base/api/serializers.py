"""Fields and requests that all of the API shares."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from league.base.domain.settings import Setting, settings_of
from tables.base import currencies


class ExactField(s.Field[Any, Any, Any, Any]):
    """A fraction as text such as `5` or `3/2`."""

    def to_representation(self, value: Any) -> str:
        return str(value)


extend_schema_field({"type": "string", "example": "3/2"})(ExactField)


class MembersMoney(s.IntegerField):
    """The smallest part of the currency; null for callers who may not see money.

    `ClubView.shows` passes that right; without it the value is always null.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) if self.context.get("money") else None


class CountedOut(s.Serializer[Any]):
    """An object with amounts: whole numbers in the smallest part of their currency.

    `currency` is its code, empty for a word of the club's; `exponent` says how many decimals it is
    written with. The view passes the `unit`.
    """

    currency = s.SerializerMethodField()
    exponent = s.SerializerMethodField()

    def unit_of(self, of: Any) -> str:
        """Return the unit of the object's amounts."""
        unit: str = self.context["unit"]
        return unit

    def get_currency(self, of: Any) -> str:
        return currencies.code(self.unit_of(of))

    def get_exponent(self, of: Any) -> int:
        return currencies.exponent(self.unit_of(of))


class ClockField(s.TimeField):
    """A time of day without a zone, for which JSON schema has no format."""


_CLOCK = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
extend_schema_field({"type": "string", "pattern": _CLOCK, "example": "19:30:00"})(ClockField)


class ClientIdIn(s.Serializer[Any]):
    client_id = s.UUIDField()


class ReasonIn(s.Serializer[Any]):
    reason = s.CharField(max_length=200, required=False, default="", allow_blank=True)


def setting_field(setting: Setting, **words: Any) -> s.Field[Any, Any, Any, Any]:
    """Return the API's field of a setting."""
    if setting.kind == "tick":
        return s.BooleanField(**words)
    if setting.kind == "name":
        return s.CharField(max_length=setting.most, allow_blank=True, **words)
    if setting.may_lack:
        words["allow_null"] = True
    if setting.kind == "choice":
        return s.ChoiceField(list(setting.choices.items()), **words)
    most = setting.most_typed or setting.most
    return s.IntegerField(min_value=setting.least, max_value=most, **words)


def settings_schema(
    name: str, text: str, made: Any, **others: s.Field[Any, Any, Any, Any]
) -> type[s.Serializer[Any]]:
    """Return the schema of a dataclass of settings, `others` first."""
    defaults = made()
    body: dict[str, Any] = {"__doc__": text, **others}
    for key, setting in settings_of(made).items():
        words = f"{setting.label}. {setting.help}".strip()
        body[key] = setting_field(setting, default=getattr(defaults, key), help_text=words)
    return type(name, (s.Serializer,), body)
