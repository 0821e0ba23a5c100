"""Forms for a night's online play, stakes tables and half-hour tournaments."""

from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.base.forms import MoneyField, MoneyForm, SeenForm
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import ruleset_choices
from league.models import Club, Event, LivePlan, Season
from league.money.pages import usual
from league.nights.domain.night_plans import MOST_STAKE
from tables.base.currencies import sign
from tables.web.forms import CLOCKS, preset_names


class OnlineForm(SeenForm, forms.Form):
    """A night's settings for online play: its tables, their clock, and abandoned tables."""

    played = forms.ChoiceField(
        label=_("Online play"),
        choices=[("", _("off: real cards only")), *LivePlan.Played.choices],
        required=False,
        help_text=_("Applies from the next released round."),
    )
    move_seconds = forms.TypedChoiceField(
        label=_("Clock"), choices=list(CLOCKS.items()), coerce=int, initial="40"
    )
    abandoned = forms.ChoiceField(
        label=_("If everyone leaves a table"), choices=LivePlan.Abandoned.choices
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.has_queue:  # Its tables have no fixed number of games to finish.
            known = [c for c in LivePlan.Abandoned.choices if c[0] != LivePlan.Abandoned.FINISH]
            self.fields["abandoned"] = forms.ChoiceField(
                label=self.fields["abandoned"].label, choices=known
            )


class StakeForm(MoneyForm):
    """A new stakes table: its rules, seats, clock, and the season whose ledger gets its games.

    The season is a field only if several are open.
    """

    field_order = ["ruleset", "stake"]
    players = forms.TypedChoiceField(
        label=_("Seats"), choices=[(n, n) for n in range(2, 9)], coerce=int, initial=4
    )
    clock = forms.TypedChoiceField(
        label=_("Clock"), choices=list(CLOCKS.items()), coerce=int, initial="40"
    )

    def __init__(self, *args: Any, club: Club, seasons: list[Season], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ruleset"] = forms.ChoiceField(
            label=_("Rules"), choices=club_rules.paying_choices(club, ruleset_choices(), seasons[0])
        )
        self.fields["stake"] = MoneyField(
            label=_("Stake in %(unit)s") % {"unit": sign(seasons[0].unit)},
            min_value=1,
            max_value=MOST_STAKE,
            help_text=_("The value of one stake; the rules say who pays how many."),
        )
        self.seasons, unit = seasons, seasons[0].unit
        self.count_in(unit, partial(usual.stakes, club, unit))
        if len(seasons) > 1:
            self.fields["season"] = forms.TypedChoiceField(
                label=_("Season"), coerce=int, choices=[(one.pk, one.name) for one in seasons]
            )
        self.order_fields(self.field_order)

    def clean_season(self) -> int:
        """Return the key of the season; its stake was read in the unit that the page showed."""
        chosen: int = self.cleaned_data["season"]
        unit = next(one.unit for one in self.seasons if one.pk == chosen)
        if unit != self.seasons[0].unit:
            text = _("This season counts in %(unit)s. Choose one that counts in %(own)s.")
            own = sign(self.seasons[0].unit)
            raise forms.ValidationError(text % {"unit": sign(unit), "own": own})
        return chosen


class SprintForm(forms.Form):
    rules = forms.ChoiceField(label=_("Rules"), choices=preset_names, initial="mien-nam")
