"""The form that starts a first night from a list of names."""

import re
import secrets
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import ruleset as engine_ruleset
from league.base.domain.amounts import Usual, common
from league.base.forms import MoneyField, MoneyForm, PlaceField, amount_of
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import RULESET_NAMES, ruleset_choices
from league.models import Club
from league.nights.acts.tonight import LEAST, MOST, ONE_TABLE, FirstNight
from league.nights.domain.night_plans import MOST_STAKE
from tables.base.currencies import amount
from tables.base.places import find
from tables.numbers import whole_number

SEEDS = 2**31
USUAL = {"ruleset": next(iter(RULESET_NAMES)), "games": "4"}


class TonightForm(MoneyForm):
    """How a first night is played, with the seed and the exchanges of its draw.

    `clubs` are those in which the visitor may begin it instead of in a new one.
    """

    ruleset = forms.ChoiceField(label=gettext_lazy("Rules"), choices=ruleset_choices)
    games = forms.IntegerField(
        label=gettext_lazy("Games per round"), min_value=1, max_value=50, initial=USUAL["games"]
    )
    stake = MoneyField(
        label=gettext_lazy("Stake per game"),
        min_value=0,
        max_value=MOST_STAKE,
        initial=0,
        required=False,
        help_text=gettext_lazy("0: points only."),
    )
    place = PlaceField(label=gettext_lazy("By whose clock"))
    seed = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    exchanged = forms.CharField(max_length=2000, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, unit: str, clubs: list[Club], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unit = unit
        self.count_in(unit, lambda: Usual(common(unit), common(unit)))
        self.clubs = {str(club.pk): club for club in clubs}
        if clubs:
            own = [(key, club.name) for key, club in self.clubs.items()]
            self.fields["club"] = forms.ChoiceField(
                label=gettext_lazy("Club"),
                choices=[*own, ("", gettext_lazy("a new club"))],
                required=False,
                help_text=gettext_lazy("Your club plays by its own rules."),
            )

    def clean(self) -> dict[str, Any]:
        """Set the stake to 0 under rules without payments."""
        if chosen := self.cleaned_data.get("ruleset"):
            rules = self.cleaned_data["ruleset"] = engine_ruleset.preset(chosen)
            if rules.betting not in club_rules.PAYING:
                self.cleaned_data["stake"] = 0
        return super().clean()

    def sentence(self, people: int) -> str:
        """Return in words how so many people will play."""
        rules = str(dict(ruleset_choices()).get(self["ruleset"].value() or USUAL["ruleset"], ""))
        said = _("Play %(rules)s") % {"rules": rules.partition(" (")[0]}
        games = self["games"].value()
        if people > ONE_TABLE or people < LEAST:
            said += ", " + _("%(n)s games a round") % {"n": games}
        typed = self["stake"].value()
        read = amount_of(typed, self.unit)
        stake = str(typed) if read is None else amount(read, self.unit)
        money = (
            _("no money") if not typed or read == 0 else _("%(stake)s a game") % {"stake": stake}
        )
        place = None if self.clubs and self["club"].value() else find(self["place"].value())
        clock = ", " + _("%(place)s time") % {"place": place.name} if place else ""
        return f"{said}, {money}{clock}."

    def night(self, names: list[str]) -> FirstNight:
        """Return the night with these players; ValidationError if they are too few or many."""
        data = self.cleaned_data
        least = max(LEAST, data["ruleset"].min_players)
        if not least <= len(names) <= MOST:
            text = _("It takes %(least)s to %(most)s players; you have %(n)s.")
            raise ValidationError(text % {"least": least, "most": MOST, "n": len(names)})
        seed = whole_number(data["seed"])
        return FirstNight(
            names=names,
            ruleset=data["ruleset"],
            games=data["games"],
            stake=data["stake"] or 0,
            place=data["place"],
            seed=secrets.randbelow(SEEDS) if seed is None else seed % SEEDS,
            exchanged=[pair for pair in _pairs(data["exchanged"]) if max(pair) < len(names)],
            club=self.clubs.get(data.get("club", "")),
        )


def _pairs(text: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in re.findall(r"\b(\d{1,3})-(\d{1,3})\b", text)]
