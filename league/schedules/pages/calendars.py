"""Nights as iCalendar files (RFC 5545).

An entry never changes its UID. SEQUENCE and DTSTAMP rise when the day, time or name changes or the
night is called off, so that calendar programs replace their copy.
"""

import datetime
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import rights
from league.base.lookup import seasons_to_see
from league.base.rights import Right
from league.models import CalendarFeed, Club, Event, Player, Schedule, Season, SignUpAnswer
from league.nights.domain.counters import without_counter
from league.schedules.facts.last_days import is_over, rule_of

LASTS, WHOLE_DAY = datetime.timedelta(hours=3), datetime.timedelta(days=1)
KEPT = datetime.timedelta(days=90)
MOST = 400


@dataclass(frozen=True)
class CalendarOf:
    """A calendar: nights, schedules with nights still to be created, and answers.

    `said` holds the reader's answers by night, if known; a night without a yes is then tentative.
    """

    name: str
    nights: list[Event]
    repeats: list[Schedule] = field(default_factory=list)
    said: dict[int, str] | None = None


@dataclass(frozen=True)
class CalendarEntry:
    """An entry of a calendar file, by the names of RFC 5545; what is empty is left out."""

    uid: str
    sequence: int
    dtstamp: datetime.datetime
    summary: str
    status: str
    dtstart: datetime.date
    duration: datetime.timedelta
    last_modified: datetime.datetime | None = None
    location: str = ""
    transp: str = ""
    url: str = ""
    rrule: Mapping[str, Any] | None = None
    exdate: list[datetime.datetime] = field(default_factory=list)


def of_club(club: Club, season: Season | None = None) -> CalendarOf:
    """Return the recent and coming nights of a club or season that its visitor may see."""
    seen = seasons_to_see(club).order_by().values("pk")
    nights = Event.objects.filter(season__in=seen)
    repeats = Schedule.objects.filter(season__in=seen)
    if season is None:
        return CalendarOf(club.name, _recent(nights), _repeating(repeats))
    return CalendarOf(
        f"{club} · {season}",
        _recent(nights.filter(season=season)),
        _repeating(repeats.filter(season=season)),
    )


def of_feed(feed: CalendarFeed) -> CalendarOf | None:
    """Return the calendar of a feed's owner; None if they may no longer see it."""
    if not feed.user.is_active:
        return None
    if feed.club is None:
        return my_nights(feed.user)
    right = rights.highest(feed.user, feed.club)
    if right is None:
        return None
    feed.club.shows_money = right >= Right.BELONG
    if feed.season and not seasons_to_see(feed.club).filter(pk=feed.season.pk).exists():
        return None
    return of_club(feed.club, feed.season)


def my_nights(user: User) -> CalendarOf:
    """Return the nights of the clubs where this account plays, without those it declined."""
    players = Player.objects.filter(user=user, merged_into=None)
    answers = SignUpAnswer.objects.filter(player__in=players)
    said = dict(answers.values_list("sign_up__event_id", "reply"))
    clubs = Club.objects.filter(closed_at=None).filter(
        Q(pk__in=players.values("club")) & (Q(is_public=True) | Q(memberships__user=user))
    )
    nights = Event.objects.filter(season__club__in=clubs.values("pk"))
    nights = nights.exclude(pk__in=[key for key, reply in said.items() if reply == "no"])
    repeats = Schedule.objects.filter(season__club__in=clubs.values("pk"))
    return CalendarOf(_("My nights"), _recent(nights), _repeating(repeats), said)


def _repeating(found: QuerySet[Schedule]) -> list[Schedule]:
    nights = found.filter(kind=Event.Kind.NIGHT, next_at__isnull=False)
    counted = nights.annotate(held=Count("occurrences"), held_at=Max("occurrences__at"))
    related = counted.select_related("season__club").prefetch_related("occurrences")
    return list(related.order_by("pk")[:MOST])


