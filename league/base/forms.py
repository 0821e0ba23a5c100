"""Form fields and widgets that all packages use."""

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import EMPTY_VALUES
from django.forms.utils import flatatt
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.choices import flatten_choices
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.base import texts
from league.base.domain import amounts
from league.base.domain.settings import Setting
from tables.base import currencies, places


class DayInput(forms.DateInput):
    """The browser's own date picker, which reads and writes ISO dates in every language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class HourInput(forms.TimeInput):
    """The browser's own time picker, which reads and writes hours and minutes in every language."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class MomentInput(forms.DateTimeInput):
    """The browser's own picker of a date and a time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MoneyInput(forms.TextInput):
    """A text input for an amount, which shows how the amount is read.

    `question` is the form's question about the amount; a checkbox sends it back as a hash, and
    stays ticked with `is_sure`.
    """

    unit = ""
    question = ""
    is_sure = False

    def __init__(self) -> None:
        super().__init__({"autocomplete": "off", "maxlength": 40})

    def format_value(self, value: Any) -> str:
        """Return a number with grouped digits, and typed text unchanged."""
        return texts.bare(value, self.unit) if isinstance(value, int) else str(value or "")

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        context = self.get_context(name, value, attrs)
        read = amount_of(value, self.unit)
        places = currencies.exponent(self.unit)
        currency = currencies.currency_of(self.unit)
        keyboard = {"inputmode": "decimal" if places else "numeric"}
        context |= {
            "attributes": flatatt(keyboard | context["widget"]["attrs"]),
            "unit": currencies.sign(self.unit),
            "leads": texts.amount(0, self.unit)[0] != "0",
            "places": places,
            "parts": "|".join(currency.parts) if currency else "",
            "point": texts.bare(0, "¤USD")[1],
            "units": "|".join(amounts.units_of(self.unit)),
            "scale": amounts.scale_of(self.unit),
            "group": texts.amount(1000)[1],
            "read": None if read is None else texts.amount(read, self.unit),
            "question": self.question and mark_of(self.question),
            "is_sure": self.is_sure,
        }
        return render_to_string("components/money-input.html", context)


class MoneyField(forms.IntegerField):
    """A whole amount in the club's unit, typed as people write and say it.

    `usual` returns the club's usual amounts; a `MoneyForm` questions amounts out of scale.
    """

    widget = MoneyInput
    usual: Callable[[], amounts.Usual] = amounts.Usual

    def to_python(self, value: Any) -> int | None:
        """Return the amount; raise ValidationError for unreadable or ambiguous text."""
        if value in EMPTY_VALUES or isinstance(value, int):
            return value if isinstance(value, int) else None
        return read_amount(str(value), self.widget.unit)

    def run_validators(self, value: Any) -> None:
        """Check the limits; raise ValidationError that names them as amounts."""
        try:
            super().run_validators(value)
        except ValidationError as errors:
            for one in errors.error_list:
                limit = (one.params or {})["limit_value"]
                one.params = {"limit_value": texts.bare(limit, self.widget.unit)}
            raise

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return nothing, because a text input has no `min` and `max`."""
        return {}


class PlaceInput(forms.TextInput):
    """A text input for a place, with the likely ones and their hour beside it."""

    def __init__(self, zones: Iterable[str] = ()) -> None:
        super().__init__({"autocomplete": "off", "maxlength": 80})
        self.zones = zones

    def format_value(self, value: Any) -> str:
        """Return the name of a place, and typed text unchanged."""
        return value.title if isinstance(value, places.City) else str(value or "")

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        context = self.get_context(name, value, attrs)
        context |= {
            "attributes": flatatt(context["widget"]["attrs"]),
            "likely": places.likely((timezone.get_current_timezone_name(), *self.zones)),
            "all": places.places(),
        }
        return render_to_string("components/place-input.html", context)


class PlaceField(forms.CharField):
    """A place by whose clock something happens, typed as people call it; becomes a `City`."""

    widget = PlaceInput

    def clean(self, value: Any) -> places.City | None:
        """Return the place; raise ValidationError for one that is not known."""
        if not (text := super().clean(value)):
            return None
        if (found := places.find(text)) is None:
            raise ValidationError(_("We don't know this place. Name a larger city nearby."))
        return found


class SeenForm(forms.BaseForm):
    """A form of a stored row: it saves only what its person changed since they opened the page.

    `initial` is the row as it is now, locked for a POST. The page sends as `seen` what it showed.
    A field sent as it was seen keeps its value of now; one that someone else changed otherwise is
    refused with both values (`crossed`), and a second Save decides. Without `seen`, all is saved.
    """

    crossed = False

    @property
    def seen(self) -> str:
        """What the row says now, for the page to send back."""
        return json.dumps(self._now())

    def full_clean(self) -> None:
        """Clean the merged values; refuse the crossed ones."""
        crossed = self.merge()
        super().full_clean()
        self.crossed = bool(crossed)
        for name, question in crossed.items():
            self.add_error(name, question)

    def merge(self) -> dict[str, str]:
        """Take over what others have changed; return a question for each crossed field."""
        try:
            seen = json.loads(self.data.get("seen", ""))
        except (TypeError, ValueError, RecursionError):
            return {}
        if not isinstance(seen, dict):
            return {}
        self.data = data = cast(QueryDict, self.data).copy()
        crossed = {}
        for name, now in self._now().items():
            sent = _given(data.getlist(self.add_prefix(name)))
            if name not in seen or sent == seen[name]:
                is_list = getattr(self.fields[name].widget, "allow_multiple_selected", False)
                data.setlist(self.add_prefix(name), now if is_list else now or [""])
            elif now not in (sent, seen[name]):
                text = _(
                    "Someone else has just changed this to “%(now)s”; you chose “%(mine)s”. "
                    "Check it and save again."
                )
                both = {"now": self._words(name, now), "mine": self._words(name, sent)}
                crossed[name] = text % both
        return crossed

    def _now(self) -> dict[str, list[str]]:
        """Return what an untouched form of the row sends, by field."""
        return {name: _shown(self[name]) for name in self.fields}

    def _words(self, name: str, sent: list[str]) -> str:
        field = self.fields[name]
        if isinstance(field, forms.BooleanField):
            return _("yes") if sent else _("no")
        names = {str(key): str(label) for key, label in _choices(field.widget)}
        return ", ".join(names.get(one, one) for one in sent) or names.get("", "–")


