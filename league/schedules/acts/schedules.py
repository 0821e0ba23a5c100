"""Recipes of nights and schedules; `tick` creates the events that are due."""

import datetime
import logging
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from league.arena.acts import bots, leagues
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain.settings import settings_of
from league.models import BotLeague, Event, Occurrence, Schedule, Season, SignUp
from league.models.days import day_of, day_of_start
from league.nights.acts import bins, events
from league.nights.domain.night_plans import NightPlan
from league.schedules.domain.recurrence import Recurrence, ScheduledTime
from league.schedules.domain.repeated import Ahead, Nights, TournamentPlan, Tournaments
from league.schedules.facts import last_days
from league.schedules.signals import schedule_failed
from league.seasons.acts import seasons
from league.seasons.domain.scoring import FieldError
from league.turnout.acts import sign_ups
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.refusals import Refusal

log = logging.getLogger(__name__)

MOMENT = datetime.timedelta(microseconds=1)


@transaction.atomic
def create_schedule(*, season: Season, by: User, repeated: Nights | Tournaments) -> Schedule:
    """Create a schedule of nights or of tournaments; a tournament without bots is a league's."""
    schedule = Schedule(season=season, by=by)
    if isinstance(repeated, Nights):
        schedule.kind = Event.Kind.NIGHT
    _set(schedule, repeated)
    _log("schedule.created", schedule, by)
    return schedule


@transaction.atomic
def change_schedule(
    *,
    schedule: Schedule,
    by: User,
    repeated: Nights | Tournaments,
    season: Season | None = None,
) -> None:
    """Change what is made from now on, in another season if one is given.

    A day that had its event gets no second one.
    """
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    schedule.changes += 1
    schedule.season = season or schedule.season
    _set(schedule, repeated)
    _log("schedule.changed", schedule, by)


@transaction.atomic
def start_night(
    *,
    season: Season,
    by: User,
    night: Nights,
    date: datetime.date,
    starts_at: datetime.time | None = None,
    recipe: Schedule | None = None,
    keeps: bool = False,
) -> Event:
    """Create a night; `keeps` changes its recipe, or makes one of it where it has none."""
    event = events.create_event(
        season=season,
        by=by,
        name=night.name,
        date=date,
        starts_at=starts_at,
        venue=night.venue,
        plan=night.plan,
        ruleset=None if night.ruleset is None else rulesets.freeze(night.ruleset),
    )
    begins = datetime.datetime.combine(date, starts_at or datetime.time.max)
    _open_list(event, by, night.ahead, begins.replace(tzinfo=ZoneInfo(season.club.time_zone)))
    if recipe is None and keeps:
        recipe = create_schedule(season=season, by=by, repeated=night)
    elif recipe is not None and keeps:
        change_schedule(schedule=recipe, by=by, repeated=night, season=season)
    if recipe is not None:
        _count(recipe, event)
    return event


def _count(recipe: Schedule, event: Event) -> None:
    """Count a night made by hand as the recipe's of its day."""
    recipe = Schedule.objects.select_for_update().get(pk=recipe.pk)
    recipe.occurrences.filter(day=event.date, event=None).delete()
    recipe.occurrences.get_or_create(day=event.date, defaults={"event": event})
    if recipe.name == event.name:
        recipe.name = events.next_name(event.name)
    recipe.next_at = _next_from_now(recipe)
    recipe.save(update_fields=["name", "next_at"])


@transaction.atomic
def pause_schedule(*, schedule: Schedule, by: User, paused: bool) -> None:
    """Pause a schedule, or resume it with its next time; missed times are skipped. Idempotent."""
    schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
    if schedule.paused == paused:
        return
    schedule.paused, schedule.changes = paused, schedule.changes + 1
    schedule.next_at = _next_from_now(schedule)
    schedule.save()
    _log("schedule.paused" if paused else "schedule.resumed", schedule, by)


@transaction.atomic
def begin_next_season(*, season: Season, by: User) -> Season:
    """Move the schedules of nights to the season after this one's last day, and return that.

    It is created if there is none. Nights that are planned stay. Refusal for a season without a
    last day.
    """
    season = locks.season(season.pk)
    if season.ends_on is None:
        raise Refusal(_("This season has no last day, so its schedules do not stop."))
    later = season.club.seasons.filter(
        starts_on__gt=season.ends_on, status=Season.Status.OPEN, ranks_bots=season.ranks_bots
    ).order_by("starts_on", "pk")
    following = later.first() or seasons.follow_season(season=season, by=by)
    for schedule in season.schedules.select_for_update().filter(kind=Event.Kind.NIGHT):
        if season.unit != following.unit:  # 5 $ are not 5 cents: as a form, it asks anew.
            schedule.plan["stake"] = 0
        schedule.season, schedule.changes = following, schedule.changes + 1
        schedule.next_at = _next_from_now(schedule)
        schedule.save()
        _log("schedule.changed", schedule, by)
    return following


