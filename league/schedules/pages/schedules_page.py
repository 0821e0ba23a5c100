"""A club's recipes of nights and a season's schedules, and what a new night may be like."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext as _

from league.base import texts
from league.base.page_parts import Badge, Button
from league.base.pages.address import of_season
from league.models import Club, Entrant, Event, Occurrence, Player, Schedule, Season
from league.nights.pages import plan_words
from league.schedules.acts.schedules import night_plan
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import PRESETS
from league.schedules.facts import last_days
from league.seating.sizes import table_sizes

SHOWN, LAST = 5, 8


@dataclass(frozen=True)
class Held:
    """A past time: the event created, or a message why there is none."""

    day: date
    event: Event | None
    problem: str


@dataclass(frozen=True)
class RecipeCard:
    """What a new night may be like; `is_here` marks what the page shows."""

    name: str
    words: str
    address: str
    is_here: bool


@dataclass(frozen=True)
class UsualTurnout:
    """Who came to most of the last nights, the most faithful first."""

    people: list[Player]
    nights: int

    @property
    def words(self) -> str:
        """How many tables they make."""
        sizes = table_sizes(len(self.people))
        text = _("Usually %(n)s people: %(tables)s.")
        return text % {"n": len(self.people), "tables": plan_words.tables(sizes)} if sizes else ""


@dataclass(frozen=True)
class ScheduleView:
    """A recipe or schedule with its rule, next time, words of what is played, and its last times.

    `next_time` is when the event begins; a night is created earlier, at `schedule.next_at`.
    """

    schedule: Schedule
    rule: Recurrence | None
    next_time: datetime | None
    words: str
    held: list[Held]

    @property
    def badge(self) -> Badge | None:
        """Why the schedule creates no more events; None if it does, or never did."""
        if self.rule is None:
            return None
        if self.schedule.paused:
            return Badge(_("paused"), "done")
        if self.next_time:
            return None
        over = last_days.goes_on(self.schedule)
        return Badge(_("stops with the season") if over else _("no further dates"), "done")

    @property
    def is_due(self) -> bool:
        """Whether the next night is created with the next look at the schedules."""
        at = self.schedule.next_at
        return at is not None and at <= timezone.now()

    @property
    def every(self) -> str:
        """How often the event repeats, in words; empty for a recipe without a rhythm."""
        if self.rule is None:
            return ""
        words = {
            ("once", 1): _("once"),
            ("week", 1): _("every week"),
            ("week", 2): _("every two weeks"),
            ("month", 1): _("every month"),
            ("day", 1): _("every day"),
            ("week", 0): _("every %(n)s weeks"),
            ("month", 0): _("every %(n)s months"),
            ("day", 0): _("every %(n)s days"),
        }
        every, n = self.rule.every, 1 if self.rule.every == "once" else self.rule.interval
        return (words.get((every, n)) or words[every, 0]) % {"n": n}

    @property
    def buttons(self) -> list[Button]:
        """The buttons to pause or resume, and to change the schedule."""
        season, key = self.schedule.season, self.schedule.pk
        change = of_season(season, "schedule_change", key)
        edit = of_season(season, "schedule_edit", key)
        buttons = [Button(_("Change"), edit, about=self.schedule.name)]
        button = partial(Button, address=change, posts=True, name="change")
        if self.schedule.paused:
            return [button(_("Resume"), value="resume"), *buttons]
        if self.schedule.next_at:
            return [button(_("Pause"), value="pause"), *buttons]
        return buttons


def usual(club: Club) -> UsualTurnout:
    """Return who usually comes: to more than half of the last nights."""
    nights = Event.objects.filter(
        season__club=club, kind=Event.Kind.NIGHT, status=Event.Status.CLOSED, called_off_at=None
    )
    last = list(nights.order_by("-date", "-pk").values_list("pk", flat=True)[:LAST])
    here = [Entrant.Presence.HERE, Entrant.Presence.LEFT]
    came = Count("entries", filter=Q(entries__event__in=last, entries__presence__in=here))
    people = club.players.people().annotate(came=came).filter(came__gt=len(last) // 2)
    return UsualTurnout(list(people.order_by("-came", "sort_key")), len(last))


def recipes(club: Club) -> QuerySet[Schedule]:
    """Return the club's recipes of nights, the oldest first."""
    return (
        Schedule.objects.filter(kind=Event.Kind.NIGHT, season__club=club)
        .select_related("season__club")
        .order_by("pk")
    )


def cards(
    club: Club, last: Event | None, here: str, kept: Mapping[str, object]
) -> list[RecipeCard]:
    """Return what a new night may be like; the query of the one that is shown is `here`.

    `kept` are values of the form that stay with each of them.
    """

    def card(query: str, name: str, words: str) -> RecipeCard:
        address = "&".join(filter(None, (query, urlencode(kept))))
        return RecipeCard(name, words, f"?{address}", query == here)

    of_plan = plan_words.of_plan
    found = [card("", _("Like last time"), of_plan(last.plan, last.season.unit))] if last else []
    found += [
        card(f"recipe={one.pk}", one.name, of_plan(night_plan(one.plan), one.season.unit))
        for one in recipes(club)
    ]
    known = {one.name for one in found}
    presets = [
        card(f"like={key}", _(name), _(words)) for key, (name, words, _plan) in PRESETS.items()
    ]
    return found + [preset for preset in presets if preset.name not in known]


def schedules_of(season: Season) -> list[ScheduleView]:
    """Return the club's recipes and the season's schedules of bots, the oldest first."""
    found = Schedule.objects.filter(Q(season=season) | Q(pk__in=recipes(season.club).values("pk")))
    held: dict[int, list[Held]] = {}
    latest = Window(RowNumber(), partition_by="schedule", order_by="-day")
    times = Occurrence.objects.filter(schedule__in=found.values("pk")).annotate(number=latest)
    for time in times.filter(number__lte=SHOWN).select_related("event").order_by("-day"):
        problem = texts.stored(time.problem, time.problem_params)
        held.setdefault(time.schedule_id, []).append(Held(time.day, time.event, problem))
    return [
        ScheduleView(
            schedule,
            Recurrence.from_json(schedule.rule) if schedule.rule is not None else None,
            schedule.next_at and schedule.next_at + timedelta(days=schedule.days_ahead),
            _words(schedule),
            held.get(schedule.pk, []),
        )
        for schedule in found.select_related("ruleset", "season__club").order_by("pk")
    ]


def _words(schedule: Schedule) -> str:
    rules = [] if schedule.ruleset is None else [str(schedule.ruleset.body["name"])]
    if schedule.kind == Event.Kind.NIGHT:
        plan = plan_words.of_plan(night_plan(schedule.plan), schedule.season.unit)
        return " · ".join([*rules, plan])
    bots = ", ".join(schedule.plan.get("bots", [])) or _("bots in divisions")
    deals = _("%(deals)s deals") % {"deals": schedule.plan["deals"]}
    return " · ".join([*rules, bots, deals])
