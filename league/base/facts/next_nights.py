"""A club's next nights and how many come, for pages of every noun."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from league.models import Club, Entrant, Event, SignUp, SignUpAnswer

SHOWN = 3


def next_nights(club: Club, today: datetime.date) -> list[Event]:
    """Return the club's next open nights with how many come (`coming`; None: no list)."""
    nights = Event.objects.filter(
        season__club=club, kind=Event.Kind.NIGHT, status=Event.Status.OPEN, date__gte=today
    )
    found = list(nights.order_by("date", "pk")[:SHOWN])
    counts = coming_at(found)
    for night in found:
        night.coming = counts.get(night.pk)  # type: ignore[attr-defined]
    return found


def coming_at(nights: Iterable[Event]) -> dict[int, int]:
    """Return how many come, with their guests, to each of these nights that has a list.

    Who is here without having said yes counts too.
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
