"""The form that starts a first night from a list of names."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.rules import ruleset as engine_ruleset
from league.base.domain.amounts import Usual, common
from league.base.forms import MoneyField, MoneyForm
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import ruleset_choices


class TonightForm(MoneyForm):
    """The little that a first night needs: names, rules, a stake and the club's name."""

    text = forms.CharField(
        label=_("Who's playing?"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One name per line, or separated by commas. Nobody needs an account."),
    )
    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices)
    stake = MoneyField(
        label=_("Stake per game"),
        min_value=0,
        max_value=1_000_000_000,
        initial=0,
        required=False,
        help_text=_("0: points only."),
    )
    name = forms.CharField(label=_("Club name"), max_length=80, initial=_("Our table"))

    def __init__(self, *args: Any, unit: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.count_in(unit, lambda: Usual(common(unit), common(unit)))

    def clean(self) -> dict[str, Any]:
        """Set the stake to 0 under rules without payments."""
        if chosen := self.cleaned_data.get("ruleset"):
            rules = self.cleaned_data["ruleset"] = engine_ruleset.preset(chosen)
            if rules.betting not in club_rules.PAYING:
                self.cleaned_data["stake"] = 0
        data = super().clean()
        if "stake" in data:
            data["stake"] = data["stake"] or 0
        return data
