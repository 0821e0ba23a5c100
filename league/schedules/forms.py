"""What organisers type about nights that repeat."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.bots import BOTS
from engine.rules.ruleset import Ruleset
from engine.sim.designs import MOST_BOTS
from league.arena.facts.own_bots import lookers, pool_of
from league.base.domain.settings import settings_of
from league.base.forms import DayInput, HourInput, must_be_given, setting_field
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import offer_rules, ruleset_choices
from league.models import Club, Event, Schedule
from league.nights.acts import events
from league.nights.forms.events import NightForm
from league.schedules.domain.recurrence import LAST_OF_MONTH, Recurrence
from league.schedules.domain.repeated import Ahead, Nights, TournamentPlan, Tournaments
from league.seasons.domain.scoring import FieldError
from tables.bots.facts import member_bots

WEEK = timedelta(weeks=1)


class RepeatForm(forms.Form):
    """When something repeats, by the club's clock."""

    club: Club

    def read_rule(
        self, day: date, at: time, every: Any, *, until: date | None = None, **more: Any
    ) -> Recurrence | None:
        """Return the rule, None with an error at its field if it is wrong or has no next time."""
        try:
            at = at.replace(second=0, microsecond=0)
            rule = Recurrence(day, at, self.club.time_zone, every, until=until, **more)
        except FieldError as error:
            if error.field == "until":
                self.add_error("until", _("The last day is before the first. Swap them."))
            else:
                self.add_error("day", _("Choose a day from 2000 to 2199."))
            return None
        if rule.next(timezone.now()) is None:
            self.add_error(
                "until" if until else "day", _("That time has passed. Choose a later one.")
            )
        return rule


class NightsForm(RepeatForm, NightForm):
    """A night and when it repeats: `repeated` of the cleaned data."""

    EVERY = {
        "week": _("every week"),
        "two_weeks": _("every two weeks"),
        "month": _("every month, for example on the first Friday"),
    }
    AHEAD = settings_of(Ahead)

    every = forms.ChoiceField(label=_("Repeats"), choices=list(EVERY.items()))
    day = forms.DateField(
        label=_("First day"),
        widget=DayInput(),
        help_text=_("This also sets the day of the week."),
    )
    at = forms.TimeField(
        label=_("Time"),
        widget=HourInput(),
        initial="20:00",
        help_text=_("In the club's time zone."),
    )
    until = forms.DateField(
        label=_("Last day"),
        widget=DayInput(),
        required=False,
        help_text=_("Empty: no end date."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        self.club = club
        del self.fields["date"], self.fields["starts_at"]
        for name, row in self.AHEAD.items():
            self.fields[name] = setting_field(row)
            self.fields[name].required = must_be_given(row)
            self.initial.setdefault(name, getattr(Ahead(), name))
        self.initial.setdefault("day", timezone.localdate())
        self.fields["name"].label = _("Name of the next night")
        self.fields["name"].help_text = _(
            "A number at the end counts up: Night 4, Night 5. Otherwise the date is added."
        )
        self.order_fields(["name", "every", "day", "at", "until", *self.AHEAD])

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors and (rule := self._rule(data)):
            ahead = Ahead(**{name: data[name] for name in self.AHEAD})
            data["repeated"] = Nights(data["name"], data["plan"], rule, ahead)
        return data

    @property
    def repeated(self) -> Nights:
        """What the schedule repeats, of a valid form."""
        found: Nights = self.cleaned_data["repeated"]
        return found

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        day, every, until = data["day"], data["every"], data["until"]
        if every == "month":
            return self.read_rule(day, data["at"], "month", until=until, nth=_nth(day))
        weeks = 2 if every == "two_weeks" else 1
        return self.read_rule(day, data["at"], "week", until=until, interval=weeks)

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return when a schedule repeats, as the form shows it."""
        rule = Recurrence.from_json(schedule.rule)
        return {name: getattr(schedule, name) for name in ("name", *cls.AHEAD)} | {
            "every": "two_weeks" if rule.interval == 2 else rule.every,
            "day": rule.start,
            "at": rule.at,
            "until": rule.until,
        }

    @classmethod
    def initial_after(cls, event: Event) -> dict[str, Any]:
        """Return when nights that follow this one are to repeat."""
        following = {"name": events.next_name(event.name), "day": event.date + WEEK}
        return following | {"at": event.starts_at or time(20), "every": "week"}


def _nth(day: date) -> int:
    """Which one of its weekday a day is in its month; a fifth counts as the last."""
    nth = (day.day - 1) // 7 + 1
    return nth if nth <= 4 else LAST_OF_MONTH


class TournamentForm(RepeatForm):
    """What is played by bots, and when: `plan` and `rule` of the cleaned data.

    The rule is None for now.
    """

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
        widget=HourInput(),
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
            every = data["every"]
            data["plan"] = TournamentPlan(data["deals"])
            data["rule"] = self.read_rule(data["day"], data["at"], every) if every else None
        return data

    @property
    def repeated(self) -> Tournaments:
        """What the schedule repeats, of a valid form that has a rule."""
        data = self.cleaned_data
        return Tournaments(data["name"], data["plan"], data["rule"], data["ruleset"])

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
        options = ("effect", "substitute", "priority", "every", "day", "at")
        self.order_fields(["name", "ruleset", "design", *self.CHAIRS, "deals", *options])

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
        data["plan"] = TournamentPlan(
            bots=tuple(data[chair] for chair in self.CHAIRS if data.get(chair)),
            substitute=data["substitute"] or "lowest",
            **{key: data[key] for key in ("design", "deals", "effect", "priority")},
        )
        return data

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return what the form shows for a schedule of tournaments."""
        plan = asdict(TournamentPlan.from_json(schedule.plan))
        chairs = dict.fromkeys(cls.CHAIRS, "") | dict(zip(cls.CHAIRS, plan["bots"], strict=False))
        return chairs | super().initial_of(schedule) | plan | {"effect": plan["effect"] or ""}
