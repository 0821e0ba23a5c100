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
from league.nights.domain.night_formats import MAY_LACK, NightFormat
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

OF_FORMAT = {
    "groups": ("groups", "group_rounds", "final"),
    "knockout": ("fill_up",),
    "staged": ("others_play",),
    "floor": ("tables",),
    "loser_leaves": ("cap", "look"),
    "drawn": ("one_table", "ceremony", "bot"),
    "any": ("table_size", "handicap", "plus_minus"),
}
"""The fields that belong to a format, or to those in which some go on, people change, or a draw
seats everybody, or to any."""


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
        help_text=_("The rounds after that are the final."),
    )
    final = forms.IntegerField(
        label=_("Players in the final"), min_value=2, max_value=400, required=False
    )
    fill_up = forms.BooleanField(
        label=_("Fill the tables with the best of the rest"),
        required=False,
        help_text=_("Otherwise, some tables have fewer players."),
    )
    others_play = forms.BooleanField(
        label=_("Eliminated players keep playing at side tables"),
        required=False,
        help_text=_("At separate tables; their games count for the night and the season."),
    )
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=200,
        required=False,
        help_text=_(
            "Empty: full tables for everyone who is here. You can add more during the night."
        ),
    )
    cap = forms.IntegerField(
        label=_("Maximum games in a row"),
        min_value=1,
        max_value=50,
        required=False,
        help_text=_("A player who has played this many gives up the seat too. Empty: no limit."),
    )
    look = forms.IntegerField(
        label=_("Choose among the first in the queue"),
        min_value=1,
        max_value=10,
        required=False,
        help_text=_(
            "1: strictly in order. 3: of the first three, the player who has met "
            "those at the table least; nobody is skipped more than twice."
        ),
    )
    one_table = forms.IntegerField(
        label=_("Most people at one table"),
        min_value=4,
        max_value=8,
        required=False,
        help_text=_(
            "Up to this number share one table if the rules allow it. More people make several"
            " tables. Empty: five sit together, six make two tables of three."
        ),
    )
    table_size = forms.IntegerField(
        label=_("Players at a table"),
        min_value=2,
        max_value=8,
        required=False,
        help_text=_(
            "At most, as far as the rules allow: with tables of 6, 13 players make one table "
            "of five and two of four. Five or more play with two decks."
        ),
    )
    handicap = forms.IntegerField(
        label=_("Handicap"),
        min_value=0,
        max_value=100,
        required=False,
        help_text=_(
            "Starting points for every 10 rating points below the strongest player. 0: none."
        ),
    )
    ceremony = forms.IntegerField(
        label=_("Results kept back from round"),
        min_value=0,
        max_value=60,
        required=False,
        help_text=_(
            "Until you reveal the places one by one on the big screen, only organisers see the "
            "results of this and later rounds; with a final, those of the final. 0: nothing is "
            "kept back."
        ),
    )
    plus_minus = forms.BooleanField(
        label=_("Plus and minus at the table"),
        required=False,
        help_text=_(
            "In nights with a stake, players can record what one owes another besides the games."
        ),
    )
    bot = forms.ChoiceField(
        label=_("Fill empty seats with a bot"),
        required=False,
        help_text=_(
            "So that every table is full. Only for online games: a bot cannot hold "
            "real cards. It scores no points."
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
            rules = NightFormat(kind=kind, **(values | {name: sent[name] for name in MAY_LACK}))
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
        return [(key, [self[name] for name in names]) for key, names in OF_FORMAT.items()]


OWN = tuple(name for names in OF_FORMAT.values() for name in names)


def _with_choices(field: forms.Field, choices: list[tuple[str, Any]]) -> forms.Field:
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
    return field
