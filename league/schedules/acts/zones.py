"""Move what a club has planned to another time zone, at the same hours there."""

import datetime
from dataclasses import replace
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from league.base.acts import locks
from league.base.facts.next_nights import nights_that_move
from league.models import Club, Event, Schedule, SignUp
from league.nights.acts.night_settings import reschedule
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.turnout.acts import sign_ups


@transaction.atomic
def move(*, club: Club, zone: str, by: User) -> None:
    """Move the plans and the nights that have not begun; all others stay where they were played.

    Called before the club is locked.
    """
    for season in club.seasons.order_by("pk"):
        locks.season(season.pk)
    club = Club.everything.get(pk=club.pk)
    was = club.time_zone
    if was == zone:
        return
    moved = list(nights_that_move(club).order_by("pk").values_list("pk", flat=True))
    for key in moved:
        event = locks.event_to_change(key)
        _move_list(event, was, zone, by)
        reschedule(event)
    played = Event.objects.filter(season__club=club, time_zone="").exclude(pk__in=moved)
    played.update(time_zone=was)
    plans = Schedule.objects.filter(season__club=club, rule__isnull=False)
    for schedule in plans.select_for_update(of=("self",)).order_by("pk"):
        schedules.plan_again(schedule, replace(Recurrence.from_json(schedule.rule), zone=zone))


def _move_list(event: Event, was: str, zone: str, by: User) -> None:
    """Close the night's sign-up list at the same local time in the new zone, unless never."""
    found = SignUp.objects.filter(event=event, closes_at__year__lt=9999).first()
    if found is None or found.closes_at is None:
        return
    local = timezone.make_naive(found.closes_at, ZoneInfo(was))
    closes_at = local.replace(tzinfo=ZoneInfo(zone)).astimezone(datetime.UTC)
    sign_ups.open_list(event=event, by=by, places=found.places, closes_at=closes_at)
