"""A club's next nights and their expected attendance, for pages of all packages."""

import datetime
from collections.abc import Iterable

from django.db.models import Case, DateField, Exists, OuterRef, Q, Value, When
from django.utils import timezone
from django.utils.formats import date_format

from league.models import Club, Entrant, Event, SignUp, SignUpAnswer
from league.models.days import ENDS_AT, day_of

SHOWN = 3


def from_day(today: datetime.date | Case) -> Q:
    """Return the condition of nights whose day is `today` or a later one."""
    early = Q(starts_at__isnull=False, starts_at__lt=ENDS_AT)
    return Q(date__gt=today) | Q(date=today) & ~early


def today_in(zone: str) -> Case:
    """Return the day of nights as an expression of the field `zone`."""
    now, zones = timezone.now(), Club.objects.order_by().values_list("time_zone", flat=True)
    cases = [When(**{zone: each}, then=Value(day_of(now, each))) for each in zones.distinct()]
    return Case(*cases, output_field=DateField())


def next_nights(club: Club) -> list[Event]:
    """Return the club's next open nights; `coming` is the attendance, None without a sign-up."""
    nights = Event.objects.filter(
        from_day(club.today), season__club=club, kind=Event.Kind.NIGHT, status=Event.Status.OPEN
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


def when_of(night: Event) -> str:
    """Return the night's weekday, date and, if known, hour."""
    day = f"{date_format(night.date, 'l')}, {date_format(night.date, 'SHORT_DATE_FORMAT')}"
    return day if night.starts_at is None else f"{day}, {night.starts_at:%H:%M}"