def _shown(field: forms.BoundField) -> list[str]:
    """Return what a browser sends for the untouched field."""
    widget, value = field.field.widget, field.field.prepare_value(field.initial)
    if isinstance(widget, forms.CheckboxInput):
        return ["on"] if value else []
    shown = widget.format_value(value)
    found = [str(one) for one in (shown if isinstance(shown, list) else [shown]) if one is not None]
    if isinstance(widget, forms.Select) and not widget.allow_multiple_selected:
        offered = [str(key) for key, _label in _choices(widget)]
        found = [one for one in found if one in offered] or offered[:1]
    return _given(found)


def _given(values: Iterable[str]) -> list[str]:
    """Return the texts that are not empty, in order, with the ends of lines that Python has."""
    lines = (value.replace("\r\n", "\n").strip() for value in values)
    return sorted(text for text in lines if text)


def _choices(widget: forms.Widget) -> list[tuple[Any, Any]]:
    return list(flatten_choices(getattr(widget, "choices", ())))


class MoneyForm(forms.Form):
    """A form that asks before it accepts an amount that is probably a typing error."""

    def count_in(self, unit: str, usual: Callable[[], amounts.Usual] = amounts.Usual) -> None:
        """Set the unit of the form's amounts, and the usual amounts to compare them with."""
        for field in self.fields.values():
            if isinstance(field, MoneyField):
                field.widget.unit = unit
                field.usual = usual

    def clean(self) -> dict[str, Any]:
        """Ask about amounts that are out of scale."""
        data = super().clean() or self.cleaned_data
        for name, field in self.fields.items():
            if isinstance(field, MoneyField) and data.get(name):
                self._compare(name, field, data[name])
        return data

    def ask(self, name: str, question: str, about: object = "") -> None:
        """Refuse the amount with the question, unless its checkbox answers this very question.

        `about` is what the page shows with it: an answer to something else is asked again.
        """
        widget = self.fields[name].widget
        widget.question = f"{question}{about}"
        widget.is_sure = self.data.get(f"{self.add_prefix(name)}-sure") == mark_of(widget.question)
        if not widget.is_sure:
            self.add_error(name, question)

    def _compare(self, name: str, field: MoneyField, amount: int) -> None:
        usual = field.usual().far_from(amount)
        if usual is None:
            return
        unit = field.widget.unit
        text = _("%(amount)s is very little. Usual here: %(usual)s.")
        if amount > usual:
            text = _("%(amount)s is a lot. Usual here: %(usual)s.")
        params = {"amount": texts.amount(amount, unit), "usual": texts.amount(usual, unit)}
        self.ask(name, text % params)


def mark_of(question: str) -> str:
    """Return the hash of a question, which its checkbox sends as the answer."""
    return hashlib.sha256(question.encode()).hexdigest()[:16]


def read_amount(text: str, unit: str) -> int:
    """Return the typed amount; raise ValidationError with a sentence if it is unreadable."""
    try:
        return amounts.parse_amount(text, unit)
    except amounts.AmountProblem as problem:
        params = {
            name: texts.bare(value, unit) if isinstance(value, int) else value
            for name, value in problem.params.items()
        }
        raise ValidationError(_(problem.template) % params, code="amount") from problem


def amount_of(value: Any, unit: str) -> int | None:
    """Return a field's value as an amount, None if it is not one."""
    if value in EMPTY_VALUES or isinstance(value, int):
        return value if isinstance(value, int) else None
    try:
        return amounts.parse_amount(str(value), unit)
    except amounts.AmountProblem:
        return None


def setting_field(setting: Setting, names: list[tuple[str, Any]] | None = None) -> forms.Field:
    """Return the form field of a setting, never required; `names` are the choices of a name."""
    words: dict[str, Any] = {"label": gettext_lazy(setting.label), "required": False}
    if setting.help:
        words["help_text"] = gettext_lazy(setting.help)
    if setting.kind == "tick":
        return forms.BooleanField(**words)
    if setting.kind in ("whole", "money"):
        field = MoneyField if setting.kind == "money" else forms.IntegerField
        return field(min_value=setting.least, max_value=setting.most_typed or setting.most, **words)
    if setting.kind == "exact":
        return forms.CharField(max_length=30, **words)
    offered = [(key, gettext_lazy(label)) for key, label in setting.choices.items()]
    return forms.ChoiceField(choices=names or offered, **words)


def must_be_given(setting: Setting) -> bool:
    """Tell whether a form of this setting alone has to be filled in."""
    return setting.kind in ("whole", "exact", "choice") and not setting.may_lack
