"""Creating a night, and the same night again."""

import datetime
import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS
from league.base import texts
from league.base.acts import audit, links, locks
from league.models import Entrant, Event, LivePlan, Season
from league.nights.domain.counters import COUNTER
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import COLUMNS, NightPlan
from league.seasons.domain.scoring import FieldError, Scoring
from tables.models import FrozenRuleset
from tables.refusals import Refusal

DAY, DAY_OF_YEAR = "j/n", "j/n/Y"


@transaction.atomic
def create_event(
    *,
    season: Season,
    by: User | None,
    name: str,
    date: datetime.date,
    starts_at: datetime.time | None = None,
    venue: str = "",
    kind: str = Event.Kind.NIGHT,
    plan: NightPlan | None = None,
    ruleset: FrozenRuleset | None = None,
) -> Event:
    """Create an event that freezes the season's points and tie-breaks as they are now.

    It is played by `ruleset`, by default the season's. `by` is None where a schedule made it.
    """
    known = season.events.values_list("name", flat=True) if by is not None else [name]
    name, plan = texts.new_title(name, known), plan or NightPlan()
    season = locks.season(season.pk)
    if season.status != Season.Status.OPEN:
        raise Refusal(_("This season is closed. Reopen it or choose another."))
    check_bot(plan.format)
    event = Event(
        season=season,
        kind=kind,
        name=name,
        date=date,
        starts_at=starts_at,
        venue=texts.new_venue(venue),
        ruleset=ruleset or season.ruleset,
        scoring=scoring_of(plan, Scoring.from_json(season.scoring)).to_json(),
        tie_breaks=season.tie_breaks,
        format=plan.format.to_json(),
        **{name: getattr(plan, name) for name in COLUMNS},
    )
    event.full_clean()
    event.save()
    if kind == Event.Kind.NIGHT:
        regulars = season.club.players.people()
        Entrant.objects.bulk_create([Entrant(event=event, player=player) for player in regulars])
        links.make_for_night(event=event, by=by)
    audit.log("event.created", club=season.club, by=by, event=event, name=name)
    return event


@transaction.atomic
def repeat_event(*, event: Event, by: User, days: int = 7) -> Event:
    """Create the same night again some days later, under the season's rules as they are then.

    Its name counts on (`next_name`). Refusal: `repeated` when it is there already.
    """
    locks.season(event.season_id)  # Of two at once the second finds the night of the first.
    date = event.date + datetime.timedelta(days=days)
    name = next_name(event.name, date, event.date)
    twin = Event.objects.filter(season=event.season, kind=event.kind, name=name, date=date).first()
    if twin is not None:
        raise Refusal(
            _("There is already a night called %(name)s on that day."),
            code="repeated",
            params={"name": name},
        )
    made = create_event(
        season=event.season,
        by=by,
        name=name,
        date=date,
        starts_at=event.starts_at,
        venue=event.venue,
        plan=event.plan,
        ruleset=event.ruleset,
    )
    for plan in LivePlan.objects.filter(event=event):
        plan.pk, plan.event = None, made
        plan.save()
    return made


def read_plan(values: Mapping[str, Any]) -> NightPlan:
    """Return the plan that has these values; Refusal on the field that is wrong."""
    try:
        return NightPlan.from_json(values)
    except FieldError as error:
        raise texts.refused(error, field=error.field) from error


def scoring_of(plan: NightPlan, rules: Scoring) -> Scoring:
    """Return how the plan's night counts under a season's rules; Refusal on what is wrong."""
    try:
        return plan.scoring(rules)
    except FieldError as error:
        raise texts.refused(error, field=error.field) from error


def check_bot(format: NightFormat) -> None:
    """Refuse a bot that is not there any more, or never was."""
    if format.bot and format.bot not in BOTS:
        raise Refusal(_("There is no such bot. Choose one from the list."), field="bot")


def default_name(season: Season | None, day: datetime.date) -> str:
    """Return the name of a night that nobody has named: its number in the season, and its day."""
    number = season.events.count() + 1 if season is not None else 1
    return _("Night %(number)s, %(day)s") % {"number": number, "day": date_format(day, DAY)}


def next_name(
    name: str, day: datetime.date | None = None, before: datetime.date | None = None
) -> str:
    """Return the name with the number at its end one higher: "Night 3" gives "Night 4".

    In the place of a day after the number stands `day`, or nothing. `day` also follows the day
    `before`: "Night 28/11", "Night 28/11/2026". A year is no number of a night.
    """
    if found := COUNTER.search(name):
        after = f", {date_format(day, DAY)}" if found[2] and day is not None else ""
        return f"{name[: found.start()]}{int(found[1]) + 1}{after}"
    if day is None or before is None:
        return name
    last = rf"(?<![0-9/.-]){date_format(before, DAY)}(/{before.year})?$"
    return re.sub(last, lambda found: date_format(day, DAY_OF_YEAR if found[1] else DAY), name)


def dated(name: str, day: datetime.date, ending: str = "") -> str:
    """Return the name, cut to fit, with the ending and the day: "Night 28/11/2026"."""
    behind = f"{ending} {date_format(day, DAY_OF_YEAR)}"
    return name[: 80 - len(behind)] + behind
