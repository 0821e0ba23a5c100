"""A club's next nights and their expected attendance, for pages of all packages."""

import datetime
from collections.abc import Iterable

from django.db.models import Exists, OuterRef
from django.utils.formats import date_format

from league.models import Club, Entrant, Event, SignUp, SignUpAnswer

SHOWN = 3


def next_nights(club: Club, today: datetime.date) -> list[Event]:
    """Return the club's next open nights; `coming` is the attendance, None without a sign-up."""
    nights = Event.objects.filter(
        season__club=club, kind=Event.Kind.NIGHT, status=Event.Status.OPEN, date__gte=today
    )
    found = list(nights.order_by("date", "pk")[:SHOWN])
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
