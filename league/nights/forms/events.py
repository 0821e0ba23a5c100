"""Forms for a night and its settings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.base.domain.amounts import Usual
from league.base.forms import DayInput, HourInput, MoneyField, MoneyForm
from league.clubs.facts import club_rules
from league.models import Club, Event, Place
from league.money.pages import usual
from league.nights.facts.missing_games import is_played
from league.nights.forms.formats import FormatForm

STARTS_HELP = _("In the club's time zone. Calendars and reminders use it.")


class EventForm(MoneyForm, FormatForm):
    name = forms.CharField(label=_("Name"), max_length=80)
    date = forms.DateField(label=_("Date"), widget=DayInput())
    starts_at = forms.TimeField(
        label=_("Starts at"), widget=HourInput(), required=False, help_text=STARTS_HELP
    )
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60, initial=3)
    counting = forms.ChoiceField(
        label=_("How games count"),
        choices=[
            ("fixed", _("A fixed number; every game counts")),
            ("average", _("Until time is up; the average counts")),
            ("table_ranking", _("Until time is up; the table's ranking counts")),
        ],
        help_text=_("When players change tables all night, the average covers their whole night."),
    )
    games_per_round = forms.IntegerField(
        label=_("Games per round"), min_value=1, max_value=50, initial=4
    )
    stake = MoneyField(
        label=_("Stake per game"),
        min_value=0,
        max_value=1_000_000_000,
        initial=0,
        required=False,
        help_text=_("0: points only."),
    )

    confirmed_by = forms.ChoiceField(
        label=_("Who confirms games"), choices=Event.Confirmed.choices, initial="none"
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes per round"),
        min_value=1,
        max_value=600,
        required=False,
        help_text=_("For the clock on the big screen; leave empty for no clock."),
    )

    def __init__(self, *args: Any, club: Club, betting: str = "none", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.count_in(club.unit, partial(usual.stakes, club))
        self.initial.setdefault("date", timezone.localdate())
        if betting not in club_rules.PAYING:
            del self.fields["stake"]

    def clean_stake(self) -> int:
        return self.cleaned_data["stake"] or 0


class EventSettingsForm(MoneyForm, FormatForm):
    """What may still change once a night has begun; see `night_settings.change_settings`."""

    name = forms.CharField(label=_("Name"), max_length=80)
    date = forms.DateField(label=_("Date"), widget=DayInput())
    starts_at = forms.TimeField(
        label=_("Starts at"), widget=HourInput(), required=False, help_text=STARTS_HELP
    )
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60)
    confirmed_by = forms.ChoiceField(label=_("Who confirms games"), choices=Event.Confirmed.choices)
    round_minutes = forms.IntegerField(
        label=_("Minutes per round"), min_value=1, max_value=600, required=False
    )
    stake = MoneyField(
        label=_("Stake per game"),
        min_value=0,
        max_value=1_000_000_000,
        required=False,
        help_text=_("0: points only."),
    )
    games_per_round = forms.IntegerField(
        label=_("Games per round"), min_value=1, max_value=50, required=False
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        club = event.season.club
        self.count_in(club.unit, partial(usual.stakes, club, apart_from=event))
        if is_played(event):  # The page then shows what another stake would change.
            self.count_in(club.unit)
            del self.fields["games_per_round"]
        if event.rules.betting not in club_rules.PAYING:
            del self.fields["stake"]


class SideForm(MoneyForm):
    """What one player at a table owes another beside the games."""

    payer = forms.TypedChoiceField(label=_("Player who owes"), coerce=int)
    payee = forms.TypedChoiceField(label=_("Player who is owed"), coerce=int)
    amount = MoneyField(label=_("Amount"), min_value=1, max_value=10**12)
    note = forms.CharField(label=_("Reason"), max_length=200)
    client_id = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self, data: QueryDict | None, *, event: Event, places: Iterable[Place], **kwargs: Any
    ) -> None:
        super().__init__(data, auto_id="side_%s", **kwargs)
        self.count_in(event.season.club.unit, lambda: Usual(event.stake, event.stake))
        people = [(place.entrant_id, place.entrant.player.name) for place in places]
        for name in ("payer", "payee"):
            self.fields[name].choices = [("", _("choose")), *people]  # type: ignore[attr-defined]


class MinutesForm(forms.Form):
    minutes = forms.IntegerField(min_value=0, max_value=600)


class GuestForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=400)
