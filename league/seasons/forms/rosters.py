"""Forms for teams and categories."""

from typing import Self

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from league.base.forms import SeenForm
from league.models import Roster, Season


class RosterForm(forms.Form):
    """A team or a category: names, one per line."""

    kind = forms.ChoiceField(label=_("Kind"), choices=Roster.Kind.choices)
    name = forms.CharField(label=_("Name"), max_length=60)
    members = forms.CharField(
        label=_("Players"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("One name per line. A team has two to six players; the first is the captain."),
    )
    replaces = forms.BooleanField(
        label=_("Replace the players of one with this name"), required=False
    )


class TeamRuleForm(SeenForm, forms.Form):
    """How a team's points are computed."""

    average = forms.ChoiceField(
        label=_("Team points"),
        choices=[("", _("sum of its players")), ("1", _("average of its players"))],
        required=False,
    )
    best = forms.IntegerField(
        label=_("Best players counted"),
        min_value=1,
        max_value=6,
        required=False,
        help_text=_("Empty: all."),
    )

    @classmethod
    def of(cls, season: Season, data: QueryDict | None = None) -> Self:
        """Return the form of the season's rule."""
        average = "1" if season.team_average else ""
        return cls(data, initial={"average": average, "best": season.team_best})
