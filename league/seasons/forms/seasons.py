"""The form that creates a season."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules.ruleset import Ruleset
from league.base.forms import DayInput
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import offer_rules, ruleset_choices
from league.models import Season
from league.seasons.domain.scoring import POINTS_NAMES
from league.seasons.facts import season_names
from tables.base import currencies
from tables.base.places import place_of
from tables.refusals import Refusal


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    unit = ""
    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices)
    points = forms.ChoiceField(
        label=_("Points by place"),
        choices=lambda: [(key, gettext(name)) for key, name in POINTS_NAMES.items()],
    )

    class Meta:
        model = Season
        fields = ["name", "starts_on", "ends_on", "ranks_bots"]
        widgets = {
            "starts_on": DayInput(),
            "ends_on": DayInput(),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        club = self.instance.club
        self.initial["starts_on"] = self.initial.get("starts_on") or club.today
        self.initial["name"] = self.initial.get("name") or season_names.usual(club)
        there = currencies.unit_of(club.unit, [place_of(club.time_zone).currency])
        if there != club.unit:  # A season of before keeps its whole dollars.
            self.fields["parts"] = forms.BooleanField(
                label=_("Count money as %(one)s") % {"one": currencies.amount(2525, there)},
                required=False,
                help_text=_("Until now only whole amounts in %(unit)s. Earlier seasons keep those.")
                % {"unit": club.unit},
            )
            self.unit = there
        if own := club_rules.own_choices(self.instance.club):
            self.initial.setdefault("ruleset", own[0][0])
        offer_rules(self, self.instance.club)
        self.order_fields(
            ["name", "ruleset", "points", "parts", "starts_on", "ends_on", "ranks_bots"]
        )

    @property
    def unit_chosen(self) -> str:
        """The unit of a valid form's season, "" for the club's."""
        return self.unit if self.cleaned_data.get("parts") else ""

    def clean_ruleset(self) -> Ruleset:
        return club_rules.chosen(self.instance.club, self.cleaned_data["ruleset"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        starts, ends = data.get("starts_on"), data.get("ends_on")
        if starts and ends and ends < starts:
            self.add_error("ends_on", _("The last day is before the first. Swap them."))
        try:
            season_names.refuse_taken(self.instance.club, data.get("name", ""))
        except Refusal as error:
            self.add_error(None, error)
        return data
