"""How a night is run, as its form asks for it: the format and the numbers that belong to it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.bots import BOTS
from league import texts
from league.domain.night_formats import NightFormat
from league.domain.scoring import FieldError

FORMAT_NAMES: dict[str, tuple[Promise, Promise]] = {
    "rounds": (
        pgettext_lazy("format of a night", "Rounds"),
        _("Everybody plays in every round. Few meet twice, or near equals meet."),
    ),
    "groups": (
        _("Groups and a final"),
        _("Groups play among themselves, then the best of them play the final."),
    ),
    "knockout": (
        _("The best two go on"),
        _("The first two of each table go on, round by round, until one table is left."),
    ),
    "loser_leaves": (
        _("The loser leaves"),
        _("Whoever is last makes room for the next in the queue; the others stay seated."),
    ),
    "open": (
        _("Open night"),
        _("Tables form as people come: everybody plays as soon as enough are free."),
    ),
}
"""The name of each format, and what it means in one sentence."""

OF_FORMAT = {
    "groups": ("groups", "group_rounds", "final"),
    "knockout": ("fill_up",),
    "staged": ("others_play",),
    "floor": ("tables",),
    "loser_leaves": ("cap", "look"),
    "drawn": ("bot",),
}
"""The fields that belong to a format, or to those in which some go on, people change, or a draw
seats everybody."""


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
    groups = forms.IntegerField(label=_("Groups"), min_value=1, max_value=64, required=False)
    group_rounds = forms.IntegerField(
        label=_("Rounds in the groups"),
        min_value=1,
        max_value=59,
        required=False,
        help_text=_("The rounds after these are the final."),
    )
    final = forms.IntegerField(
        label=_("How many play the final"), min_value=2, max_value=400, required=False
    )
    fill_up = forms.BooleanField(
        label=_("The best of the others fill tables of four"),
        required=False,
        help_text=_("Otherwise there are tables of three where the number asks for it."),
    )
    others_play = forms.BooleanField(
        label=_("Whoever is out plays on beside"),
        required=False,
        help_text=_("At tables of their own; their games count for the night and the season."),
    )
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=200,
        required=False,
        help_text=_("More can be added during the night."),
    )
    cap = forms.IntegerField(
        label=_("Most games in a row"),
        min_value=1,
        max_value=50,
        required=False,
        help_text=_("Whoever has played so many makes room too; empty: as long as he wins."),
    )
    look = forms.IntegerField(
        label=_("Choose among the first in the queue"),
        min_value=1,
        max_value=10,
        required=False,
        help_text=_(
            "1: strictly in order. 3: of the first three comes who has met those at the table"
            " least; nobody is passed over more than twice."
        ),
    )
    bot = forms.ChoiceField(
        label=_("A bot takes empty chairs"),
        required=False,
        help_text=_(
            "So that all tables have four. Only for games in the browser: a bot cannot hold real"
            " cards. It gets no points of its own."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = list(FormatForm.base_fields)
        self.order_fields([name for name in self.fields if name not in own])
        bots = [(name, name) for name in BOTS]
        self.fields["bot"] = _with_choices(self.fields["bot"], [("", _("no")), *bots])
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
            rules = NightFormat(kind=kind, **(values | {"cap": sent["cap"]}))
        except FieldError as error:
            self.add_error(error.field, texts.filled(error))
            return data
        if rules.is_floor and data.get("counting") == "table_ranking":
            self.add_error(
                "counting",
                _(
                    "People change tables from game to game in this format, so a table has no"
                    " ranking of its own. Let each game or the average game count."
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
        return [(key, [self[name] for name in names]) for key, names in OF_FORMAT.items()]


OWN = tuple(name for names in OF_FORMAT.values() for name in names)


def _with_choices(field: forms.Field, choices: list[tuple[str, Any]]) -> forms.Field:
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
    return field
