"""Forms for players and lists of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import MOST_LETTERS
from league.base.forms import SeenForm
from league.models import Roster, Season
from tables.base.faces import ANIMAL_NAMES


class PlayerForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=400)
    forgets_old = forms.BooleanField(
        label=_("Forget the old name"),
        required=False,
        help_text=_("The person asks for it. For a week, owners see the old name and can undo."),
    )


class WishesForm(SeenForm, forms.Form):
    group = forms.CharField(
        label=_("Keep apart from"),
        max_length=40,
        required=False,
        help_text=_(
            "A family, a club or a couple: the draw keeps players with the same word apart."
        ),
    )
    together = forms.CharField(
        label=_("Share a table with"),
        max_length=40,
        required=False,
        help_text=_(
            "A child and a parent, or a learner and a guide: the draw seats players with the same"
            " word at one table."
        ),
    )
    fixed_table = forms.IntegerField(
        label=_("Always at table number"),
        min_value=1,
        max_value=999,
        required=False,
        help_text=_("For example, for wheelchair access."),
    )


class FaceForm(forms.Form):
    """The animal of a player's face; no animal leaves the one that is given to the player."""

    animal = forms.ChoiceField(
        label=_("Face"),
        choices=[("", _("as given")), *ANIMAL_NAMES.items()],
        widget=forms.RadioSelect,
        required=False,
    )


class PlayerListForm(forms.Form):
    text = forms.CharField(
        label=_("Names, one per line"),
        required=False,
        max_length=60_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Paste from a chat or a spreadsheet; leading numbers are removed."),
    )


class MergeForm(forms.Form):
    player = forms.CharField(
        label=_("The other name"),
        max_length=400,
        widget=forms.TextInput(attrs={"list": "names"}),
    )

    def ask(self, teams: Mapping[Season, Sequence[Roster]]) -> None:
        """Add the question for which of two teams the person counts, for each of these seasons."""
        for season, pair in teams.items():
            self.fields[f"team_{season.pk}"] = forms.TypedChoiceField(
                label=_("Team in %(season)s") % {"season": season.name},
                choices=[(roster.pk, roster.name) for roster in pair],
                coerce=int,
                widget=forms.RadioSelect,
                error_messages={
                    "required": _("The two names are in two teams. Choose the one that counts.")
                },
            )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        return data | {"teams": [key for name, key in data.items() if name.startswith("team_")]}


class AccountForm(forms.Form):
    email = forms.EmailField(label=_("email"), max_length=MOST_LETTERS)
