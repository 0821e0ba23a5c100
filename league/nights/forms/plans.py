"""The settings of a night, as forms ask for them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.bots import BOTS
from league.base import texts
from league.base.domain.settings import settings_of
from league.base.forms import MoneyForm, must_be_given, setting_field
from league.clubs.facts import club_rules
from league.models import Club
from league.money.pages import usual
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
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

OPTIONS = settings_of(NightFormat)
SETTINGS = {name: row for name, row in settings_of(NightPlan).items() if name != "gives"}
"""What a form asks for; what a night gives is set with its season's scoring."""


class PlanForm(MoneyForm):
    """The settings of a night, in the end a `NightPlan`: `plan` of the cleaned data.

    A form that was sent without a format keeps the one that it was shown with.
    """

    def __init__(
        self, *args: Any, plan: NightPlan, club: Club, betting: str = "none", **kwargs: Any
    ) -> None:
        shown = plan.values | {"format": plan.format.kind}
        kwargs["initial"] = shown | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.shown = plan
        for name, row in SETTINGS.items():
            self.fields[name] = setting_field(row)
            self.fields[name].required = must_be_given(row)
        self.fields["format"] = forms.ChoiceField(
            label=_("Format"),
            choices=[(key, name) for key, (name, _text) in FORMAT_NAMES.items()],
            widget=forms.RadioSelect,
            required=False,
        )
        bots = {"bot": [("", _("no")), *((name, name) for name in BOTS)]}
        self.fields |= {name: setting_field(row, bots.get(name)) for name, row in OPTIONS.items()}
        self.count_in(club.unit, partial(usual.stakes, club))
        if betting not in club_rules.PAYING:
            del self.fields["stake"]

    def clean_stake(self) -> int:
        return self.cleaned_data["stake"] or 0

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        options = {name: data.pop(name) for name in OPTIONS}
        kind = data.pop("format")
        values = {name: data.pop(name) for name in SETTINGS if name in data}
        try:
            if kind:
                given = {name: one for name, one in options.items() if one not in (None, "")}
                values["format"] = NightFormat(kind=kind, **given)
            data["plan"] = replace(self.shown, **values)
        except FieldError as error:
            field = error.field if error.field in self.fields else None
            self.add_error(field, texts.filled(error))
        return data

    @property
    def plain_fields(self) -> list[BoundField]:
        """The fields that belong to every format."""
        return [field for field in self if field.name not in (*OPTIONS, "format")]

    @property
    def formats(self) -> list[tuple[str, Promise, Promise, bool]]:
        """Each format: its key, name and sentence, and whether it is chosen."""
        chosen = self["format"].value()
        return [(key, name, text, key == chosen) for key, (name, text) in FORMAT_NAMES.items()]

    @property
    def fields_of_formats(self) -> list[tuple[str, list[BoundField]]]:
        """The fields by the formats that they belong to."""
        groups = dict.fromkeys(row.of for row in OPTIONS.values())
        return [
            (of, [self[name] for name, row in OPTIONS.items() if row.of == of]) for of in groups
        ]