def plan_again(schedule: Schedule, rule: Recurrence) -> None:
    """Give a locked schedule another rule, which calendars have to show."""
    schedule.rule, schedule.changes = rule.to_json(), schedule.changes + 1
    schedule.next_at = _next_from_now(schedule)
    schedule.save(update_fields=["rule", "changes", "next_at", "changed_at"])


@transaction.atomic
def try_again(*, season: Season) -> None:
    """Let the season's schedules create what they could not while it was closed."""
    for schedule in season.schedules.select_for_update(of=("self",)).order_by("pk"):
        set_columns(schedule, next_at=_next_from_now(schedule))


@transaction.atomic
def delete_schedule(*, schedule: Schedule, by: User) -> None:
    """End a schedule; the events that it created stay."""
    _log("schedule.deleted", schedule, by)
    schedule.delete()


def check_plan(kind: str, plan: dict[str, Any]) -> None:
    """Raise TypeError or ValueError for a plan that no form of this kind can show."""
    (night_plan if kind == Event.Kind.NIGHT else TournamentPlan.from_json)(plan)


def night_plan(stored: dict[str, Any]) -> NightPlan:
    """Return a schedule's plan of nights; without its format if that does not go with the rest.

    Earlier releases stored plans that no night can be made from.
    """
    try:
        return NightPlan.from_json(stored)
    except FieldError:
        return NightPlan.from_json(stored | {"format": {}})


def tick(now: datetime.datetime | None = None) -> int:
    """Create the events that are due; return the number of schedule times handled.

    Each time of a schedule is handled once, however many ticks run at once or however late: one
    transaction locks the row, creates the event and sets the next time. After an outage each tick
    catches up by one time; a night whose day is over is only recorded.
    """
    now = now or timezone.now()
    due = Schedule.objects.filter(next_at__lte=now).order_by("next_at")
    return sum(_begin(pk, now) for pk in list(due.values_list("pk", flat=True)[:100]))


@transaction.atomic
def _begin(pk: int, now: datetime.datetime) -> bool:
    schedule = (
        Schedule.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("season__club", "ruleset", "by")
        .filter(pk=pk, next_at__lte=now)
        .first()
    )
    if schedule is None:
        return False
    assert schedule.next_at is not None
    begins = schedule.next_at + _ahead(schedule)
    time = last_days.rule_of(schedule).next(begins - MOMENT)
    over = time is None or last_days.is_over(schedule, time.day)
    if time is not None and not over and not schedule.occurrences.filter(day=time.day).exists():
        _hold(schedule, time, now)
    schedule.next_at = _next(schedule, begins)
    schedule.save(update_fields=["name", "next_at"])
    return True


def _hold(schedule: Schedule, time: ScheduledTime, now: datetime.datetime) -> None:
    try:
        # English messages are their own templates, so each reader's catalogue can translate them.
        with translation.override("en"), transaction.atomic():
            if schedule.kind == Event.Kind.NIGHT:
                event = _night(schedule, time, now)
            else:
                event = _tournament(schedule, time)
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded):
        raise  # The database or the time ran out: the event is still due.
    except Exception as error:
        template, params = _why_not(schedule, error)
        occurrence = Occurrence.objects.create(
            schedule=schedule, day=time.day, problem=template, problem_params=params
        )
        schedule_failed.send(Occurrence, occurrence=occurrence)
    else:
        Occurrence.objects.create(schedule=schedule, day=time.day, event=event)


def _why_not(schedule: Schedule, error: Exception) -> tuple[str, dict[str, Any]]:
    """Return the message, with its parameters, for a time that got no event."""
    if isinstance(error, ValidationError):
        return texts.template_of(error)
    log.error("What schedule %s repeats cannot be made", schedule.pk, exc_info=error)
    return gettext_noop(
        "The scheduled night could not be created. Change the schedule, or end it."
    ), {}


def _tournament(schedule: Schedule, time: ScheduledTime) -> Event:
    assert schedule.ruleset is not None
    ruleset, plan = rulesets.thaw(schedule.ruleset), TournamentPlan.from_json(schedule.plan)
    league = BotLeague.objects.filter(schedule=schedule).select_related("season__club").first()
    if league is not None:
        return leagues.play_matchday(
            league=league,
            by=schedule.by,
            day=time.day,
            ruleset=ruleset,
            deals=plan.deals,
        )
    return bots.create_bot_event(
        season=schedule.season,
        by=schedule.by,
        name=events.dated(schedule.name, time.day),
        date=time.day,
        ruleset=ruleset,
        **asdict(plan),
    )


