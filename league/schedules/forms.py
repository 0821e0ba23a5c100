"""What organisers type about nights, recipes of nights, and tournaments of bots."""

import dataclasses
from dataclasses import asdict, replace
from datetime import date, time, timedelta
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.bots import BOTS, LADDER
from engine.rules.ruleset import Ruleset
from engine.sim.designs import MOST_BOTS
from league.arena.facts.own_bots import lookers, pool_of
from league.base.domain.settings import settings_of
from league.base.forms import DayInput, HourInput, SeenForm, setting_field
from league.clubs.facts import club_rules
from league.clubs.forms.rules_choice import offer_rules, ruleset_choices
from league.models import Club, Event, Schedule, Season
from league.nights.acts import events
from league.nights.domain.night_plans import NightPlan
from league.nights.forms.events import NightForm
from league.nights.forms.plans import PlanForm, Topic
from league.nights.forms.qualifiers import BestOfForm
from league.schedules.acts.schedules import night_plan
from league.schedules.domain.recurrence import LAST_OF_MONTH, Recurrence
from league.schedules.domain.repeated import Ahead, Nights, TournamentPlan, Tournaments
from league.seasons.domain.scoring import FieldError
from tables.base import rulesets
from tables.bots.facts import member_bots

WEEK = timedelta(weeks=1)
_NEAREST = {"once": "", "day": "week"}
"""What the form of a recipe shows of a rhythm that it does not offer."""
USUAL_RULES = "mien-nam"


class RepeatForm(forms.Form):
    """When something repeats, by the club's clock; `DAY` is the field of its first day."""

    DAY = "day"
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
                text = _("The last day is before the first. Swap them.")
                self.add_error("until" if "until" in self.fields else self.DAY, text)
            else:
                self.add_error(self.DAY, _("Choose a day from 2000 to 2199."))
            return None
        if rule.next(timezone.now()) is None:
            self.add_error(
                "until" if until and "until" in self.fields else self.DAY,
                _("That time has passed. Choose a later one."),
            )
        return rule


@dataclasses.dataclass(frozen=True)
class NightModel:
    """What a form of a night starts with; `query` names it in the address."""

    plan: NightPlan
    initial: dict[str, Any]
    query: str = ""
    recipe: Schedule | None = None


class RecipeForm(RepeatForm, NightForm):
    """A recipe of nights and its rhythm, if it has one: `repeated` of the cleaned data.

    `season` is where it is played, None before a club's first season.
    """

    DAY = "date"
    EVERY = {
        "": _("does not repeat"),
        "week": _("every week"),
        "two_weeks": _("every two weeks"),
        "month": _("every month, for example on the first Friday"),
    }
    AHEAD = settings_of(Ahead)
    TOPICS = NightForm.TOPICS | {
        "every": (_("When?"), ("every", "date", "starts_at", "until", "days_ahead")),
        "people": (_("Who is asked?"), ("opens_sign_up", "sign_up_places", "sign_up_hours")),
    }
    SENTENCE = _(
        "%(every)s at %(venue)s, playing %(rules)s: %(rounds)s, %(stake)s. Asked: %(people)s."
    )
    HEAD: tuple[str, ...] = ("name",)
    ROWS = PlanForm.ROWS

    every = forms.ChoiceField(label=_("Repeats"), choices=list(EVERY.items()), required=False)
    until = forms.DateField(
        label=_("Last day"),
        widget=DayInput(),
        required=False,
        help_text=_("Empty: no end date."),
    )

    def __init__(
        self, data: QueryDict | None, *, club: Club, season: Season | None, model: NightModel
    ) -> None:
        if season is not None:
            rules = club_rules.key_or_digest(season.ruleset)
        else:
            own = club_rules.own_choices(club)
            rules = own[0][0] if own else USUAL_RULES
        initial = asdict(Ahead()) | {"every": "", "ruleset": rules} | model.initial
        unit = season.unit if season is not None else club.unit
        plan = model.plan
        if model.recipe is not None and model.recipe.season.unit != unit:
            plan = replace(plan, stake=0)
        super().__init__(data, plan=plan, club=club, unit=unit, initial=initial)
        self.season, self.old_plan = season, replace(self.old_plan, gives=None)
        for name, row in self.AHEAD.items():
            self.fields[name] = setting_field(row)
        self.fields["days_ahead"].required = False

    def clean_days_ahead(self) -> int:
        days: int | None = self.cleaned_data["days_ahead"]
        return Ahead().days_ahead if days is None else days

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors:
            rules, rule = data["ruleset"], self._rule(data)
            if self.season is not None and rulesets.thaw(self.season.ruleset) == rules:
                rules = None
            ahead = Ahead(**{name: data[name] for name in self.AHEAD})
            data["repeated"] = Nights(data["name"], data["plan"], rule, ahead, rules, data["venue"])
        return data

    @property
    def repeated(self) -> Nights:
        """The recipe, of a valid form."""
        found: Nights = self.cleaned_data["repeated"]
        return found

    def say_every(self) -> str:
        every = self.value("every")
        if not every:
            return gettext("On no fixed day")
        often = str(self.EVERY.get(every, every)).partition(",")[0]
        return capfirst(f"{often}, {self.say_when()}")

    def say_people(self) -> str:
        text = gettext("the whole club (%(n)s)")
        if self.value("opens_sign_up"):
            text = gettext("the whole club by a link (%(n)s)")
        return text % {"n": self.club.players.people().count()}

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        """Return the rhythm, None without one; an error at the hour that it lacks."""
        day, at, every = data["date"], data["starts_at"], data["every"]
        if not every:
            return None
        if at is None:
            self.add_error("starts_at", _("Enter a time."))
            return None
        if every == "month":
            return self.read_rule(day, at, "month", until=data["until"], nth=_nth(day))
        weeks = 2 if every == "two_weeks" else 1
        return self.read_rule(day, at, "week", until=data["until"], interval=weeks)

    @classmethod
    def model_of(cls, schedule: Schedule) -> NightModel:
        """Return a recipe, with the rhythm if it has one."""
        initial = {name: getattr(schedule, name) for name in ("name", *cls.AHEAD)}
        if schedule.venue:  # Else a new night is offered the last one's.
            initial["venue"] = schedule.venue
        if schedule.ruleset is not None:
            initial["ruleset"] = club_rules.key_or_digest(schedule.ruleset)
        if schedule.rule is not None:
            rule = Recurrence.from_json(schedule.rule)
            initial |= {
                "every": "two_weeks"
                if rule.interval == 2
                else _NEAREST.get(rule.every, rule.every),
                "date": rule.start,
                "starts_at": rule.at,
                "until": rule.until,
            }
        return NightModel(night_plan(schedule.plan), initial, f"recipe={schedule.pk}", schedule)

    @classmethod
    def model_after(cls, event: Event) -> NightModel:
        """Return what is to follow a night every week."""
        following = {"name": events.next_name(event.name), "date": event.date + WEEK}
        following |= {"starts_at": event.starts_at or time(20), "every": "week"}
        following |= {"venue": event.venue}
        return NightModel(event.plan, following)


