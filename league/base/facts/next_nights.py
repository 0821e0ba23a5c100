"""A club's next nights and their expected attendance, for pages of all packages."""

import datetime
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.db.models import Case, DateField, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.zones import reader_zone
from league.base.lookup import seasons_to_see
from league.models import Club, Entrant, Event, Round, SignUp, SignUpAnswer
from league.models.days import ENDS_AT, day_of

SHOWN = 3
_EARLY = Q(starts_at__isnull=False, starts_at__lt=ENDS_AT)


def from_day(today: datetime.date | Case) -> Q:
    """Return the condition of nights whose day is `today` or a later one."""
    return Q(date__gt=today) | Q(date=today) & ~_EARLY


def of_day(day: datetime.date) -> Q:
    """Return the condition of nights whose day it is."""
    return Q(date=day) & ~_EARLY | Q(date=day + datetime.timedelta(days=1)) & _EARLY


def today_in(zone: str) -> Case:
    """Return the day of nights as an expression of the field `zone`."""
    now, zones = timezone.now(), Club.objects.order_by().values_list("time_zone", flat=True)
    cases = [When(**{zone: each}, then=Value(day_of(now, each))) for each in zones.distinct()]
    return Case(*cases, output_field=DateField())


def coming_nights(club: Club) -> QuerySet[Event]:
    """Return the open nights of a club that have not begun, from tonight on, the next first."""
    drawn = Round.objects.filter(event=OuterRef("pk"), status=Round.Status.RELEASED)
    nights = Event.objects.filter(season__club=club, kind=Event.Kind.NIGHT)
    to_come = nights.filter(~Exists(drawn), from_day(club.today), status=Event.Status.OPEN)
    return to_come.order_by("date", "starts_at", "pk")


def nights_that_move(club: Club) -> QuerySet[Event]:
    """Return the coming nights that have no zone of their own and follow their club's."""
    return coming_nights(club).filter(time_zone="")


def next_nights(club: Club) -> list[Event]:
    """Return the club's next open nights that the visitor of `find_club` may see.

    `coming` is the attendance, None without a sign-up.
    """
    nights = Event.objects.filter(
        from_day(club.today),
        season__in=seasons_to_see(club),
        kind=Event.Kind.NIGHT,
        status=Event.Status.OPEN,
    )
    found = list(nights.order_by("date", "starts_at", "pk")[:SHOWN])
    counts = coming_at(found)
    for night in found:
        night.coming = counts.get(night.pk)  # type: ignore[attr-defined]
    return found


def coming_at(nights: Iterable[Event]) -> dict[int, int]:
    """Return the number of people coming, guests included, to each night with a sign-up list.

    Players who are here without having signed up count too.
    """
    lists = SignUp.objects.filter(event__in=list(nights)).values_list("event_id", flat=True)
    counts = dict.fromkeys(lists, 0)
    said = SignUpAnswer.objects.filter(sign_up__event__in=counts, is_in=True)
    for event, guests in said.values_list("sign_up__event_id", "guests"):
        counts[event] += 1 + guests
    has_place = said.filter(sign_up__event=OuterRef("event"), player=OuterRef("player"))
    came = Entrant.objects.filter(
        ~Exists(has_place), event__in=counts, presence=Entrant.Presence.HERE, player__bot=""
    )
    for event in came.values_list("event_id", flat=True):
        counts[event] += 1
    return counts


def when_of(night: Event, *, is_shared: bool = False) -> str:
    """Return the night's weekday, date and, if known, hour, with whose hour it is where in doubt.

    A reader with another clock is told its place and the reader's hour. What is shared with readers
    whom nobody knows names the place once someone of the club lives by another clock.
    """
    day = f"{date_format(night.date, 'l')}, {date_format(night.date, 'SHORT_DATE_FORMAT')}"
    if night.hour is None:
        return day
    said = {"when": f"{day}, {night.hour:%H:%M}", "place": night.clock.name}
    if not is_shared and (here := own_hour(night)):
        return _("%(when)s in %(place)s (%(here)s for you)") % (said | {"here": here})
    if is_shared and _has_other_clocks(night):
        return _("%(when)s in %(place)s") % said
    return said["when"]


def when_and_where(night: Event, *, is_shared: bool = False) -> str:
    """Return when the night is, as `when_of` says it, and its venue if it has one."""
    when, venue = when_of(night, is_shared=is_shared), night.venue
    return _("%(when)s at %(venue)s") % {"when": when, "venue": venue} if venue else when


def own_hour(night: Event) -> str:
    """Return the night's start by the reader's clock where it shows another hour, else ""."""
    zone = reader_zone()
    if night.begins is None or not zone or _offset(night, zone) == night.begins.utcoffset():
        return ""
    here = night.begins.astimezone(datetime.UTC).astimezone(ZoneInfo(zone))
    time = time_format(here, "TIME_FORMAT")
    return time if here.date() == night.date else f"{time}, {date_format(here, 'l')}"


def _has_other_clocks(night: Event) -> bool:
    """Return whether an account of the club has another hour when the night begins."""
    club = night.season.club
    people = User.objects.filter(Q(memberships__club=club) | Q(player__club=club))
    zones = people.exclude(time_zone="").values_list("time_zone", flat=True).distinct()
    begins = night.begins
    return any(begins and _offset(night, zone) != begins.utcoffset() for zone in zones)


def _offset(night: Event, zone: str) -> datetime.timedelta | None:
    return night.begins.astimezone(ZoneInfo(zone)).utcoffset() if night.begins else None
