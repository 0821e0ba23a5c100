"""What organisers type about nights that repeat."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.bots import BOTS
from engine.rules.ruleset import Ruleset
from engine.sim.designs import MOST_BOTS
from league.arena.facts.own_bots import lookers, pool_of
from league.base.forms import DayInput
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import offer_rules, ruleset_choices
from league.models import Club, Event, Schedule
from league.nights.acts import events
from league.nights.forms.events import EventForm
from league.schedules.domain.recurrence import LAST_OF_MONTH, Recurrence
from league.seasons.domain.scoring import FieldError
from tables.bots.facts import member_bots

WEEK = timedelta(weeks=1)
MOST_DAYS_AHEAD = 60


class NightsForm(EventForm):
    """A night and when it repeats: `name`, `plan`, `rule` and `days_ahead` of the cleaned data."""

    EVERY = {
        "week": _("every week"),
        "two_weeks": _("every two weeks"),
        "month": _("every month, for example on the first Friday"),
    }
    WHEN = ("every", "day", "at", "until", "days_ahead")
    LIST = ("opens_sign_up", "sign_up_places", "sign_up_hours")

    every = forms.ChoiceField(label=_("Repeats"), choices=list(EVERY.items()))
    day = forms.DateField(
        label=_("First day"),
        widget=DayInput(),
        help_text=_("This also sets the day of the week."),
    )
    at = forms.TimeField(
        label=_("Time"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        initial="20:00",
        help_text=_("In the club's time zone."),
    )
    until = forms.DateField(
        label=_("Last day"),
        widget=DayInput(),
        required=False,
        help_text=_("Empty: no end date."),
    )
    days_ahead = forms.IntegerField(
        label=_("Days ahead to create each night"),
        min_value=0,
        max_value=MOST_DAYS_AHEAD,
        initial=6,
        help_text=_("From then on you can check people in and change the settings."),
    )

    opens_sign_up = forms.BooleanField(
        label=_("Open a sign-up list"),
        required=False,
        help_text=_("Each night gets its own link to post in your group."),
    )
    sign_up_places = forms.IntegerField(
        label=_("Number of places"),
        min_value=2,
        max_value=2000,
        required=False,
        help_text=_("Guests count. Empty: no limit. When it is full, a waiting list starts."),
    )
    sign_up_hours = forms.IntegerField(
        label=_("Hours before the night when sign-up ends"),
        min_value=0,
        max_value=24 * MOST_DAYS_AHEAD,
        required=False,
        help_text=_("Empty: no deadline."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        self.club = club
        del self.fields["date"], self.fields["starts_at"]
        self.initial.setdefault("day", timezone.localdate())
        self.fields["name"].label = _("Name of the next night")
        self.fields["name"].help_text = _(
            "A number at the end counts up: Night 4, Night 5. Otherwise the date is added."
        )
        self.order_fields(["name", *self.WHEN, *self.LIST])

    NO_PLAN = ("name", *WHEN, *LIST)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors:
            data["plan"] = {k: v for k, v in data.items() if k not in self.NO_PLAN}
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
                self.add_error("until", _("The last day is before the first. Swap them."))
            else:
                self.add_error("day", _("Choose a day from 2000 to 2199."))
            return None
        if rule.next(timezone.now()) is None:
            field = "until" if data["until"] else "day"
            self.add_error(field, _("That time has passed. Choose a later one."))
        return rule

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return what the form shows for a schedule."""
        rule = Recurrence.from_json(schedule.rule)
        plan: dict[str, Any] = schedule.plan
        return (
            plan
            | {
                "name": schedule.name,
                "every": "two_weeks" if rule.interval == 2 else rule.every,
                "day": rule.start,
                "at": rule.at,
                "until": rule.until,
                "days_ahead": schedule.days_ahead,
            }
            | {name: getattr(schedule, name) for name in cls.LIST}
        )

    @classmethod
    def initial_after(cls, event: Event) -> dict[str, Any]:
        """Return what the form shows for nights that are to follow this one."""
        plan = events.plan_of(event)
        following = {"name": events.next_name(event.name), "day": event.date + WEEK}
        return plan | following | {"at": event.starts_at or time(20), "every": "week"}


