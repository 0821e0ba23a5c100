"""Forms for a night and its settings."""

from __future__ import annotations

import datetime
import json
import math
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

from engine.rules.ruleset import Ruleset, digest
from league.base import texts
from league.base.domain.amounts import Usual
from league.base.forms import DayInput, HourInput, MoneyField, MoneyForm
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import offer_rules
from league.models import Club, Event, Place
from league.money.pages import usual
from league.nights.acts.night_settings import CALLED, SAID, is_fixed, settings_shown
from league.nights.facts.missing_games import is_played
from league.nights.forms.plans import PlanForm, Topic
from league.nights.pages import stake_change

_CLOCKS = ("rounds_planned", "round_minutes")


class NightForm(PlanForm):
    """A night: its name, its day, its rules and its plan; the rules decide on its other fields."""

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

    def __init__(
        self, data: QueryDict | None, *, club: Club, initial: dict[str, Any], **kwargs: Any
    ) -> None:
        chosen = _rules(club, data and data.get("ruleset")) or _rules(club, initial["ruleset"])
        kwargs["betting"] = chosen.betting if chosen else ""
        super().__init__(data, club=club, initial=initial, **kwargs)
        self.initial.setdefault("date", timezone.localdate())
        if "stake" not in self.fields:
            self.old_plan = replace(self.old_plan, stake=0)
        self.fields["ruleset"] = forms.ChoiceField()
        offer_rules(self, club)
        self.fields["ruleset"].required = False

    def clean_ruleset(self) -> Ruleset:
        """Return the rules that were chosen, or those shown."""
        chosen = self.cleaned_data["ruleset"] or self.initial["ruleset"]
        return club_rules.chosen(self.club, chosen)

    def say_rules(self) -> str:
        key = self["ruleset"].value()
        names = dict(self.fields["ruleset"].choices)  # type: ignore[attr-defined]
        return str(names.get(key, key)).partition(" (")[0]

    def say_when(self) -> str:
        day, hour = self.value("date"), self.value("starts_at")
        if not isinstance(day, datetime.date):
            return str(day or "?")
        said = f"{date_format(day, 'l')} {date_format(day, 'MONTH_DAY_FORMAT')}"
        return f"{said}, {hour:%H:%M}" if isinstance(hour, datetime.time) else said

    @property
    def ends(self) -> str:
        """About when the rounds are over by their clocks, empty without them or a start."""
        hour, clocks = self.value("starts_at"), [self.value(one) for one in _CLOCKS]
        counts = all(isinstance(one, int) for one in clocks)
        if self.value("format") != "rounds" or not (counts and isinstance(hour, datetime.time)):
            return ""
        start = datetime.datetime.combine(datetime.date.min, hour)
        end = start + datetime.timedelta(minutes=math.prod(clocks))
        return gettext("By its clocks the night ends about %(at)s.") % {"at": f"{end:%H:%M}"}

    def topic(self, name: str) -> Topic:
        """Return a topic with its words of now; without a place it asks for one."""
        return replace(super().topic(name), asks=name == "venue" and not self.value(name))

    def say_venue(self) -> str:
        return self.value("venue") or gettext("which place?")


def _rules(club: Club, key: Any) -> Ruleset | None:
    try:
        return club_rules.chosen(club, key) if key else None
    except KeyError:
        return None


PLAYED = "played-"
"""How the choice begins that corrects games; the stake they were played for follows."""

FIELD_OF = {"kind": "format", "ruleset_id": "ruleset"}
"""The fields whose names are not those of the settings."""


class NightSettingsForm(NightForm):
    """What may still change once a night is made; see `night_settings.change_settings`.

    Once a game is played, `stake_from` says which games another stake is for.
    """

    TOPICS = NightForm.TOPICS | {
        "stake": (_("What does a game cost?"), ("stake", "stake_from")),
    }

    def __init__(self, data: QueryDict | None = None, *, event: Event, **kwargs: Any) -> None:
        initial = {name: getattr(event, name) for name in CALLED}
        initial["ruleset"] = club_rules.key_or_digest(event.ruleset)
        club, unit = event.season.club, event.season.unit
        super().__init__(data, plan=event.plan, club=club, unit=unit, initial=initial, **kwargs)
        self.event = event
        self.corrects: int | None = None
        self.count_in(unit, partial(usual.stakes, club, unit, apart_from=event))
        if is_fixed(event):
            self.old_plan = event.plan
            # Of a page from before the draw another choice is refused aloud.
            for name in {"ruleset", "counting", "format", "same_deals"}.difference(data or ()):
                self.fields[name].disabled = True
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
        said = super().say_round_minutes()
        last = self.event.rounds.last() if self.event.is_open else None
        if last is None or last.clock_minutes in (None, self.value("round_minutes")):
            return said
        return gettext("%(set)s, round %(number)s alone: %(minutes)s min") % {
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

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors:
            data["ruleset_id"] = digest(data.pop("ruleset"))
        return data

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
        called = {name: data[name] for name in SAID}
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
        _title, names = self.TOPICS.get(name, ("", ()))
        if self.unsaved.isdisjoint((*names, *(field.name for field in topic.fields))):
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
        said = {"stake": self.say_stake, "ruleset": self.say_rules}
        return said.get(field, partial(self.say, field))()

    def sent(self, name: str) -> str:
        """Return a field's value as a browser sends it, empty where these rules lack the field."""
        if (name := FIELD_OF.get(name, name)) not in self.fields:
            return ""
        field = self[name]
        if isinstance(value := field.value(), bool):
            return "on" if value else ""
        shown = field.field.widget.format_value(value)
        return str((shown[0] if isinstance(shown, list) else shown) or "")

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
