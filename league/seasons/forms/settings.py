"""Forms for a season's scoring, and for penalties and bonuses."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.base import texts
from league.base.domain.amounts import both_readings
from league.base.domain.settings import settings_of
from league.base.forms import SeenForm, must_be_given, setting_field
from league.models import Adjustment, Event, Season
from league.seasons import places
from league.seasons.domain.scoring import EXACT, POINTS_NAMES, READY, Scoring, typed
from league.seasons.domain.standings.tie_breaks import TIE_BREAKS
from tables.numbers import whole_number

OWN = "own"
_SEPARATORS = re.compile(r"[,;\s]+")
# If spaces or semicolons separate the numbers, a comma within one is decimal: 4,5 3 1,5 0.
_SEPARATORS_BUT_COMMAS = re.compile(r"(?:,\s|[;\s])[,;\s]*")

ROWS = settings_of(Scoring)
_SEASON = tuple(name for name, row in ROWS.items() if row.of == "season")
_OF_NIGHT = tuple(one.name for one in dataclasses.fields(Scoring)[1:] if one.name not in _SEASON)


@dataclasses.dataclass(frozen=True)
class FieldGroup:
    """Fields that are folded under a title."""

    title: Promise
    note: Promise
    fields: list[forms.BoundField]

    @property
    def is_wrong(self) -> bool:
        """Whether one of them has to be corrected."""
        return any(field.errors for field in self.fields)


class ScoringForm(SeenForm, forms.Form):
    """How a season counts. `scoring()` and `tie_breaks()` return the service's arguments."""

    points = forms.ChoiceField(
        label=_("Points by place"),
        choices=lambda: [
            *((key, gettext(name)) for key, name in POINTS_NAMES.items()),
            (OWN, _("custom points, in the next field")),
        ],
    )
    row = forms.CharField(
        label=_("Custom points at a table of four"),
        required=False,
        max_length=200,
        help_text=_("First place first, for example 5 3 1 0. Fractions are fine: 1.5, 1,5 or 3/2."),
    )
    rows = forms.CharField(
        label=_("Custom points at other tables"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "One line per table size. Other sizes follow the table of four: 5 3 1 0 becomes 5 2 0 "
            "at a table of three."
        ),
    )
    place_points = forms.CharField(
        label=_("Points for final places"),
        required=False,
        max_length=600,
        help_text=_(
            "Given when a night is closed, first place first. Later places get 0; players who "
            "share a place get the average."
        ),
    )
    ranks_bots = forms.BooleanField(
        label=_("A season of bots"),
        required=False,
        help_text=_("Bots are ranked as everyone else, and their tournaments count."),
    )
    recount_all = forms.BooleanField(
        label=_("Recalculate all nights so far with these points"),
        required=False,
        help_text=_("Otherwise earlier nights keep their points."),
    )

    FIRST = ("points", "best_of", "gives")
    NIGHT = ("points", "row", "rows", *_OF_NIGHT)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, row in ROWS.items():
            self.fields[name] = setting_field(row)
            self.fields[name].required = must_be_given(row)
        for number in range(1, len(TIE_BREAKS) + 1):
            self.fields[f"tie_break_{number}"] = forms.ChoiceField(
                label=str(number),
                choices=[("", "–"), *((key, gettext(one.name)) for key, one in TIE_BREAKS.items())],
                required=False,
            )

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """The choices that a season is known by."""
        return [self[name] for name in self.FIRST]

    @property
    def groups(self) -> list[FieldGroup]:
        """The other fields, which most seasons leave as they are."""
        night = [name for name in (*self.NIGHT, "recount_all") if name not in self.FIRST]
        season = [name for name in (*_SEASON, "ranks_bots") if name not in self.FIRST]
        return [
            FieldGroup(
                _("Points of a night"),
                _("For nights opened from now on; earlier nights keep their scoring."),
                [self[name] for name in night],
            ),
            FieldGroup(
                _("Adding up nights"),
                _("For the whole season, immediately."),
                [self[name] for name in season],
            ),
            FieldGroup(
                _("Tie-breaks"),
                _(
                    "The first line decides; if players are tied, the next line does. Players "
                    "still tied share the rank."
                ),
                self.ordering_fields,
            ),
        ]

    @property
    def ordering_fields(self) -> list[forms.BoundField]:
        """The tie-breaks, the deciding one first."""
        return [self[f"tie_break_{number}"] for number in range(1, len(TIE_BREAKS) + 1)]

    def scoring(self) -> dict[str, Any]:
        """Return the JSON form of the scoring; the domain checks the values."""
        data = self.cleaned_data
        table: Any = data["points"]
        if table == OWN:
            rows = [_numbers(line) for line in data["rows"].splitlines() if line.strip()]
            if len({len(row) for row in rows}) < len(rows):
                raise ValidationError({"rows": _("Two lines have the same table size.")})
            table = {"row": _numbers(data["row"]), "rows": {str(len(row)): row for row in rows}}
        given = {name: data[name] for name in (*_OF_NIGHT, *_SEASON)} | {"points_table": table}
        if points := _numbers(data["place_points"]):
            given["place_points"] = points
        else:
            del given["place_points"]  # Without it the default points apply.
        exact = [name for name, row in ROWS.items() if row.kind == "exact"]
        return given | {name: data[name].strip() or "0" for name in exact}

    def tie_breaks(self) -> list[str]:
        """Return the chosen tie-break keys in order."""
        return [key for field in self.ordering_fields if (key := self.cleaned_data[field.name])]

    @classmethod
    def initial_of(cls, scoring: Scoring, tie_breaks: list[str]) -> dict[str, Any]:
        """Return the form's initial data for a scoring."""
        table = scoring.points_table
        own = table.key not in READY
        values = scoring.to_json()
        initial = {name: values[name] for name in (*_OF_NIGHT, *_SEASON)}
        initial["place_points"] = " ".join(map(typed, scoring.place_points))
        initial |= {name: typed(getattr(scoring, name)) for name in EXACT}
        initial |= {f"tie_break_{i}": key for i, key in enumerate(tie_breaks, start=1)}
        return initial | {
            "points": OWN if own else table.key,
            "row": " ".join(map(typed, table.row)) if own else "",
            "rows": "\n".join(" ".join(map(typed, row)) for row in table.other_rows) if own else "",
        }