def _nth(day: date) -> int:
    """Which one of its weekday a day is in its month; a fifth counts as the last."""
    nth = (day.day - 1) // 7 + 1
    return nth if nth <= 4 else LAST_OF_MONTH


class TournamentForm(forms.Form):
    """What is played by bots, and when: `rule` of the cleaned data is None for now."""

    LATER = [
        ("once", _("once, at the time below")),
        ("week", _("every week, starting on the day below")),
        ("day", _("every day, starting on the day below")),
    ]

    name = forms.CharField(label=_("Name"), max_length=60)
    ruleset = forms.ChoiceField(label=_("Rules"), choices=ruleset_choices)
    deals = forms.IntegerField(
        label=_("Deals"),
        min_value=1,
        max_value=100_000,
        initial=100,
        help_text=_("Each deal is played several times, so that nobody is favoured by the cards."),
    )
    every = forms.ChoiceField(
        label=_("Start"),
        choices=[("", _("now")), *LATER],
        required=False,
    )
    day = forms.DateField(
        label=_("Day"),
        widget=DayInput(),
        required=False,
        help_text=_("To start now, leave day and time empty."),
    )
    at = forms.TimeField(
        label=_("Time"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        required=False,
        help_text=_("In the club's time zone."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        offer_rules(self, club)
        self.initial.setdefault("day", timezone.localdate())
        self.initial.setdefault("at", "20:00")

    def clean_ruleset(self) -> Ruleset:
        """Return the rules that were chosen."""
        return club_rules.chosen(self.club, self.cleaned_data["ruleset"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for field in ("day", "at"):
            if data.get("every") and not data.get(field) and field not in self.errors:
                self.add_error(field, _("Enter a day and a time."))
        if not self.errors:
            data["plan"] = {"deals": data["deals"]}
            data["rule"] = self._rule(data) if data["every"] else None
        return data

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        at = data["at"].replace(second=0, microsecond=0)
        try:
            rule = Recurrence(data["day"], at, self.club.time_zone, data["every"])
        except FieldError:
            self.add_error("day", _("Choose a day from 2000 to 2199."))
            return None
        if rule.next(timezone.now()) is None:
            self.add_error("day", _("That time has passed. Choose a later one."))
        return rule

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return what the form shows for a schedule."""
        assert schedule.ruleset is not None
        return {
            "name": schedule.name,
            "ruleset": club_rules.key_or_digest(schedule.ruleset),
            "deals": schedule.plan["deals"],
            "every": schedule.rule["every"],
            "day": date.fromisoformat(schedule.rule["start"]),
            "at": time.fromisoformat(schedule.rule["at"]),
        }


class LeagueForm(TournamentForm):
    """A league of bots: who goes up and down, and when it plays."""

    OWN = ("size", "moves")

    size = forms.TypedChoiceField(
        label=_("Bots in a division"),
        choices=[(number, str(number)) for number in range(3, MOST_BOTS + 1)],
        coerce=int,
        initial=4,
        help_text=_(
            "A guide: it depends on how many bots there are. With more than four, every table of "
            "four plays each deal: up to 280 games a deal."
        ),
    )
    moves = forms.TypedChoiceField(
        label=_("How many go up and down"),
        choices=[(number, str(number)) for number in (1, 2, 3, 4)],
        coerce=int,
        initial=1,
        help_text=_("After each matchday, and never more than half a division."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(value, text) for value, text in self.LATER if value != "once"]
        self.fields["every"] = forms.ChoiceField(label=_("Schedule"), choices=choices)
        self.fields["day"].help_text = ""
        self.order_fields(["name", "ruleset", "size", "moves", "deals", "every", "day", "at"])

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return what the form shows for a league's schedule."""
        league = schedule.bot_league
        return super().initial_of(schedule) | {"size": league.size, "moves": league.moves}


class BotsForm(TournamentForm):
    """Who plays what and how, and when: `plan` and `rule` of the cleaned data."""

    CHAIRS = tuple(f"bot_{number}" for number in range(1, MOST_BOTS + 1))
    FOLDED = (*CHAIRS[4:], "effect", "substitute", "priority")
    FOLDED_TITLE = _("More bots and options")

    design = forms.ChoiceField(
        label=_("Who plays whom"),
        choices=[
            ("rotations", _("One table, every deal in all seat rotations")),
            ("versus", _("Two bots head to head, seats swapped")),
            ("tables", _("Five to eight bots, every table of four")),
            ("single", _("One table, each deal once (for bots with memory)")),
        ],
        initial="rotations",
    )
    effect = forms.TypedChoiceField(
        label=_("Stop early"),
        choices=[
            ("", _("no, play all deals")),
            ("0.05", _("once it is clear whether the first beats 5% more opponents")),
            ("0.02", _("once it is clear whether the first beats 2% more opponents")),
            ("0.01", _("once it is clear whether the first beats 1% more opponents")),
        ],
        coerce=float,
        empty_value=None,
        required=False,
        help_text=_("Only for two bots head to head."),
    )
    priority = forms.TypedChoiceField(
        label=_("Priority"),
        choices=[
            (1, _("normal: an equal share of the server")),
            (2, _("high: four times the share")),
            (0, _("low: a quarter of the share")),
        ],
        coerce=int,
        initial=1,
    )
    substitute = forms.ChoiceField(
        label=_("If a bot fails"),
        choices=[
            ("lowest", _("lowest takes over")),
            ("greedy", _("greedy takes over")),
            ("random", _("random takes over")),
        ],
        initial="lowest",
        required=False,
        help_text=_("An illegal play, a late answer or a crash: the game continues and counts."),
    )

    def __init__(self, *args: Any, now: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = member_bots.newest(pool_of(self.club), lookers(self.club))
        bots = [(name, name) for name in (*BOTS, *members)]
        for number, chair in enumerate(self.CHAIRS):
            self.fields[chair] = forms.ChoiceField(
                label=_("Bot %(number)s") % {"number": number + 1},
                choices=[*bots, ("", _("nobody"))],
                initial=bots[number % len(bots)][0] if number < 4 else "",
                required=False,
            )
        if not now:
            self.fields["every"] = forms.ChoiceField(label=_("Start"), choices=self.LATER)
        first = [
            "name",
            "ruleset",
            "design",
            *self.CHAIRS,
            "deals",
            "effect",
            "substitute",
            "priority",
        ]
        self.order_fields([*first, "every", "day", "at"])

    @property
    def unfolds(self) -> bool:
        """Whether something that is folded away has to be seen."""
        folded = (self[name] for name in self.FOLDED)
        return bool(self.errors) or any(
            str(field.value() or "") != str(field.field.initial or "") for field in folded
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("effect") and data.get("design") != "versus":
            self.add_error(
                "effect", _("Only two bots head to head can stop early. Play all deals.")
            )
        if self.errors:
            return data
        keys = ("design", "deals", "effect", "priority")
        data["plan"] = {key: data[key] for key in keys}
        data["plan"]["substitute"] = data["substitute"] or "lowest"
        data["plan"]["bots"] = [data[chair] for chair in self.CHAIRS if data.get(chair)]
        return data

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return what the form shows for a schedule of tournaments."""
        plan = schedule.plan
        chairs = dict.fromkeys(cls.CHAIRS, "") | dict(zip(cls.CHAIRS, plan["bots"], strict=False))
        return (
            chairs
            | super().initial_of(schedule)
            | {
                "design": plan.get("design", "rotations"),
                "effect": plan.get("effect") or "",
                "substitute": plan.get("substitute", "lowest"),
                "priority": plan.get("priority", 1),
            }
        )
