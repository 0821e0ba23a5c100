"""What organisers type about nights that repeat by themselves."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.domain.recurrence import LAST_OF_MONTH, Recurrence
from league.domain.scoring import FieldError
from league.forms import DayInput, EventForm
from league.models import Club, Event, Schedule
from league.services import events

WEEK = timedelta(weeks=1)
MOST_DAYS_AHEAD = 60


class NightsForm(EventForm):
    """A night and when it repeats: `name`, `plan`, `rule` and `days_ahead` of the cleaned data."""

    EVERY = {
        "week": _("every week"),
        "two_weeks": _("every two weeks"),
        "month": _("every month, such as on the first Friday"),
    }
    WHEN = ("every", "day", "at", "until", "days_ahead")

    every = forms.ChoiceField(label=_("How often"), choices=list(EVERY.items()))
    day = forms.DateField(
        label=_("First day"),
        widget=DayInput(),
        help_text=_("It says the day of the week, too."),
    )
    at = forms.TimeField(
        label=_("Time"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        initial="20:00",
        help_text=_("By the clock of the club's time zone."),
    )
    until = forms.DateField(
        label=_("Last day"),
        widget=DayInput(),
        required=False,
        help_text=_("Empty: until you end it."),
    )
    days_ahead = forms.IntegerField(
        label=_("Made how many days ahead"),
        min_value=0,
        max_value=MOST_DAYS_AHEAD,
        initial=6,
        help_text=_("From then on people can be checked in and its settings changed."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        del self.fields["date"]
        self.initial.setdefault("day", timezone.localdate())
        self.fields["name"].label = _("Name of the next night")
        self.fields["name"].help_text = _(
            "A number at its end counts on: Night 4, Night 5. To other names the day is added."
        )
        self.order_fields(["name", *self.WHEN])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors:
            data["plan"] = {k: v for k, v in data.items() if k not in ("name", *self.WHEN)}
            data["rule"] = self._rule(data)
        return data

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        every, day = data["every"], data["day"]
        try:
            rule = Recurrence(
                day,
                data["at"].replace(second=0, microsecond=0),
                self.club.time_zone,
                "month" if every == "month" else "week",
                interval=2 if every == "two_weeks" else 1,
                nth=_nth(day) if every == "month" else None,
                until=data["until"],
            )
        except FieldError as error:
            if error.field == "until":
                self.add_error("until", _("The last day comes before the first. Swap them."))
            else:
                self.add_error("day", _("Choose a day from 2000 to 2199."))
            return None
        if rule.next(timezone.now()) is None:
            field = "until" if data["until"] else "day"
            self.add_error(field, _("This time has passed: choose a later one."))
        return rule

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """What the form shows for a schedule."""
        rule = Recurrence.from_json(schedule.rule)
        plan: dict[str, Any] = schedule.plan
        return plan | {
            "name": schedule.name,
            "every": "two_weeks" if rule.interval == 2 else rule.every,
            "day": rule.start,
            "at": rule.at,
            "until": rule.until,
            "days_ahead": schedule.days_ahead,
        }

    @classmethod
    def initial_after(cls, event: Event) -> dict[str, Any]:
        """What the form shows for nights that are to follow this one."""
        plan = events.plan_of(event)
        following = {"name": events.next_name(event.name), "day": event.date + WEEK}
        return plan | following | {"at": time(20), "every": "week"}


def _nth(day: date) -> int:
    """Which one of its weekday a day is in its month; a fifth counts as the last."""
    nth = (day.day - 1) // 7 + 1
    return nth if nth <= 4 else LAST_OF_MONTH