def _night(schedule: Schedule, time: ScheduledTime, now: datetime.datetime) -> Event:
    """Return the night of that time: a new one, or one already created by hand."""
    rule = Recurrence.from_json(schedule.rule)
    day = day_of_start(time.day, rule.at)
    if day < day_of(now, rule.zone):
        raise Refusal(_("The server was down until the day was over, so this night was skipped."))
    before, following = schedule.name, events.next_name(schedule.name)
    name = before if following != before else events.dated(before, time.day)
    season = _season_of(schedule, day)
    other_unit = {} if season.unit == schedule.season.unit else {"stake": 0}
    nights = season.events.filter(kind=Event.Kind.NIGHT, date=time.day, occurrence=None)
    night = nights.filter(name__in={name, before}).first() or events.create_event(
        season=season,
        by=None,
        name=name,
        date=time.day,
        starts_at=rule.at,
        venue=schedule.venue,
        plan=events.read_plan(schedule.plan | other_unit),
        ruleset=schedule.ruleset,
    )
    _open_list(night, None, schedule, time.moment)
    schedule.name = following
    return night


def _season_of(schedule: Schedule, day: datetime.date) -> Season:
    """Return the schedule's season; until it begins the one before, to its last day."""
    season = schedule.season
    before = season.club.seasons.filter(
        starts_on__lte=day,
        ends_on__gte=day,
        status=Season.Status.OPEN,
        ranks_bots=season.ranks_bots,
    )
    return (day < season.starts_on and before.order_by("-starts_on", "-pk").first()) or season


def _open_list(
    night: Event, by: User | None, ahead: Ahead | Schedule, begins: datetime.datetime
) -> None:
    """Open the sign-up list of a night that is to have one, unless it is called off or closed."""
    if ahead.opens_sign_up and night.is_open and not SignUp.objects.filter(event=night).exists():
        hours = ahead.sign_up_hours
        closes_at = None if hours is None else begins - datetime.timedelta(hours=hours)
        sign_ups.open_list(event=night, by=by, places=ahead.sign_up_places, closes_at=closes_at)


def _set(schedule: Schedule, repeated: Nights | Tournaments) -> None:
    schedule.name = texts.new_title(repeated.name, [schedule.name])
    schedule.plan, schedule.rule = (
        repeated.plan.to_json(),
        repeated.rule and repeated.rule.to_json(),
    )
    schedule.ruleset = None if repeated.ruleset is None else rulesets.freeze(repeated.ruleset)
    if isinstance(repeated, Nights):
        schedule.venue = texts.new_venue(repeated.venue, [schedule.venue])
        for name in settings_of(Ahead):
            setattr(schedule, name, getattr(repeated.ahead, name))
    else:
        plan, club = repeated.plan, schedule.season.club
        if plan.bots:
            bots.check_bots(repeated.ruleset, plan.bots, plan.design, club)
    schedule.next_at = _next_from_now(schedule)
    schedule.save()


def _next_from_now(schedule: Schedule) -> datetime.datetime | None:
    """Return when to create the schedule's next event; None while it is paused.

    A day from today on that got no event is tried again, unless its night was deleted.
    """
    if schedule.paused or schedule.rule is None:
        return None
    after = timezone.now()
    if schedule.pk:
        failed = schedule.occurrences.filter(event=None, day__gte=schedule.season.club.today)
        failed = failed.exclude(problem=bins.DELETED)
        if (last := failed.last()) is not None:  # The latest day comes first.
            zone = ZoneInfo(schedule.rule["zone"])
            begins = datetime.datetime.combine(last.day, datetime.time.min, zone)
            after = min(after, begins - MOMENT)
            failed.delete()
    return _next(schedule, after)


def _next(schedule: Schedule, after: datetime.datetime) -> datetime.datetime | None:
    """Return when to create the event of the first unhandled time after `after`, if ever."""
    if schedule.rule is None:
        return None
    held = set(schedule.occurrences.values_list("day", flat=True)) if schedule.pk else set()
    times = last_days.rule_of(schedule).after(after)
    time = next((time for time in times if time.day not in held), None)
    if time is None or last_days.is_over(schedule, time.day):
        return None
    return time.moment - _ahead(schedule)


def _ahead(schedule: Schedule) -> datetime.timedelta:
    return datetime.timedelta(days=schedule.days_ahead)


def _log(action: str, schedule: Schedule, by: User) -> None:
    audit.log(action, club=schedule.season.club, by=by, schedule=schedule.pk, name=schedule.name)