class OldRecipeForm(SeenForm, RecipeForm):
    """A recipe to change; a rhythm that was left as it is may be one that the form can't say."""

    def __init__(self, data: QueryDict | None, *, model: NightModel, **kwargs: Any) -> None:
        super().__init__(data, model=model, **kwargs)
        if self.is_bound:  # The fields depend on the rules.
            self.merge()
            super().__init__(cast(QueryDict, self.data), model=model, **kwargs)
        self.stored = model.recipe and model.recipe.rule

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        if not self.stored or not data["starts_at"] or {"every", "date"} & {*self.changed_data}:
            return super()._rule(data)
        rule = Recurrence.from_json(self.stored)
        more = {name: getattr(rule, name) for name in ("interval", "weekdays", "nth")}
        return self.read_rule(
            rule.start, data["starts_at"], rule.every, until=data["until"], **more
        )


class NewNightForm(RecipeForm):
    """A night to create, by a recipe or like the last one."""

    TOPICS = RecipeForm.TOPICS | {"every": (_("Repeats"), ("every", "until", "days_ahead"))}
    SENTENCE = _(
        "%(when)s at %(venue)s, playing %(rules)s: %(rounds)s, %(stake)s. Asked: %(people)s."
    )
    HEAD = ()
    ROWS = (*NightForm.ROWS, "every")

    keep = forms.BooleanField(label=_("Remember as a recipe"), required=False)

    def __init__(self, data: QueryDict | None, *, best: BestOfForm, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.best = best

    def topic(self, name: str) -> Topic:
        topic = super().topic(name)
        if name != "people" or not self.best.offered:
            return topic
        title = gettext("Only the best of other nights")
        said = gettext("yes") if self.best.chosen else gettext("no")
        return replace(topic, fold=Topic("best", title, said, list(self.best)))

    @property
    def keeps(self) -> bool:
        """Whether the recipe is to be kept: as said, or because it repeats otherwise."""
        return self.cleaned_data["keep"] or "every" in self.changed_data

    def say_every(self) -> str:
        return self.say("every")

    def say_people(self) -> str:
        nights = ", ".join(str(night.name) for night in self.best.chosen)
        if not nights:
            return super().say_people()
        return gettext("the best %(n)s of %(nights)s") % {"n": self.best.number, "nights": nights}


def _nth(day: date) -> int:
    """Which one of its weekday a day is in its month; a fifth counts as the last."""
    nth = (day.day - 1) // 7 + 1
    return nth if nth <= 4 else LAST_OF_MONTH


class TournamentForm(RepeatForm):
    """What is played by bots, and when: `plan` and `rule` of the cleaned data.

    The rule is None for now. Fields `FOLDED` lie under a title until one of them is wrong.
    """

    FOLDED: tuple[str, ...] = ()
    stored: Recurrence | None = None
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
        help_text=_(
            "All play the same deals from every seat: 100 deals are 400 games for four bots."
        ),
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

    @property
    def unfolds(self) -> bool:
        """Whether what is folded away has to be seen."""
        return any(name in self.FOLDED for name in self.errors)

    def clean_ruleset(self) -> Ruleset:
        """Return the rules that were chosen."""
        return club_rules.chosen(self.club, self.cleaned_data["ruleset"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for field in ("day", "at"):
            if data.get("every") and not data.get(field) and field not in self.errors:
                self.add_error(field, _("Enter a day and a time."))
        if not self.errors:
            data["plan"] = TournamentPlan(data["deals"])
            data["rule"] = self._rule(data) if data["every"] else None
        return data

    def _rule(self, data: dict[str, Any]) -> Recurrence | None:
        """Return the rhythm; of the stored one stays what the form does not show."""
        more: dict[str, Any] = {}
        if self.stored and "every" not in self.changed_data:
            more = {"interval": self.stored.interval, "until": self.stored.until}
            if "day" not in self.changed_data:
                more |= {"weekdays": self.stored.weekdays, "nth": self.stored.nth}
            elif self.stored.nth is not None:
                more["nth"] = _nth(data["day"])
        return self.read_rule(data["day"], data["at"], data["every"], **more)

    @property
    def repeated(self) -> Tournaments:
        """What the schedule repeats, of a valid form that has a rule."""
        data = self.cleaned_data
        return Tournaments(data["name"], data["plan"], data["rule"], data["ruleset"])

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        assert schedule.ruleset is not None
        rule = Recurrence.from_json(schedule.rule)
        return {
            "name": schedule.name,
            "ruleset": club_rules.key_or_digest(schedule.ruleset),
            "deals": schedule.plan["deals"],
            "every": rule.every,
            "day": rule.start,
            "at": rule.at,
        }


class LeagueForm(TournamentForm):
    """A league of bots: who goes up and down, and when it plays."""

    FOLDED = ("moves", "deals")
    FOLDED_TITLE = _("More")

    size = forms.TypedChoiceField(
        label=_("Bots per division"),
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
        self.fields["day"].required = self.fields["at"].required = True
        self.order_fields(["name", "ruleset", "size", "moves", "deals", "every", "day", "at"])

    @classmethod
    def initial_of(cls, schedule: Schedule) -> dict[str, Any]:
        """Return what the form shows for a league's schedule."""
        league = schedule.bot_league
        return super().initial_of(schedule) | {"size": league.size, "moves": league.moves}


class BotsForm(TournamentForm):
    """Who plays what and how, and when: `plan` and `rule` of the cleaned data."""

    CHAIRS = tuple(f"bot_{number}" for number in range(1, MOST_BOTS + 1))
    FOLDED = (
        *("name", "design", *CHAIRS[4:], "effect", "substitute", "priority"),
        *("every", "day", "at"),
    )
    FOLDED_TITLE = _("Name, time, more bots and options")

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
        # Of a schedule also the bots that are offered no more: a page would choose another one.
        planned = filter(None, map(self.initial.get, self.CHAIRS))
        bots = [(name, name) for name in dict.fromkeys((*BOTS, *members, *planned))]
        offered: list[Any] = [(_("House bots, the weakest first"), bots[: len(LADDER)])]
        if others := bots[len(LADDER) :]:
            offered.append((_("Other bots"), others))
        for number, chair in enumerate(self.CHAIRS):
            self.fields[chair] = forms.ChoiceField(
                label=_("Bot %(number)s") % {"number": number + 1},
                choices=[*offered, ("", _("nobody"))],
                initial=bots[number % len(bots)][0] if number < 4 else "",
                required=False,
            )
        if not now:
            self.fields["every"] = forms.ChoiceField(label=_("Start"), choices=self.LATER)
        options = ("effect", "substitute", "priority", "every", "day", "at")
        self.order_fields(["name", "ruleset", "design", *self.CHAIRS, "deals", *options])

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


class OldTournamentForm(SeenForm, TournamentForm):
    """A schedule of bots to change; `stored` may have a rhythm that the form can't say."""

    def __init__(self, *args: Any, stored: Recurrence, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored = stored
        every = cast(forms.ChoiceField, self.fields["every"])
        names = dict(self.LATER) | {"month": _("every month")}
        known = list(cast(Any, every.choices))
        every.choices = list((dict(known) | {stored.every: names[stored.every]}).items())


class OldLeagueForm(OldTournamentForm, LeagueForm):
    """A league to change."""


class OldBotsForm(OldTournamentForm, BotsForm):
    """A schedule of tournaments to change."""
