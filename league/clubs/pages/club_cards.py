"""Annotations of clubs for the cards of a list."""

import datetime

from django.db.models import Count, OuterRef, QuerySet, Subquery

from league.models import Club, Event, Player


def with_news(clubs: QuerySet[Club], today: datetime.date) -> QuerySet[Club]:
    """Annotate clubs with `people`, and with the dates `next_on` and `last_on` of their nights.

    Each is None if there are none.
    """
    people = Player.objects.people().filter(club=OuterRef("pk")).order_by()
    nights = Event.objects.filter(
        season__club=OuterRef("pk"), kind=Event.Kind.NIGHT, called_off_at=None
    )
    coming = nights.filter(status=Event.Status.OPEN, date__gte=today).order_by("date")
    over = nights.filter(status=Event.Status.CLOSED).order_by("-date")
    return clubs.annotate(
        people=Subquery(people.values("club").annotate(number=Count("pk")).values("number")),
        next_on=Subquery(coming.values("date")[:1]),
        last_on=Subquery(over.values("date")[:1]),
    )