def field_of(path: str) -> str:
    """Return the field of `ScoringForm` for a domain path such as `points_table.rows.3`."""
    if path.startswith("points_table.rows"):
        return "rows"
    if path.startswith("points_table.row"):
        return "row"
    return {"points_table": "points", "tie_breaks": "tie_break_1"}.get(path, path)


def _numbers(text: str) -> list[str]:
    """Return the numbers of a line, separated by blanks, semicolons or commas."""
    text = text.strip()
    apart = re.search(r"[;\s]", text)
    if not apart and re.search(r",0[0-9]{2}(?:,|$)", text):
        return [text]  # 5,000 is no list; what it is has to be asked.
    between = _SEPARATORS_BUT_COMMAS if apart else _SEPARATORS
    return [piece for piece in between.split(text) if piece]


class PointsField(forms.DecimalField):
    """Points with a decimal point or a decimal comma, in any language."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and (problem := both_readings(value)):
            raise ValidationError(texts.filled(problem))
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class AdjustmentForm(forms.Form):
    """A penalty or a bonus. Names are typed: a club may have thousands of players."""

    player = forms.CharField(
        label=_("Player"), max_length=400, widget=forms.TextInput(attrs={"list": "names"})
    )
    points = PointsField(
        label=_("Points"),
        max_digits=9,
        decimal_places=3,
        help_text=_("Use a minus for a penalty: -2."),
    )
    event: forms.ModelChoiceField[Event] = forms.ModelChoiceField(
        label=_("Night"),
        queryset=None,
        required=False,
        empty_label=_("the whole season"),
    )
    reason = forms.CharField(label=_("Reason"), max_length=200)

    stage = forms.ChoiceField(
        label=_("Stage"),
        required=False,
        help_text=_("Counts only in this stage of the night, and in the season."),
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].queryset = season.events.all()  # type: ignore[attr-defined]
        key = whole_number(self.data.get("event"))
        event = season.events.filter(pk=key).first() if key is not None else None
        begun = places.stages_of(event) if event is not None else ()
        if not begun:
            del self.fields["stage"]
            return
        names = [Adjustment(stage=each.kind, stage_round=each.round) for each in begun]
        self.fields["stage"].choices = [  # type: ignore[attr-defined]
            ("", _("the latest that has begun")),
            *((self.value_of(each.stage, each.stage_round), each.stage_name) for each in names),
        ]

    @staticmethod
    def value_of(stage: str, number: int | None) -> str:
        return stage if number is None else f"{stage}:{number}"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        stage, _colon, number = cleaned.get("stage", "").partition(":")
        return cleaned | {"stage": stage, "stage_round": whole_number(number)}
