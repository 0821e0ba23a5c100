"""How a night is run, as its form asks for it: the format and the numbers that belong to it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.bots import BOTS
from league.base import texts
from league.base.domain.settings import settings_of
from league.base.forms import setting_field
from league.nights.domain.night_formats import NightFormat
from league.seasons.domain.scoring import FieldError

FORMAT_NAMES: dict[str, tuple[Promise, Promise]] = {
    "rounds": (
        pgettext_lazy("format of a night", "Rounds"),
        _(
            "Everyone plays in every round. The draw keeps repeat meetings low, or pairs "
            "players with similar scores."
        ),
    ),
    "groups": (
        _("Groups and final"),
        _("Groups play among themselves; the best players reach the final."),
    ),
    "knockout": (
        _("Top two advance"),
        _("The first two of each table advance, round by round, until one table is left."),
    ),
    "loser_leaves": (
        _("Last one out"),
        _("The player in last place gives up the seat to the next in the queue; the others stay."),
    ),
    "open": (
        _("Open play"),
        _("Tables form as players arrive: as soon as enough are free, they play."),
    ),
}
"""The name of each format, and what it means in one sentence."""

OWN = settings_of(NightFormat)


class FormatForm(forms.Form):
    """The fields of a night's format; `format` of the cleaned data is its JSON.

    A form that was sent without them keeps the format that it was shown with.
    """

    format = forms.ChoiceField(
        label=_("Format"),
        choices=[(key, name) for key, (name, _text) in FORMAT_NAMES.items()],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "format"])
        names = {"bot": [("", _("no")), *((name, name) for name in BOTS)]}
        self.fields |= {name: setting_field(row, names.get(name)) for name, row in OWN.items()}
        given = self.initial.pop("format", None)
        self._shown = NightFormat.from_json(given if isinstance(given, dict) else {})
        values = self._shown.to_json()
        self.initial.update({"format": values.pop("kind"), **values})

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        sent = {name: data.pop(name, None) for name in OWN}
        kind = data.get("format")
        if not kind:
            data["format"] = self._shown.to_json()
            return data
        values = {name: value for name, value in sent.items() if value is not None}
        try:
            lacking = {name: sent[name] for name, row in OWN.items() if row.may_lack}
            rules = NightFormat(kind=kind, **(values | lacking))
        except FieldError as error:
            self.add_error(error.field, texts.filled(error))
            return data
        if rules.is_floor and data.get("counting") == "table_ranking":
            self.add_error(
                "counting",
                _(
                    "Players change tables after every game in this format, so a "
                    "table has no ranking of its own. Count each game, or the average "
                    "game."
                ),
            )
        data["format"] = rules.to_json()
        return data

    @property
    def plain_fields(self) -> list[BoundField]:
        """The fields that belong to every format."""
        return [field for field in self if field.name not in (*OWN, "format")]

    @property
    def formats(self) -> list[tuple[str, Promise, Promise, bool]]:
        """Each format: its key, name and sentence, and whether it is chosen."""
        chosen = self["format"].value()
        return [(key, name, text, key == chosen) for key, (name, text) in FORMAT_NAMES.items()]

    @property
    def fields_of_formats(self) -> list[tuple[str, list[BoundField]]]:
        """The fields by the formats that they belong to."""
        groups = dict.fromkeys(row.of for row in OWN.values())
        return [(of, [self[name] for name, row in OWN.items() if row.of == of]) for of in groups]
