"""Nights as calendars read them (RFC 5545).

An entry keeps its UID for ever; SEQUENCE and DTSTAMP rise when day, hour or name change or the
night is called off, so that calendar programs replace what they have.
"""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import rights
from league.models import CalendarFeed, Club, Event, Player, Season, SignUpAnswer

LASTS = datetime.timedelta(hours=3)
KEPT = datetime.timedelta(days=90)
MOST = 400


def nights_of(club: Club, season: Season | None = None) -> list[Event]:
    """Return a club's or a season's nights of the last months and those to come."""
    found = Event.objects.filter(season__club=club)
    return _recent(found if season is None else found.filter(season=season))


def nights_of_feed(feed: CalendarFeed) -> tuple[str, list[Event], dict[int, str]] | None:
    """Return a feed's name, its nights and what its owner said to them; None: may see no more."""
    if not feed.user.is_active:
        return None
    if feed.club is None:
        nights, said = my_nights(feed.user)
        return _("My nights"), nights, said
    if rights.highest(feed.user, feed.club) is None:
        return None
    name = f"{feed.club} · {feed.season}" if feed.season else feed.club.name
    return name, nights_of(feed.club, feed.season), {}


def my_nights(user: User) -> tuple[list[Event], dict[int, str]]:
    """Return the nights of the clubs where this account plays but those it said no to."""
    players = Player.objects.filter(user=user, merged_into=None)
    answers = SignUpAnswer.objects.filter(player__in=players)
    said = dict(answers.values_list("sign_up__event_id", "reply"))
    clubs = Club.objects.filter(closed_at=None).filter(
        Q(pk__in=players.values("club")) & (Q(is_public=True) | Q(memberships__user=user))
    )
    nights = Event.objects.filter(season__club__in=clubs.values("pk"))
    nights = nights.exclude(pk__in=[key for key, reply in said.items() if reply == "no"])
    return _recent(nights), said


def _recent(found: QuerySet[Event]) -> list[Event]:
    since = timezone.now().date() - KEPT
    nights = found.filter(kind=Event.Kind.NIGHT, date__gte=since)
    return list(nights.select_related("season__club").order_by("date", "pk")[:MOST])


def ics(
    name: str,
    nights: Iterable[Event],
    addresses: dict[int, str],
    said: dict[int, str] | None = None,
) -> bytes:
    """Return these nights as a calendar; `addresses` lead to their pages.

    With `said`, what the reader answered, a night without a yes is tentative.
    """
    import icalendar  # A tenth of a second that only readers of calendars need.

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Tien Len League//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", datetime.timedelta(hours=6), {"value": "DURATION"})
    for night in nights:
        entry = icalendar.Event()
        for key, value in _entry(night, addresses.get(night.pk, ""), said).items():
            entry.add(key, value)
        calendar.add_component(entry)
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _entry(night: Event, address: str, said: dict[int, str] | None) -> dict[str, Any]:
    club = night.season.club
    changed = night.planned_at or night.created_at
    status = "CONFIRMED"
    if night.called_off_at:
        status = "CANCELLED"
    elif said is not None and night.is_open and said.get(night.pk) != SignUpAnswer.Reply.YES:
        status = "TENTATIVE"
    entry: dict[str, Any] = {
        "uid": uid(night),
        "sequence": night.sequence,
        "dtstamp": changed.astimezone(datetime.UTC),
        "last-modified": changed.astimezone(datetime.UTC),
        "summary": f"{club.name}: {night.name}",
        "status": status,
    }
    if night.starts_at is None:
        entry["dtstart"] = night.date
        entry["dtend"] = night.date + datetime.timedelta(days=1)
        entry["transp"] = "TRANSPARENT"
    else:
        zone = zoneinfo.ZoneInfo(club.time_zone)
        begins = datetime.datetime.combine(night.date, night.starts_at, tzinfo=zone)
        entry["dtstart"] = begins
        entry["dtend"] = (begins.astimezone(datetime.UTC) + LASTS).astimezone(zone)
    if address:
        entry["url"] = address
    return entry


def uid(night: Event) -> str:
    """Return the name by which calendars know the night, never that of another server's."""
    digest = salted_hmac("league.calendar.uid", str(night.pk), algorithm="sha256").hexdigest()
    return f"night-{night.pk}-{digest[:16]}@tien-len"
