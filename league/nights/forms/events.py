"""Forms for a night and its settings."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.base import texts
from league.base.domain.amounts import Usual
from league.base.forms import DayInput, HourInput, MoneyField, MoneyForm
from league.models import Event, Place
from league.money.pages import usual
from league.nights.acts.night_settings import CALLED, settings_shown
from league.nights.facts.missing_games import is_played
from league.nights.forms.plans import PlanForm, Topic
from league.nights.pages import stake_change


class NightForm(PlanForm):
    """A night: its name, its day and its plan."""

    TOPICS = PlanForm.TOPICS | {
        "when": (_("When?"), ("date", "starts_at")),
        "rules": (_("Which rules?"), ("ruleset",)),
    }
    SENTENCE = _("%(when)s at %(venue)s, playing %(rules)s: %(rounds)s, %(stake)s.")
    ROWS = ("name", *PlanForm.ROWS)

    name = forms.CharField(label=_("Name"), max_length=80)
    date = forms.DateField(label=_("Date"), widget=DayInput())
    starts_at = forms.TimeField(
        label=_("Starts at"),
        widget=HourInput(),
        required=False,
        help_text=_("In the club's time zone. Calendars and reminders use it."),
    )
    venue = forms.CharField(
        label=_("Venue"),
        max_length=80,
        required=False,
        help_text=_("Everyone who sees the date sees this, even strangers in a public club."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("date", timezone.localdate())

    def say_when(self) -> str:
        day, hour = self.value("date"), self.value("starts_at")
        if not isinstance(day, datetime.date):
            return str(day or "?")
        said = f"{date_format(day, 'l')} {date_format(day, 'MONTH_DAY_FORMAT')}"
        return f"{said}, {hour:%H:%M}" if isinstance(hour, datetime.time) else said

    def say_venue(self) -> str:
        return self.value("venue") or gettext("which place?")


PLAYED = "played-"
"""How the choice begins that corrects games; the stake they were played for follows."""

FIELD_OF = {"kind": "format"}
"""The fields whose names are not those of the settings."""


class NightSettingsForm(NightForm):
    """What may still change once a night has begun; see `night_settings.change_settings`.

    Once a game is played, `stake_from` says which games another stake is for.
    """

    TOPICS = NightForm.TOPICS | {
        "stake": (_("What does a game cost?"), ("stake", "stake_from")),
    }

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        initial = {name: getattr(event, name) for name in CALLED}
        club, unit, betting = event.season.club, event.season.unit, event.rules.betting
        super().__init__(
            *args, plan=event.plan, club=club, unit=unit, betting=betting, initial=initial, **kwargs
        )
        self.event, self.rules = event, event.rules.name
        self.corrects: int | None = None
        self.count_in(unit, partial(usual.stakes, club, unit, apart_from=event))
        del self.fields["counting"]
        if is_played(event):  # The page then shows what another stake would change.
            self.count_in(unit)
            del self.fields["games_per_round"]
            if "stake" in self.fields:
                self._ask_from_when(event)
        self.shown = json.dumps(settings_shown(event))

    def _ask_from_when(self, event: Event) -> None:
        """Add the field that says for which games another stake is."""
        choices = [("game", gettext("from the next game"))]
        if not event.has_queue:
            choices.append(("round", gettext("from the next round")))
        for stake, games in stake_change.played_for(event).items():
            words = ngettext(
                "correct it: the %(games)s game for %(stake)s was played for this",
                "correct it: the %(games)s games for %(stake)s were played for this",
                games,
            )
            amount = texts.amount(stake, event.season.unit)
            choices.append((f"{PLAYED}{stake}", words % {"games": games, "stake": amount}))
        self.fields["stake_from"] = forms.ChoiceField(
            label=_("Another stake applies"),
            choices=choices,
            initial="game",
            required=False,
            widget=forms.RadioSelect,
        )

    def say_round_minutes(self) -> str:
        """Return the minutes, and those of the last round's clock if it was started with others."""
        said = self.say("round_minutes")
        last = self.event.rounds.last() if self.event.is_open else None
        if last is None or last.clock_minutes in (None, self.value("round_minutes")):
            return said
        return gettext("%(set)s (clock of round %(number)s: %(minutes)s min)") % {
            "set": said,
            "number": last.number,
            "minutes": last.clock_minutes,
        }

    def clean_stake_from(self) -> str:
        """Return "game" or "round"; set `corrects` where played games are corrected instead."""
        when: str = self.cleaned_data["stake_from"] or "game"
        if not when.startswith(PLAYED):
            return when
        self.corrects = int(when.removeprefix(PLAYED))
        return ""

    @property
    def seen(self) -> str:
        """The settings that this form was first shown with, as the page sends them."""
        return str(self.data.get("seen") or "") if self.is_bound else self.shown

    @property
    def settings_seen(self) -> dict[str, Any] | None:
        """Return the settings that the sent form was shown with; None if it does not say so."""
        try:
            found = json.loads(self.seen)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    def changed_from(self, seen: Mapping[str, Any]) -> list[str]:
        """Return the settings of the valid form that differ from those seen."""
        data = self.cleaned_data
        called = {name: data[name] for name in CALLED}
        sent = json.loads(json.dumps(called | data["plan"].values, default=str))
        return [name for name in sent if name in seen and sent[name] != seen[name]]

    @cached_property
    def unsaved(self) -> set[str]:
        """The fields by which the sent form, once valid, differs from the night."""
        found = self.changed_from(settings_shown(self.event)) if self.is_valid() else []
        return {FIELD_OF.get(name, name) for name in found}

    @cached_property
    def saved(self) -> NightSettingsForm:
        """The form as it first was."""
        return NightSettingsForm(event=self.event)

    def topic(self, name: str) -> Topic:
        topic = super().topic(name)
        if self.unsaved.isdisjoint(field.name for field in topic.fields):
            return topic
        return replace(topic, was=self.saved.topic(name).words)

    def words(self, name: str) -> str:
        """Return a single setting's value in words."""
        field = FIELD_OF.get(name, name)
        if field in ("starts_at", "date"):
            value = self.value(field)
            return (
                date_format(value, "SHORT_DATE_FORMAT" if field == "date" else "TIME_FORMAT")
                if value
                else gettext("no")
            )
        return self.say_stake() if field == "stake" else self.say(field)

    def sent(self, name: str) -> str:
        """Return a field's value as a browser sends it."""
        field = self[FIELD_OF.get(name, name)]
        if isinstance(value := field.value(), bool):
            return "on" if value else ""
        shown = field.field.widget.format_value(value)
        return str((shown[0] if isinstance(shown, list) else shown) or "")

    def say_rules(self) -> str:
        return self.rules

    def clean_stake(self) -> int:
        stake: int | None = self.cleaned_data["stake"]
        return self.old_plan.stake if stake is None else stake


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
        self.count_in(event.season.unit, lambda: Usual(event.stake, event.stake))
        people = [(place.entrant_id, place.entrant.player.name) for place in places]
        for name in ("payer", "payee"):
            self.fields[name].choices = [("", _("choose")), *people]  # type: ignore[attr-defined]


class MinutesForm(forms.Form):
    minutes = forms.IntegerField(min_value=0, max_value=600)


class GuestForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=400)