def _recent(found: QuerySet[Event]) -> list[Event]:
    nights = found.filter(kind=Event.Kind.NIGHT, date__gte=timezone.now().date() - KEPT)
    return list(nights.select_related("season__club").order_by("date", "pk")[:MOST])


def ics(asked: CalendarOf, addresses: dict[int, str]) -> bytes:
    """Return the calendar as an iCalendar file; `addresses` are its nights' pages by key."""
    import icalendar  # Takes 0.1 s to import, and only calendars need it.

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Tien Len League//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", _in_a_line(asked.name))
    calendar.add("refresh-interval", datetime.timedelta(hours=6), {"value": "DURATION"})
    entries = [_entry(each, addresses.get(each.pk, ""), asked.said) for each in asked.nights]
    entries += filter(None, (_repeated(each, asked.said) for each in asked.repeats))
    for entry in entries:
        component = icalendar.Event()
        for key, value in vars(entry).items():
            if value not in (None, "", []):
                line = _in_a_line(value) if isinstance(value, str) else value
                component.add(key.replace("_", "-"), line)
        calendar.add_component(component)
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _in_a_line(text: str) -> str:
    """Return the text in one line: a line break, which forms refuse, would end its property."""
    return " ".join(text.split())


def _entry(night: Event, address: str, said: dict[int, str] | None) -> CalendarEntry:
    club = night.season.club
    changed = (night.planned_at or night.created_at).astimezone(datetime.UTC)
    status = "CONFIRMED"
    if night.called_off_at:
        status = "CANCELLED"
    elif said is not None and night.is_open and said.get(night.pk) != SignUpAnswer.Reply.YES:
        status = "TENTATIVE"
    return CalendarEntry(
        uid=uid(night),
        sequence=night.sequence,
        dtstamp=changed,
        last_modified=changed,
        summary=f"{club.name}: {night.name}",
        status=status,
        dtstart=night.begins or night.date,
        duration=LASTS if night.begins else WHOLE_DAY,
        location=night.venue,
        transp="" if night.starts_at else "TRANSPARENT",
        url=address,
    )


def _repeated(schedule: Schedule, said: dict[int, str] | None) -> CalendarEntry | None:
    """Return the nights that a schedule is still to create as one repeating entry."""
    assert schedule.next_at is not None
    rule = rule_of(schedule)
    first = rule.next(schedule.next_at + datetime.timedelta(days=schedule.days_ahead, seconds=-1))
    if first is None or is_over(schedule, first.day):
        return None
    zone = zoneinfo.ZoneInfo(rule.zone)
    begins = first.moment.astimezone(zone)
    stamps = [schedule.created_at, schedule.changed_at, getattr(schedule, "held_at", None)]
    changed = max(filter(None, stamps)).astimezone(datetime.UTC)
    later = sorted(each.day for each in schedule.occurrences.all() if each.day > first.day)
    return CalendarEntry(
        uid=_uid("schedule", schedule.pk),
        sequence=schedule.changes + getattr(schedule, "held", 0),
        dtstamp=changed,
        last_modified=changed,
        summary=f"{schedule.season.club.name}: {without_counter(schedule.name)}",
        status="CONFIRMED" if said is None else "TENTATIVE",
        dtstart=begins,
        duration=LASTS,
        location=schedule.venue,
        rrule=rule.rrule() or None,
        exdate=[datetime.datetime.combine(day, rule.at, tzinfo=zone) for day in later],
    )


def uid(night: Event) -> str:
    """Return the night's calendar UID, which is unique across servers."""
    return _uid("night", night.pk)


def _uid(kind: str, key: int) -> str:
    salt = "league.calendar.uid" if kind == "night" else f"league.calendar.uid.{kind}"
    digest = salted_hmac(salt, str(key), algorithm="sha256").hexdigest()
    return f"{kind}-{key}-{digest[:16]}@tien-len"
